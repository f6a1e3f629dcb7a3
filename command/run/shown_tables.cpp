// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/shown_tables.h"

#include <fmt/format.h>

#include <map>
#include <variant>

#include "command/run/lines/lines_table.h"
#include "hw/smx/lsu/loads/load_latency.h"
#include "hw/smx/smx_statistics.h"
#include "models/base/text_table.h"

namespace heddle::command {
namespace {

constexpr auto right = text_table::align::right;

double number(const statistics& values, const std::string& name) {
    const statistic* const found = values.find(name);
    if (found == nullptr) return 0;
    if (const auto* count = std::get_if<std::uint64_t>(&found->value)) {
        return static_cast<double>(*count);
    }
    const auto* real = std::get_if<double>(&found->value);
    return real == nullptr ? 0 : *real;
}

std::string count(double value) {
    return fmt::format("{:.0f}", value);
}

std::string ratio(double part, double whole, int decimals) {
    return whole == 0 ? "-" : fmt::format("{:.{}f}", part / whole, decimals);
}

std::string percent(double part, double whole) {
    return whole == 0 ? "-" : fmt::format("{:.1f}", 100 * part / whole);
}

std::string bar(double part, double whole) {
    constexpr double width = 40;
    return std::string(static_cast<std::size_t>(whole == 0 ? 0 : width * part / whole + 0.5), '#');
}

/// Every part of the stack, as it is called in the statistics, that some scheduler was in.
std::string cpi_stack(const shown_run& run) {
    const statistics& values = run.values;
    double all = 0;
    for (const statistic_declaration& part : scheduler_statistics) {
        all += number(values, std::string("gpu.") + part.name);
    }
    const double instructions = number(values, "gpu.warp_instructions");
    text_table table({{"CPI stack", {}},
                      {"cycles x schedulers", right},
                      {"%", right},
                      {"cycles/instruction", right},
                      {"", {}}});
    const auto row = [&](const std::string& name, double cycles, bool with_bar) {
        table.add_row({name, count(cycles), percent(cycles, all), ratio(cycles, instructions, 3),
                       with_bar ? bar(cycles, all) : std::string()});
    };
    for (const statistic_declaration& part : scheduler_statistics) {
        const std::string name = part.name;
        const double cycles = number(values, "gpu." + name);
        if (cycles == 0) continue;
        row(name.substr(name.find('.') + 1), cycles, true);
        if (&part != scheduler_statistics) continue;
        // Issue slots that lanes without a thread at this PC leave empty.
        row("  of which lanes off", cycles * (1 - number(values, "gpu.simd_efficiency")), false);
    }
    row("all", all, false);
    return table.str();
}

std::string smxs(const shown_run& run) {
    const statistics& values = run.values;
    text_table table({{"SMX", right},
                      {"blocks", right},
                      {"warp instructions", right},
                      {"IPC", right},
                      {"SIMD efficiency %", right},
                      {"occupancy %", right},
                      {"executing", right},
                      {"issued %", right},
                      {"stalled %", right},
                      {"L1D miss %", right}});
    const double cycles = number(values, "gpu.cycles");
    for (unsigned i = 0;; ++i) {
        const std::string scope = fmt::format("smx.{}.", i);
        if (values.find(scope + "blocks") == nullptr) break;
        const auto of = [&](const std::string& name) { return number(values, scope + name); };
        double all = 0;
        for (const statistic_declaration& part : scheduler_statistics) all += of(part.name);
        table.add_row({std::to_string(i), count(of("blocks")), count(of("warp_instructions")),
                       ratio(of("thread_instructions"), cycles, 2),
                       percent(of("simd_efficiency"), 1), percent(of("occupancy"), 1),
                       ratio(of("executing_warps"), 1, 2), percent(of("issue_slots.issued"), all),
                       percent(of("stall_cycles"), all),
                       percent(of("l1d.misses"), of("l1d.accesses"))});
    }
    return table.str();
}

std::string kernels(const shown_run& run) {
    const statistics& values = run.values;

    std::map<std::string, double> cycles;
    for (const launch_record& launch : run.launches) {
        cycles[launch.kernel] += static_cast<double>(launch.cycles());
    }
    text_table table({{"kernel", {}},
                      {"launches", right},
                      {"blocks", right},
                      {"cycles", right},
                      {"warp instructions", right},
                      {"IPC", right},
                      {"SIMD efficiency %", right},
                      {"divergent branches %", right}});
    for (const statistic& s : values.entries()) {
        constexpr std::string_view last = ".launches";
        if (s.name.rfind("kernel.", 0) != 0 || s.name.size() <= last.size() ||
            s.name.compare(s.name.size() - last.size(), last.size(), last) != 0) {
            continue;
        }
        const std::string scope = s.name.substr(0, s.name.size() - last.size() + 1);
        const std::string name = scope.substr(7, scope.size() - 8);
        const auto of = [&](const char* what) { return number(values, scope + what); };
        table.add_row(
            {name, count(of("launches")), count(of("blocks")), count(cycles[name]),
             count(of("warp_instructions")), ratio(of("thread_instructions"), cycles[name], 2),
             percent(of("simd_efficiency"), 1), percent(of("divergent_branches"), of("branches"))});
    }
    return table.str();
}

std::string launch_table(const shown_run& run) {
    text_table table({{"launch", right},
                      {"kernel", {}},
                      {"grid", {}},
                      {"block", {}},
                      {"launched", right},
                      {"first dispatch", right},
                      {"last end", right},
                      {"cycles", right},
                      {"blocks", right},
                      {"warp instructions", right}});
    const auto size = [](const dim3& d) { return fmt::format("{},{},{}", d.x, d.y, d.z); };
    const auto cycle = [](const std::optional<std::uint64_t>& value) {
        return value ? std::to_string(*value) : std::string("-");
    };
    for (const launch_record& l : run.launches) {
        table.add_row({to_text(l.launch), l.kernel, size(l.grid), size(l.block),
                       std::to_string(l.launched), cycle(l.first_dispatch),
                       l.complete() ? cycle(l.last_end) : "-",
                       l.complete() ? std::to_string(l.cycles()) : "-", std::to_string(l.blocks),
                       std::to_string(l.warp_instructions)});
    }
    return table.str();
}

/// Loads of constants do not pass L1D, so they are no part of the table of the others.
std::string constant_latency(const statistics& values) {
    const statistic* const found = values.find("constant_latency.total");
    const auto* const all = found == nullptr ? nullptr : std::get_if<histogram>(&found->value);
    if (all == nullptr) return {};
    text_table table({{"constant latency", {}},
                      {"loads", right},
                      {"least", right},
                      {"mean", right},
                      {"most", right}});
    table.add_row({constant_latency_statistics[0].name, std::to_string(all->samples()),
                   std::to_string(all->minimum()), fmt::format("{:.1f}", all->mean()),
                   std::to_string(all->maximum())});
    return table.str();
}

/// The whole and its parts: what a load takes on the mean, in all stages and in each.
std::string latency(const shown_run& run) {
    const statistics& values = run.values;
    const auto of = [&](const statistic_declaration& part) -> const histogram* {
        const statistic* const found = values.find(std::string("load_latency.") + part.name);
        return found == nullptr ? nullptr : std::get_if<histogram>(&found->value);
    };
    text_table table({{"load latency", {}},
                      {"loads", right},
                      {"least", right},
                      {"mean", right},
                      {"most", right},
                      {"cycles/load", right},
                      {"%", right},
                      {"", {}}});
    const histogram* const total = of(load_latency_statistics[0]);
    if (total == nullptr) return table.str();
    const auto all = static_cast<double>(total->sum());
    const auto row = [&](const statistic_declaration& part) {
        const histogram* const stage = of(part);
        const auto cycles = static_cast<double>(stage->sum());
        table.add_row({part.name, std::to_string(stage->samples()),
                       std::to_string(stage->minimum()), fmt::format("{:.1f}", stage->mean()),
                       std::to_string(stage->maximum()),
                       ratio(cycles, static_cast<double>(total->samples()), 1),
                       percent(cycles, all), stage == total ? std::string() : bar(cycles, all)});
    };
    for (const statistic_declaration& part : load_latency_statistics) {
        if (&part != load_latency_statistics) row(part);
    }
    row(load_latency_statistics[0]);
    return table.str() + "\n" + constant_latency(values);
}

std::string lines(const shown_run& run) {
    return lines_table(run.costs);
}

std::string pcs(const shown_run& run) {
    return pcs_table(run.costs);
}

struct named_table {
    const char* name;
    std::string (*text)(const shown_run&);
    bool costs = false;  ///< shows what instructions cost
};
constexpr named_table tables[] = {
    {"cpi", cpi_stack},     {"kernels", kernels}, {"latency", latency}, {"launches", launch_table},
    {"lines", lines, true}, {"pcs", pcs, true},   {"smxs", smxs}};

const named_table* find_table(const std::string& name) {
    for (const named_table& each : tables) {
        if (name == each.name) return &each;
    }
    return nullptr;
}

}  // namespace

const std::vector<std::string>& shown_table_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const named_table& each : tables) all.emplace_back(each.name);
        return all;
    }();
    return names;
}

bool needs_code_costs(const std::string& name) {
    const named_table* const found = find_table(name);
    return found != nullptr && found->costs;
}

std::string shown_table(const std::string& name, const shown_run& run) {
    const named_table* const found = find_table(name);
    return found == nullptr ? std::string() : found->text(run);
}

}  // namespace heddle::command
