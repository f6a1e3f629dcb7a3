// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/sweep/validate_command.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "command/run/run_settings.h"
#include "models/base/error.h"
#include "models/workloads/registry.h"

namespace heddle::command {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

run_request read_request(const std::string& line, std::size_t number) try {
    run_request request;
    const json asked = json::parse(line);
    for (const auto& [key, value] : asked.items()) {
        if (key == "what") {
            request.what = value;
        } else if (key == "config") {
            request.configuration = value;
        } else if (key == "set") {
            request.settings = value.get<std::vector<std::string>>();
        } else if (key == "option") {
            request.options = value.get<std::vector<std::string>>();
        } else if (key == "input") {
            request.input = value;
        } else if (key == "mode") {
            request.mode = value;
        } else {
            throw configuration_error(
                fmt::format("line {}: unknown key '{}' (there are: what, "
                            "config, set, option, input, mode)",
                            number, key));
        }
    }
    return request;
} catch (const json::exception& error) {
    throw configuration_error(fmt::format("line {}: {}", number, error.what()));
}

ordered_json effective_configuration(const run_request& request,
                                     const std::filesystem::path& configurations) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    configure(request, parameters, configuration, configurations);
    if (!request.what.empty()) {
        const workloads::workload& workload = workloads::find_workload(request.what);
        workloads::check_options(workload, options_of(request, workload));
    }
    ordered_json values;
    for (const parameter& one : parameters.parameters()) {
        std::visit([&](const auto& value) { values[one.key] = value; }, one.get());
    }
    return values;
}

ordered_json answer(const run_request& request, const std::filesystem::path& configurations) try {
    return {{"configuration", effective_configuration(request, configurations)}};
} catch (const run_error& error) {
    return {{"error", error.what()}};
}

}  // namespace

std::string validate(std::istream& in, const std::filesystem::path& configurations) {
    std::string answers;
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        answers += answer(read_request(line, number), configurations).dump() + "\n";
    }
    return answers;
}

std::string validate_file(const std::string& file, const std::filesystem::path& configurations) {
    if (file == "-") return validate(std::cin, configurations);
    std::ifstream in(file);
    if (!in) throw configuration_error("cannot read '" + file + "'");
    return validate(in, configurations);
}

}  // namespace heddle::command
