// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fmt/format.h>

#include <numeric>

#include "command/listing.h"
#include "command/run/run_command.h"
#include "command/studies/area_tables.h"
#include "hw/smx/thread_pool/dwf/dwf_configuration.h"
#include "hw/smx/thread_pool/dwf/heap_policy.h"
#include "hw/top/credit_check.h"
#include "hw/top/gpu_configuration.h"
#include "hw/top/netlist_drawing.h"
#include "hw/top/simulation.h"
#include "hw/top/unloaded_latency.h"
#include "models/base/configuration.h"
#include "models/base/configuration_report.h"
#include "models/base/text_table.h"
#include "models/program/address_map.h"

namespace heddle::command {
namespace {

std::string address_map_text() {
    text_table table({{"window", {}}, {"first", {}}, {"last", {}}, {"use", {}}});
    for (const program::address_window& w : program::address_map) {
        table.add_row({w.name, fmt::format("0x{:08x}", w.base),
                       fmt::format("0x{:08x}", w.base + (w.size - 1)), w.description});
    }
    return table.str();
}

gpu_configuration read_configuration(const std::string& name_or_file,
                                     const std::vector<std::string>& settings,
                                     const std::filesystem::path& configurations) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    load_configuration(parameters, {name_or_file, settings, {configurations}});
    return configuration;
}

}  // namespace

std::string describe_configuration(const std::string& name_or_file,
                                   const std::vector<std::string>& settings, bool as_json,
                                   const std::filesystem::path& configurations) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    load_configuration(parameters, {name_or_file, settings, {configurations}});
    if (as_json) return describe_json(parameters);
    return describe_text(parameters) + "\n" + address_map_text();
}

std::string describe_latency(const std::string& name_or_file,
                             const std::vector<std::string>& settings, bool as_json,
                             const std::filesystem::path& configurations) {
    const gpu_configuration configuration =
        read_configuration(name_or_file, settings, configurations);
    std::vector<std::vector<std::string>> rows;
    for (const load_level level : load_levels(configuration)) {
        const std::vector<double> stages = mean_unloaded_load(configuration, level);
        rows.push_back({load_level_names[static_cast<std::size_t>(level)],
                        fmt::format("{:.1f}", std::accumulate(stages.begin(), stages.end(), 0.0))});
        for (const double stage : stages) rows.back().push_back(fmt::format("{:.1f}", stage));
    }
    std::vector<std::string> header{"level"};
    for (const statistic_declaration& part : load_latency_statistics)
        header.emplace_back(part.name);
    return listing{header, rows}.show(as_json);
}

std::string describe_credits(const std::string& name_or_file,
                             const std::vector<std::string>& settings, bool as_json,
                             const std::filesystem::path& configurations) {
    const gpu_configuration configuration =
        read_configuration(name_or_file, settings, configurations);
    std::vector<std::vector<std::string>> rows;
    for (const credit_need& pool : credit_needs(configuration)) {
        rows.push_back({pool.key, std::to_string(pool.has), std::to_string(pool.needs), pool.unit,
                        pool.enough() ? "yes" : "no", pool.for_what});
    }
    return listing{{"key", "has", "needs", "unit", "enough", "for"}, rows}.show(as_json);
}

std::string describe_area(const std::string& name_or_file, const std::vector<std::string>& settings,
                          bool as_json, const std::filesystem::path& configurations) {
    const gpu_configuration machine = read_configuration(name_or_file, settings, configurations);
    analytic::formation_geometry formation;
    formation.warp_size = machine.machine.warp_size;
    formation.threads = machine.machine.smx.max_threads;
    const auto& dwf = machine.formations.of<dwf_configuration>();
    const auto& heap = dwf.policies.of<heap_configuration>();
    formation.lookup_entries = dwf.lut_entries;
    formation.pool_entries = dwf.pool_entries;
    formation.heap_lookup_entries = heap.heap_lut_entries;
    formation.heap_entries = heap.heap_entries;
    const analytic::launch_geometry launch{
        machine.kernel_distributor.entries, machine.machine.smx_count,
        machine.machine.smx.max_blocks, machine.groups.entries, machine.groups.chains};
    analytic::transaction_geometry transactions;
    transactions.shared_bytes = machine.machine.smx.shared_bytes;
    transactions.banks = machine.shared.banks;
    transactions.warp_size = machine.machine.warp_size;
    transactions.threads = transaction_configuration::maximum_items;
    return area_tables(formation, launch, transactions, as_json);
}

std::string describe_netlist(const std::string& name_or_file,
                             const std::vector<std::string>& settings,
                             const std::filesystem::path& configurations) {
    const gpu_configuration configuration =
        read_configuration(name_or_file, settings, configurations);
    simulation machine(configuration, {});
    netlist found;
    // The host program starts when the machine has been elaborated, before its first cycle.
    machine.run([&](device&) { found = read_netlist(); }, {});
    if (machine.status().kind() != error_kind::none) {
        throw run_error(machine.status().kind(), machine.status().messages().front());
    }
    return netlist_drawing(found, std::filesystem::path(name_or_file).stem().string());
}

}  // namespace heddle::command
