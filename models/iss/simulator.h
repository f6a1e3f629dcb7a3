// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/base/machine_configuration.h"
#include "models/device/basic_device.h"
#include "models/device/file_memory.h"
#include "models/iss/engine.h"

namespace heddle::iss {

/// The functional simulator: a device without time, and the golden model of every timed run.
///
/// It executes whole grids, one warp at a time, and rotates among as many resident blocks as the
/// configured machine holds, so that blocks which wait for each other make progress. Its clock is
/// the number of executed warp instructions. Launches run at the next call that waits.
///
/// Faults are precise: kernel_fault names kernel, block, thread, PC, source line, address and the
/// nearest allocation. A program that no longer changes anything for iss.watchdog instructions
/// ends with error_kind::no_progress and a report of who spins where. After an error the device
/// has no launches pending; its memory stays as it was and can be read.
class functional_simulator final : public basic_device,
                                   public file_memory,
                                   private launch_observer {
public:
    /// `interrupted` is polled between turns; when it returns true the run ends with
    /// error_kind::interrupted. `watch`: of a debugger; null: there is none. With several
    /// `threads`, a program whose blocks meet in plain loads and stores only may give other results
    /// (docs/parallel.md).
    explicit functional_simulator(const machine_configuration& machine,
                                  std::function<bool()> interrupted = {},
                                  simt::debug_watch* watch = nullptr,
                                  const host_threads& threads = {});
    ~functional_simulator() override;

    launch_number launch(const program::kernel& kernel, const launch_shape& shape,
                         const std::vector<std::byte>& parameters) override;
    void synchronize() override;
    [[nodiscard]] std::optional<std::uint64_t> clock() const override { return std::nullopt; }
    std::uint64_t wait_until(std::uint64_t cycle) override;
    void use_file(device_address address, std::uint64_t bytes, int file, std::int64_t offset,
                  bool keep) override;
    void leave_file(device_address address, std::uint64_t bytes) override;

    /// Processor time of the host's main thread spent in running launches.
    [[nodiscard]] double host_seconds() const noexcept { return host_seconds_; }
    /// Of all launches so far; also while they run.
    [[nodiscard]] std::uint64_t executed() const noexcept { return engine_->executed(); }
    [[nodiscard]] const std::set<std::string>& on_one_thread() const noexcept {
        return engine_->on_one_thread();
    }
    [[nodiscard]] std::uint64_t blocks_launched() const noexcept { return blocks_launched_; }
    [[nodiscard]] std::uint64_t blocks_done() const noexcept;
    [[nodiscard]] const execution_counts& total() const noexcept { return total_; }
    /// By the label of program_table.
    [[nodiscard]] const std::map<std::string, kernel_counts>& kernels() const noexcept {
        return kernels_;
    }

private:
    void put(device_address to, const void* from, std::size_t bytes) override;
    void get(void* to, device_address from, std::size_t bytes) override;
    [[nodiscard]] bool busy() const noexcept override { return !grids_.empty(); }
    void launched(const prepared_launch& launch) override;
    void run_until(const std::function<bool()>& condition) override;
    void ended(const grid& launch);
    void count(const grid& ended);
    void end_launches();

    flat_memory memory_;
    std::unique_ptr<engine> engine_;
    std::deque<std::unique_ptr<grid>> grids_;  ///< not yet run, in launch order
    std::uint64_t blocks_launched_ = 0;
    double host_seconds_ = 0;
    execution_counts total_;
    std::map<std::string, kernel_counts> kernels_;
};

}  // namespace heddle::iss
