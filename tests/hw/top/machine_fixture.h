// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hw/top/code_costs.h"
#include "hw/top/gpu_configuration.h"
#include "hw/top/gpu_options.h"
#include "models/base/run_status.h"
#include "models/base/statistics.h"
#include "models/device/device.h"
#include "tb/kit/paths.h"

namespace heddle {

class clock_domain;
class execution_observer;
class lockstep_check;
class simulation;
namespace iss {
struct lockstep_counts;
}  // namespace iss
namespace program {
class image;
}  // namespace program

using settings = std::vector<std::string>;

/// A configuration of configs/ with changes, as KEY=VALUE.
gpu_configuration configuration_of(const std::string& name, const settings& changes = {});

/// A program of the build, as "iss_fault".
std::shared_ptr<const program::image> kernels_of(const std::string& program);

/// `observer` is told what SMX 0 executes.
void observe_first_smx(simulation& simulated, execution_observer& observer);

clock_domain& core_clock_of(simulation& simulated);

/// The timed machine with checked links and the functional simulator in step. Every run that a test
/// does not expect to fail ends well within the limit of cycles. One in a process.
class timed_machine {
public:
    explicit timed_machine(const gpu_configuration& configuration, bool no_sleep = false,
                           const exchangeable_parts& parts = {},
                           const protocol::interposers* between = nullptr,
                           bool code_profile = false, bool run_ahead = true);
    ~timed_machine();
    timed_machine(const timed_machine&) = delete;
    timed_machine& operator=(const timed_machine&) = delete;

    error_kind run(const std::function<void(device&)>& program,
                   std::uint64_t max_cycles = 20'000'000);
    /// Runs a program that must end well.
    void run_well(const std::function<void(device&)>& program);
    [[nodiscard]] const run_status& status() const;
    [[nodiscard]] statistics collected() const;
    /// With code_profile.
    [[nodiscard]] code_costs costs() const;
    [[nodiscard]] const iss::lockstep_counts& check_counts() const;
    [[nodiscard]] std::uint64_t count(const std::string& name) const;
    /// Edges of the core's clock at which a part was awake, or that one has kept.
    [[nodiscard]] std::uint64_t core_edges() const;

private:
    gpu_configuration configuration_;
    std::unique_ptr<simulation> simulation_;
    std::unique_ptr<lockstep_check> check_;
};

}  // namespace heddle
