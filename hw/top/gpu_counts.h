// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/l2/l2_cache.h"
#include "hw/protocol/memory_counts.h"
#include "hw/smx/smx_statistics.h"

namespace heddle {

class gpu;

/// A moment between edges, as the number of edges of each clock that lie before it.
struct gpu_moment {
    std::uint64_t core = 0;
    std::uint64_t dram = 0;
};

/// What the figures of the whole GPU come from. The difference of two moments gives those of the
/// interval between them.
struct gpu_counts {
    std::uint64_t core_cycles = 0;
    std::uint64_t cycles = 0;        ///< of them, with a launch open
    std::uint64_t gap_cycles = 0;    ///< of them, between launches
    std::uint64_t block_cycles = 0;  ///< sum over cycles of the blocks on SMXs
    std::uint64_t launches = 0;      ///< whose first block has started
    smx_counts smxs;                 ///< all added
    l2_counts l2;                    ///< of all banks
    memory_counts memory;            ///< of all channels

    void subtract(const gpu_counts& earlier);
    /// Core cycles without an open launch.
    [[nodiscard]] std::uint64_t idle_cycles() const noexcept { return core_cycles - cycles; }
};

/// Up to now, and just before a time (ps) that no part has passed.
[[nodiscard]] gpu_moment present(const gpu& machine);
[[nodiscard]] gpu_moment moment_before(const gpu& machine, std::uint64_t time);

[[nodiscard]] gpu_counts counts_at(const gpu& machine, const gpu_moment& moment);

}  // namespace heddle
