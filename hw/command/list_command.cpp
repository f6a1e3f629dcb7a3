// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hw/command/host_statistics.h"
#include "hw/command/run_command.h"
#include "models/base/configuration.h"
#include "models/base/configuration_report.h"
#include "models/base/error.h"
#include "models/base/machine_configuration.h"
#include "models/base/suggestion.h"
#include "models/base/text_table.h"
#include "models/iss/statistics.h"
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

std::string list_workloads(bool as_json) {
    std::vector<std::vector<std::string>> rows;
    for (const workloads::workload& w : workloads::all_workloads()) {
        rows.push_back({w.name, "", w.default_input, "", w.description});
        const auto prepared = w.prepare();
        for (const parameter& option : prepared->options().parameters()) {
            rows.push_back({w.name, option.key, to_text(option.default_value),
                            to_text(option.limits), option.description});
        }
    }
    return show({"workload", "option", "default", "legal", "description"}, rows, as_json);
}

std::string list_statistics(bool as_json) {
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](const char* scope, const auto& table) {
        for (const statistic_declaration& s : table) {
            rows.push_back({fmt::format("{}.{}", scope, s.name), s.unit, s.description});
        }
    };
    add("gpu", iss::execution_statistics);
    add("kernel.NAME", iss::launch_statistics);
    add("kernel.NAME", iss::execution_statistics);
    add("host", host_statistics);
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

}  // namespace

std::string list(const std::string& topic, bool as_json,
                 const std::filesystem::path& configurations) {
    machine_configuration machine;
    const parameter_list parameters(machine);
    if (topic == "workloads") return list_workloads(as_json);
    if (topic == "configs") return list_configurations_of(configurations, as_json);
    if (topic == "statistics") return list_statistics(as_json);
    if (topic == "parameters") {
        return as_json ? parameters_json(parameters) : parameters_text(parameters);
    }
    const std::vector<std::string> topics{"workloads", "configs", "statistics", "parameters"};
    throw configuration_error(fmt::format("list {}: nothing of that name{}; there are {}", topic,
                                          hint(topic, topics), joined(topics)));
}

std::string describe_configuration(const std::string& name_or_file,
                                   const std::vector<std::string>& settings, bool as_json,
                                   const std::filesystem::path& configurations) {
    machine_configuration machine;
    parameter_list parameters(machine);
    load_configuration(parameters, {name_or_file, settings, {configurations}});
    if (as_json) return describe_json(parameters);
    return describe_text(parameters) + "\n" + address_map_text();
}

}  // namespace heddle::command
