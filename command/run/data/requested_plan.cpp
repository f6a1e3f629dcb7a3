// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/requested_plan.h"

#include "command/run/data/launch_script.h"
#include "command/run/dimensions.h"
#include "command/run/run_checks.h"
#include "models/base/error.h"

namespace heddle::command {

namespace {

launch_plan plan_of_options(const run_request& request) {
    launch_plan plan;
    plan.program = request.what;
    planned_launch launch;
    launch.kernel = request.kernel;
    if (!request.grid.empty()) launch.grid = parse_dimensions("--grid", request.grid);
    if (!request.block.empty()) launch.block = parse_dimensions("--block", request.block);
    if (!request.offset.empty()) launch.offset = parse_dimensions("--offset", request.offset, 0);
    launch.shared_bytes = request.dynamic_shared_bytes;
    launch.cooperative = request.cooperative;
    for (const std::string& text : request.arguments) {
        launch.arguments.push_back({text, "--arg " + text});
    }
    plan.launches.push_back(std::move(launch));
    return plan;
}

}  // namespace

std::optional<launch_plan> plan_of(const run_request& request) {
    if (!runs_file(request)) return std::nullopt;
    launch_plan plan =
        runs_script(request) ? read_launch_script(request.what) : plan_of_options(request);
    for (const std::string& text : request.saved) {
        plan.saved.push_back(parse_named_file("--save", text));
    }
    for (const std::string& text : request.golden_files) {
        plan.golden.push_back(parse_named_file("--golden", text));
    }
    if (request.tolerance.empty()) return plan;
    plan.tolerance = parse_tolerance(request.tolerance, "--tolerance");
    if (plan.golden.empty()) throw configuration_error("--tolerance needs --golden NAME=FILE");
    return plan;
}

}  // namespace heddle::command
