// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/machine_configuration.h"
#include "models/device/device.h"

namespace heddle {

/// Threads that a block may have on any machine, as on the GPUs that the configurations describe.
inline constexpr std::uint32_t max_threads_per_block = 1024;

/// What one block of a launch takes of its SMX.
struct block_resources {
    std::uint32_t threads = 0;       ///< as charged: whole warps
    std::uint32_t registers = 0;     ///< of the register file, granules included
    std::uint32_t shared_bytes = 0;  ///< of its threads
    std::uint32_t shadow_bytes = 0;  ///< of shared memory, for what transactions overwrite

    /// All that it takes of shared memory.
    [[nodiscard]] std::uint32_t charged_bytes() const noexcept {
        return shared_bytes + shadow_bytes;
    }
};

/// Resources of a block. A kernel with transactions is charged what transaction_cost says, and a
/// block of it has at most 256 threads. A launch that no SMX can hold, whose extents are zero or
/// whose grid exceeds 2^31 - 1 blocks, whose stack does not fit the private memory, or with
/// transactions that the machine has not, throws run_error(kernel_fault) that names the kernel, the
/// quantity, and the limit.
[[nodiscard]] block_resources check_launch(const program::kernel& kernel, const launch_shape& shape,
                                           const machine_configuration& machine);

/// What is left of one SMX.
class smx_capacity {
public:
    explicit smx_capacity(const smx_limits& limits) noexcept
        : blocks_(limits.max_blocks),
          free_{limits.max_threads, limits.registers, limits.shared_bytes, 0} {}

    [[nodiscard]] bool fits(const block_resources& need) const noexcept {
        return blocks_ > 0 && need.threads <= free_.threads && need.registers <= free_.registers &&
               need.charged_bytes() <= free_.shared_bytes;
    }
    /// How many such blocks fit.
    [[nodiscard]] std::uint32_t count(const block_resources& need) const noexcept {
        const auto fit = [](std::uint32_t free, std::uint32_t each) {
            return each == 0 ? ~std::uint32_t{0} : free / each;
        };
        return std::min({blocks_, fit(free_.threads, need.threads),
                         fit(free_.registers, need.registers),
                         fit(free_.shared_bytes, need.shared_bytes)});
    }
    [[nodiscard]] std::uint32_t free_blocks() const noexcept { return blocks_; }
    [[nodiscard]] const block_resources& free() const noexcept { return free_; }
    void take(const block_resources& need) noexcept {
        --blocks_;
        free_.threads -= need.threads;
        free_.registers -= need.registers;
        free_.shared_bytes -= need.charged_bytes();
    }
    void give_back(const block_resources& taken) noexcept {
        ++blocks_;
        free_.threads += taken.threads;
        free_.registers += taken.registers;
        free_.shared_bytes += taken.charged_bytes();
    }

private:
    std::uint32_t blocks_;
    block_resources free_;
};

}  // namespace heddle
