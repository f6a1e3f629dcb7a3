// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/smx/smx_core.h"
#include "hw/top/code_costs.h"
#include "hw/top/gpu_configuration.h"
#include "hw/top/gpu_statistics.h"
#include "hw/top/lockstep_check.h"
#include "hw/top/simulation.h"
#include "models/base/configuration.h"
#include "models/base/statistics.h"
#include "models/program/image.h"
#include "tb/kit/paths.h"

namespace heddle {

using settings = std::vector<std::string>;

/// A configuration of configs/ with changes, as KEY=VALUE.
inline gpu_configuration configuration_of(const std::string& name, const settings& changes = {}) {
    gpu_configuration configuration;
    parameter_list parameters(configuration);
    load_configuration(parameters, {name, changes, {source_path("configs")}});
    return configuration;
}

/// A program of the build, as "iss_fault".
inline std::shared_ptr<const program::image> kernels_of(const std::string& program) {
    return std::make_shared<program::image>(
        program::image::load(build_path("kernels/") + program + ".elf"));
}

/// The timed machine with checked links and the functional simulator in step. Every run that a test
/// does not expect to fail ends well within the limit of cycles. One in a process.
class timed_machine {
public:
    explicit timed_machine(const gpu_configuration& configuration, bool no_sleep = false,
                           exchangeable_parts parts = {},
                           const protocol::interposers* between = nullptr,
                           bool code_profile = false)
        : configuration_(configuration) {
        gpu_options options;
        options.parts = std::move(parts);
        options.no_sleep = no_sleep;
        options.check_protocols = true;
        options.interposers = between;
        options.code_profile = code_profile;
        simulation_ = std::make_unique<simulation>(configuration, options);
        check_ = std::make_unique<lockstep_check>(*simulation_, configuration_);
        std::size_t number = 0;
        for (const auto& smx : simulation_->machine().smxs()) {
            smx->core().observe(&check_->observer(number++));
        }
    }

    error_kind run(const std::function<void(device&)>& program,
                   std::uint64_t max_cycles = 20'000'000) {
        return simulation_->run(program, {max_cycles});
    }
    /// Runs a program that must end well.
    void run_well(const std::function<void(device&)>& program) {
        EXPECT_EQ(run(program), error_kind::none) << status().text();
    }
    [[nodiscard]] const run_status& status() const { return simulation_->status(); }
    [[nodiscard]] statistics collected() const {
        statistics values;
        collect_gpu(*simulation_, configuration_, values);
        return values;
    }
    /// With code_profile.
    [[nodiscard]] code_costs costs() const { return collect_code_costs(simulation_->machine()); }
    [[nodiscard]] const iss::lockstep_counts& check_counts() const { return check_->counts(); }
    [[nodiscard]] std::uint64_t count(const std::string& name) const {
        return std::get<std::uint64_t>(collected().find(name)->value);
    }

private:
    gpu_configuration configuration_;
    std::unique_ptr<simulation> simulation_;
    std::unique_ptr<lockstep_check> check_;
};

}  // namespace heddle
