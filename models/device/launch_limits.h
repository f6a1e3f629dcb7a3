// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/machine_configuration.h"
#include "models/device/device.h"

namespace heddle {

/// Threads that a block may have on any machine, as on the GPUs that the configurations describe.
inline constexpr std::uint32_t max_threads_per_block = 1024;

/// What one block of a launch takes of its SMX.
struct block_resources {
    std::uint32_t threads = 0;    ///< as charged: whole warps
    std::uint32_t registers = 0;  ///< of the register file, granules included
    std::uint32_t shared_bytes = 0;
};

/// Resources of a block. A launch that no SMX can hold, whose extents are zero or whose grid
/// exceeds 2^31 - 1 blocks, or whose stack does not fit the private memory, throws
/// run_error(kernel_fault) that names the kernel, the quantity, and the limit.
[[nodiscard]] block_resources check_launch(const program::kernel& kernel, const launch_shape& shape,
                                           const machine_configuration& machine);

/// What is left of one SMX.
class smx_capacity {
public:
    explicit smx_capacity(const smx_limits& limits) noexcept
        : blocks_(limits.max_blocks),
          free_{limits.max_threads, limits.registers, limits.shared_bytes} {}

    [[nodiscard]] bool fits(const block_resources& need) const noexcept {
        return blocks_ > 0 && need.threads <= free_.threads && need.registers <= free_.registers &&
               need.shared_bytes <= free_.shared_bytes;
    }
    [[nodiscard]] std::uint32_t free_blocks() const noexcept { return blocks_; }
    [[nodiscard]] const block_resources& free() const noexcept { return free_; }
    void take(const block_resources& need) noexcept {
        --blocks_;
        free_.threads -= need.threads;
        free_.registers -= need.registers;
        free_.shared_bytes -= need.shared_bytes;
    }
    void give_back(const block_resources& taken) noexcept {
        ++blocks_;
        free_.threads += taken.threads;
        free_.registers += taken.registers;
        free_.shared_bytes += taken.shared_bytes;
    }

private:
    std::uint32_t blocks_;
    block_resources free_;
};

}  // namespace heddle
