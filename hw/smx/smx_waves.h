// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <vector>

#include "hw/base/waveform.h"

namespace heddle {

/// What an SMX shows in a waveform.
struct smx_waves {
    /// TBCR of a block slot: the kernel's KDE and the block's index in its grid.
    struct block {
        wave_bits valid;
        wave_integer kdei;
        wave_integer blkid;
        wave_bits warps;
    };
    struct scheduler {
        wave_state cause;  ///< cycle_cause
    };
    wave_bits resident;    ///< slots with a live warp
    wave_bits ready;       ///< warps that could issue if their unit took them
    wave_bits memory;      ///< warps that wait for memory
    wave_bits at_barrier;  ///< warps that wait for their block
    std::vector<block> blocks;
    std::vector<scheduler> schedulers;

    smx_waves(waveform& waves, const std::string& scope, std::size_t block_slots, unsigned warps,
              unsigned scheduler_count);
};

}  // namespace heddle
