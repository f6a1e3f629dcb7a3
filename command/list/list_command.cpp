// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "command/list/statistics_catalog.h"
#include "command/listing.h"
#include "command/run/run_command.h"
#include "hw/smx/thread_pool/formations.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/configuration.h"
#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/base/text_table.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

using nlohmann::ordered_json;

/// The aliases of a workload: name, input and options.
ordered_json aliases_of(const workloads::workload& workload) {
    ordered_json aliases = ordered_json::array();
    for (const workloads::workload& one : workloads::workload_aliases()) {
        if (one.alias_of != workload.name) continue;
        aliases.push_back(
            {{"name", one.name}, {"input", one.default_input}, {"options", one.preset}});
    }
    return aliases;
}

std::string workloads_json() {
    ordered_json all = ordered_json::array();
    for (const workloads::workload& w : workloads::all_workloads()) {
        all.push_back({{"name", w.name},
                       {"description", w.description},
                       {"default_input", w.default_input},
                       {"has_modes", w.has_modes},
                       {"aliases", aliases_of(w)},
                       {"options", ordered_json::parse(parameters_json(w.prepare()->options()))}});
    }
    return all.dump(2) + "\n";
}

/// Breaks a text into lines of at most `width` characters.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines(1);
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
            lines.emplace_back();
        }
        lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    return lines;
}

/// A group of lines for each workload: name, default input, options.
std::string workloads_text() {
    constexpr std::size_t width = 66;
    std::string all;
    for (const workloads::workload& w : workloads::all_workloads()) {
        text_table table({{"", {}}, {"", {}}});
        const auto prepared = w.prepare();
        for (const parameter& option : prepared->options().parameters()) {
            std::string setting = fmt::format("  {}={}", option.key, to_text(option.default_value));
            const std::string text =
                fmt::format("{} ({})", option.description, to_text(option.limits));
            for (const std::string& line : wrapped(text, width)) {
                table.add_row({std::exchange(setting, ""), line});
            }
        }
        all += fmt::format("{}: {}\n", w.name, w.description);
        if (!w.default_input.empty()) all += "  --input " + w.default_input + "\n";
        all += table.str() + "\n";
    }
    text_table aliases({{"alias", {}}, {"stands for", {}}});
    for (const workloads::workload& one : workloads::workload_aliases()) {
        std::string text = one.alias_of;
        if (!one.default_input.empty()) text += " --input " + one.default_input;
        for (const auto& [key, value] : one.preset) {
            text += fmt::format(" --option {}={}", key, value);
        }
        std::string name = one.name;
        for (const std::string& line : wrapped(text, width)) {
            aliases.add_row({std::exchange(name, ""), line});
        }
    }
    return all + aliases.str() +
           "\nShown are the defaults; change an option by --option KEY=VALUE.\n";
}

std::string list_statistics(bool as_json) {
    std::vector<std::vector<std::string>> rows;
    for (const statistic_group& group : statistic_catalog()) {
        for (const statistic_declaration& s : group.table) {
            rows.push_back({fmt::format("{}.{}", group.scope, s.name), s.unit, s.description});
        }
    }
    return listing{{"name", "unit", "description"}, rows}.show(as_json);
}

/// What smx.formation goes with.
std::string list_formations(bool as_json) {
    std::vector<std::vector<std::string>> rows;
    for (const formation_policy each : formations::all()) {
        const formation_row row = row_of(each);
        rows.push_back({row.name, row.schedulers, row.needs, row.description});
    }
    return listing{{"formation", "smx.scheduler", "needs", "description"}, rows}.show(as_json);
}

std::string list_configurations_of(const std::filesystem::path& directory, bool as_json) {
    std::vector<std::vector<std::string>> rows;
    for (const configuration_entry& entry : list_configurations({directory})) {
        rows.push_back({entry.name, entry.description});
    }
    return listing{{"name", "description"}, rows}.show(as_json);
}

}  // namespace

std::string list(const std::string& topic, bool as_json,
                 const std::filesystem::path& configurations) {
    gpu_configuration configuration;
    const parameter_list parameters(configuration);
    if (topic == "workloads") return as_json ? workloads_json() : workloads_text();
    if (topic == "configs") return list_configurations_of(configurations, as_json);
    if (topic == "statistics") return list_statistics(as_json);
    if (topic == "parameters") {
        return as_json ? parameters_json(parameters) : parameters_text(parameters);
    }
    if (topic == "formations") return list_formations(as_json);
    const std::vector<std::string> topics{"workloads", "configs", "statistics", "parameters",
                                          "formations"};
    throw configuration_error(fmt::format("list: there is no list '{}'{}; expected one of {}",
                                          topic, hint(topic, topics), joined(topics)));
}

}  // namespace heddle::command
