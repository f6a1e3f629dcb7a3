// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/smx/tm/tm_waves.h"

namespace heddle {

/// The variables of an SMX in a waveform.
struct smx_waves {
    /// TBCR of a block slot: the kernel's KDE and the block's index in its grid.
    struct block {
        wave_bits valid;
        wave_text kernel;
        wave_integer kdei;
        wave_integer agei;  ///< only where kernels can launch
        wave_integer blkid;
        wave_bits warps;
        const void* of = nullptr;  ///< kernel whose name `kernel` shows
    };
    /// What a warp scheduler does, and the last instruction that it issued.
    struct scheduler {
        wave_state state;        ///< cycle_cause
        wave_state instruction;  ///< what issues in this cycle, or nothing
        wave_integer warp;
        wave_integer block;
        wave_bits pc;
        wave_bits lanes;
        std::uint64_t edge = 0;  ///< of the last issue
    };
    wave_bits resident;    ///< slots with a live warp
    wave_bits ready;       ///< warps that could issue if their unit took them
    wave_bits memory;      ///< warps that wait for memory
    wave_bits at_barrier;  ///< warps that wait for their block
    std::vector<block> blocks;
    std::vector<scheduler> schedulers;
    std::optional<tm_waves> transactions;  ///< none without transactions

    smx_waves(waveform& waves, const std::string& scope, std::size_t block_slots, unsigned warps,
              unsigned lanes, unsigned scheduler_count, bool groups);
};

}  // namespace heddle
