// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/protocol/kernel_launch.h"
#include "models/base/machine_configuration.h"
#include "models/base/random.h"
#include "models/base/round_up.h"

namespace heddle::launch_tb {

/// Fills in a random launch that every SMX can hold: grids from 1 to thousands of blocks in one to
/// three dimensions, blocks that run into each of the SMX's limits.
inline void randomize(protocol::kernel_launch& launch, random_stream& random,
                      const machine_configuration& machine, std::uint64_t largest_grid) {
    const auto extent = [&](std::uint64_t limit) {
        return static_cast<std::uint32_t>(1 + random.below(std::max<std::uint64_t>(limit, 1)));
    };
    const bool large = random.chance(0.1);
    const std::uint64_t blocks = large ? largest_grid : random.chance(0.3) ? 1 : 24;
    launch.grid.x = extent(blocks);
    launch.grid.y = random.chance(0.3) ? extent(blocks / launch.grid.x) : 1;
    launch.grid.z = random.chance(0.2) ? extent(blocks / launch.grid.x / launch.grid.y) : 1;
    const std::uint64_t most = std::min<std::uint64_t>(machine.smx.max_threads, 1024);
    launch.block.x = extent(random.chance(0.5) ? std::min<std::uint64_t>(most, 96) : most);
    launch.block.y = random.chance(0.2) ? extent(most / launch.block.x) : 1;
    const std::uint64_t threads = round_up(launch.block.count(), machine.warp_size);
    const std::uint64_t granules =
        std::min<std::uint64_t>(machine.smx.registers / threads, 64) / machine.smx.register_granule;
    launch.per_block.threads = static_cast<std::uint32_t>(threads);
    launch.per_block.registers =
        machine.smx.register_granule * extent(granules) * launch.per_block.threads;
    launch.per_block.shared_bytes =
        random.chance(0.5) ? 0 : extent(machine.smx.shared_bytes / (1 + random.below(8)));
    launch.kernel_name = "random";
    launch.entry_pc = 0x10000 + 4 * extent(1000);
}

}  // namespace heddle::launch_tb
