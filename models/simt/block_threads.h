// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/bits.h"
#include "models/device/execution_counts.h"
#include "models/isa/instruction.h"

namespace heddle::simt {

/// Number of threads of a resident block that have not ended, and of those that wait at its
/// barrier. The barrier is complete when all that have not ended wait.
class block_threads {
public:
    void start(std::uint32_t threads) noexcept {
        live_ = threads;
        waiting_ = 0;
    }
    /// Goes on as another one was left.
    void restore(std::uint32_t live, std::uint32_t waiting) noexcept {
        live_ = live;
        waiting_ = waiting;
    }
    [[nodiscard]] std::uint32_t live() const noexcept { return live_; }
    [[nodiscard]] std::uint32_t waiting() const noexcept { return waiting_; }

    /// `arriving` lanes of a warp reach the barrier, or a call of the block. False if threads of
    /// the warp's `live` lanes are elsewhere: the barrier is divergent (divergent_call_text()),
    /// and nothing is counted.
    [[nodiscard]] bool arrive(isa::lane_mask arriving, isa::lane_mask live) noexcept {
        if (arriving != live) return false;
        waiting_ += bits::count(arriving);
        return true;
    }
    /// The same, counted.
    [[nodiscard]] bool arrive(isa::lane_mask arriving, isa::lane_mask live,
                              execution_counts& counts) noexcept {
        if (!arrive(arriving, live)) return false;
        ++counts.barriers;
        return true;
    }
    /// The same where threads of a warp may be anywhere: it has no others to wait for.
    void arrive(isa::lane_mask arriving, execution_counts& counts) noexcept {
        ++counts.barriers;
        waiting_ += bits::count(arriving);
    }
    /// `ending` lanes of a warp's `live` ones exit.
    void end(isa::lane_mask ending, isa::lane_mask& live) noexcept {
        live &= ~ending;
        live_ -= bits::count(ending);
    }
    [[nodiscard]] bool barrier_complete() const noexcept {
        return waiting_ != 0 && waiting_ == live_;
    }
    /// All that wait go on.
    void release() noexcept { waiting_ = 0; }

private:
    std::uint32_t live_ = 0;
    std::uint32_t waiting_ = 0;
};

}  // namespace heddle::simt
