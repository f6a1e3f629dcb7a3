// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <utility>

#include "hw/command/run_command.h"
#include "hw/command/statistics_catalog.h"
#include "hw/top/credit_check.h"
#include "hw/top/gpu_configuration.h"
#include "hw/top/unloaded_latency.h"
#include "models/base/configuration.h"
#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"
#include "models/base/text_table.h"
#include "models/program/address_map.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

using nlohmann::ordered_json;

/// Rows of cells under named columns, printed as a table or as JSON objects.
std::string show(const std::vector<std::string>& columns,
                 const std::vector<std::vector<std::string>>& rows, bool as_json) {
    if (!as_json) {
        std::vector<text_table::column> headers;
        headers.reserve(columns.size());
        for (const std::string& name : columns) headers.push_back({name, text_table::align::left});
        text_table table(std::move(headers));
        for (const auto& row : rows) table.add_row(row);
        return table.str();
    }
    ordered_json all = ordered_json::array();
    for (const auto& row : rows) {
        ordered_json object;
        for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i]] = row[i];
        all.push_back(std::move(object));
    }
    return all.dump(2) + "\n";
}

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
    return show({"name", "unit", "description"}, rows, as_json);
}

std::string list_configurations_of(const std::filesystem::path& directory, bool as_json) {
    std::vector<std::vector<std::string>> rows;
    for (const configuration_entry& entry : list_configurations({directory})) {
        rows.push_back({entry.name, entry.description});
    }
    return show({"name", "description"}, rows, as_json);
}

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
    const std::vector<std::string> topics{"workloads", "configs", "statistics", "parameters"};
    throw configuration_error(fmt::format("list: there is no list '{}'{}; expected one of {}",
                                          topic, hint(topic, topics), joined(topics)));
}

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
    return show(header, rows, as_json);
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
    return show({"key", "has", "needs", "unit", "enough", "for"}, rows, as_json);
}

}  // namespace heddle::command
