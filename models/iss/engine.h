// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "models/base/flat_memory.h"
#include "models/base/machine_configuration.h"
#include "models/device/allocation_table.h"
#include "models/device/device_runtime.h"
#include "models/iss/warp.h"

namespace heddle::simt {
class debug_watch;
}  // namespace heddle::simt

namespace heddle::iss {

/// Runs launched grids on the resident-block slots of the configured machine: admits blocks first
/// come first served, takes turns among warps, finishes blocks.
class engine {
public:
    engine() = default;
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;
    virtual ~engine() = default;

    /// Adds a launch, which outlives its run.
    virtual void add(grid& launch) = 0;
    /// Runs all launches and what their kernels launch to the end, or until the condition holds,
    /// which may be empty. Those of one stream run one after another, those of different streams
    /// share the machine. A block that waits for the launches that it has made leaves its SMX when
    /// none of its warps can run. A cooperative launch starts with as many blocks as fit, and gives
    /// some back at its calls while others wait. Throws kernel_fault and run_error, and is empty
    /// afterwards; so it is at the end.
    virtual void run(const std::function<bool()>& until) = 0;

    /// Whether no launch is left.
    [[nodiscard]] virtual bool empty() const noexcept = 0;
    /// Warp instructions executed so far, of all runs.
    [[nodiscard]] virtual std::uint64_t executed() const noexcept = 0;
    /// What has kept launches on one thread, of an engine with several (why_alone.h).
    [[nodiscard]] virtual const std::set<std::string>& on_one_thread() const noexcept = 0;
};

/// Threads of the host that run an engine's blocks (round_crew.h).
struct host_threads {
    unsigned count = 1;
    /// For tests: not 0 shares each round, and threads wait at random before the turns of blocks.
    std::uint64_t delay_seed = 0;
};

/// Everything an engine is built from; all of it outlives the engine.
struct engine_parts {
    const machine_configuration& machine;
    flat_memory& memory;
    const allocation_table& ranges;
    std::function<bool()> interrupted;       ///< may be empty
    device_runtime* runtime = nullptr;       ///< null: kernels can't launch
    std::function<void(const grid&)> ended;  ///< hears of each launch; may be empty
    simt::debug_watch* watch = nullptr;      ///< null: no debugger
    host_threads threads = {};               ///< one if there is a debugger
};

/// An engine for machine.warp_size lanes. Throws configuration_error if no warp has that many.
std::unique_ptr<engine> make_engine(engine_parts parts);

}  // namespace heddle::iss
