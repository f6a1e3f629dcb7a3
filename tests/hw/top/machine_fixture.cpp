// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/hw/top/machine_fixture.h"

#include <variant>

#include "hw/smx/smx_core.h"
#include "hw/top/gpu.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/lockstep_check.h"
#include "hw/top/simulation.h"
#include "models/base/configuration.h"
#include "models/program/image.h"

namespace heddle {

gpu_configuration configuration_of(const std::string& name, const settings& changes) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    load_configuration(parameters, {name, changes, {source_path("configs")}});
    return configuration;
}

std::shared_ptr<const program::image> kernels_of(const std::string& program) {
    return std::make_shared<program::image>(
        program::image::load(build_path("kernels/") + program + ".elf"));
}

void observe_first_smx(simulation& simulated, execution_observer& observer) {
    simulated.machine().smxs()[0]->core().observe(&observer);
}

clock_domain& core_clock_of(simulation& simulated) {
    return simulated.machine().core_clock();
}

timed_machine::timed_machine(const gpu_configuration& configuration, bool no_sleep,
                             const exchangeable_parts& parts, const protocol::interposers* between,
                             bool code_profile, bool run_ahead)
    : configuration_(configuration) {
    gpu_options options;
    options.parts = parts;
    options.no_sleep = no_sleep;
    options.run_ahead = run_ahead;
    options.check_protocols = true;
    options.interposers = between;
    options.code_profile = code_profile;
    simulation_ = std::make_unique<simulation>(configuration, options);
    check_ = std::make_unique<lockstep_check>(*simulation_, configuration_);
    std::size_t number = 0;
    for (const auto& smx : simulation_->machine().smxs()) {
        smx->observe(&check_->observer(number++));
    }
}

timed_machine::~timed_machine() = default;

error_kind timed_machine::run(const std::function<void(device&)>& program,
                              std::uint64_t max_cycles) {
    return simulation_->run(program, {max_cycles});
}

void timed_machine::run_well(const std::function<void(device&)>& program) {
    EXPECT_EQ(run(program), error_kind::none) << status().text();
}

const run_status& timed_machine::status() const {
    return simulation_->status();
}

statistics timed_machine::collected() const {
    statistics values;
    collect_gpu(*simulation_, configuration_, values);
    return values;
}

code_costs timed_machine::costs() const {
    return collect_code_costs(simulation_->machine());
}

const iss::lockstep_counts& timed_machine::check_counts() const {
    return check_->counts();
}

std::uint64_t timed_machine::core_edges() const {
    return core_clock_of(*simulation_).executed_edges();
}

std::uint64_t timed_machine::count(const std::string& name) const {
    return std::get<std::uint64_t>(collected().find(name)->value);
}

}  // namespace heddle
