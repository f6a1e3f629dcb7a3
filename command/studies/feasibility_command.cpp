// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/studies/feasibility_command.h"

#include <fmt/format.h>

#include "command/listing.h"
#include "hw/top/gpu_configuration.h"
#include "models/analytic/transaction_feasibility.h"
#include "models/base/configuration.h"
#include "models/base/error.h"
#include "models/program/image.h"
#include "models/simt/fault_text.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

std::string sets_of(const analytic::transaction_site& site) {
    if (site.calls_unknown) return "only a run knows what it calls";
    return fmt::format("{} loads, {} stores{}{}", site.loads, site.stores,
                       site.loops ? ", in loops" : "", site.read_only() ? ": only reads" : "");
}

listing fit_rows(const analytic::transaction_feasibility& judged) {
    listing table{{"detection", "shared bytes", "registers", "scalar registers", "blocks on an SMX",
                   "why not"}};
    for (const analytic::detection_fit& fit : judged.fits) {
        table.rows.push_back({fit.detection.name, std::to_string(fit.shared_bytes),
                              std::to_string(fit.registers), std::to_string(fit.scalar_registers),
                              std::to_string(fit.blocks), fit.reason.empty() ? "-" : fit.reason});
    }
    return table;
}

nlohmann::ordered_json json_of(const program::image& program, const program::kernel& kernel,
                               const analytic::transaction_feasibility& judged) {
    listing sites{{"transaction", "sets"}};
    for (const auto& site : judged.sites) {
        sites.rows.push_back({simt::place_text(program, site.pc), sets_of(site)});
    }
    return {{"kernel", kernel.name},
            {"transactions", sites.json()},
            {"detections", fit_rows(judged).json()},
            {"multiple_selection", judged.multiple_selection},
            {"preferred", judged.preferred},
            {"reason", judged.reason}};
}

std::string text_of(const program::image& program, const program::kernel& kernel,
                    const analytic::transaction_feasibility& judged) {
    std::string text = fmt::format("kernel {}\n", kernel.name);
    for (const auto& site : judged.sites) {
        text += fmt::format("  transaction at {}: {}\n", simt::place_text(program, site.pc),
                            sets_of(site));
    }
    text += "\n" + fit_rows(judged).text();
    if (!judged.multiple_selection) {
        text += "\nno scalar registers for multiple selection (tm.scalar_registers)\n";
    }
    return text + fmt::format("\nprefer {}: {}\n", judged.preferred, judged.reason);
}

}  // namespace

std::string tm_feasibility(const feasibility_request& request, bool as_json,
                           const std::filesystem::path& configurations) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    load_configuration(parameters, {request.configuration, request.settings, {configurations}});
    const workloads::workload* const workload = workloads::look_up(request.program);
    const program::image program = program::image::load(
        workload != nullptr ? workloads::program_file(*workload) : request.program);
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    std::string text;
    for (const program::kernel& kernel : program.kernels()) {
        if (!kernel.transaction_pc) continue;
        const auto judged = analytic::judge_transactions(
            kernel, request.threads, request.dynamic_shared_bytes, configuration.machine);
        if (as_json) all.push_back(json_of(program, kernel, judged));
        text += (text.empty() ? "" : "\n") + text_of(program, kernel, judged);
    }
    if (text.empty()) {
        throw configuration_error(
            fmt::format("'{}' has no kernel with transactions; workloads "
                        "that have: gc, ht, it, km",
                        request.program));
    }
    return as_json ? all.dump(2) + "\n" : text;
}

}  // namespace heddle::command
