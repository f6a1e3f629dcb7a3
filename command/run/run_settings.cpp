// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/run_settings.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/workloads/registry.h"

namespace heddle::command {

std::vector<std::filesystem::path> configure(const run_request& request, parameter_list& parameters,
                                             const gpu_configuration& configuration,
                                             const std::filesystem::path& configurations) {
    std::vector<std::string> settings = request.settings;
    const bool with_mode = !request.mode.empty();
    if (with_mode && workloads::parse_mode(request.mode).ideal) {
        settings.emplace_back("launch.ideal=true");
    }
    auto files =
        load_configuration(parameters, {request.configuration, settings, {configurations}});
    if (with_mode && !configuration.machine.launch.enabled &&
        workloads::parse_mode(request.mode).mode != workloads::launch_mode::flat) {
        throw configuration_error(
            fmt::format("--mode {}: kernels can't launch on this configuration; it needs "
                        "launch.enabled = true",
                        request.mode));
    }
    return files;
}

const workloads::workload& workload_of(const run_request& request) {
    return request.own != nullptr ? *request.own : workloads::find_workload(request.what);
}

workloads::workload_options options_of(const run_request& request,
                                       const workloads::workload& workload) {
    workloads::workload_options options;
    options.seed = request.seed;
    options.input = request.input;
    options.values = workload.preset;
    for (const std::string& text : request.options) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw configuration_error("--option " + text + ": expected key=value");
        }
        options.values[text.substr(0, equals)] = text.substr(equals + 1);
    }
    if (!request.mode.empty()) options.mode = workloads::parse_mode(request.mode).mode;
    return options;
}

}  // namespace heddle::command
