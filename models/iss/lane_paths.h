// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/base/bits.h"
#include "models/simt/reconvergence_stack.h"

namespace heddle::iss {

/// Where each thread of a warp is, on a machine that lets threads with different next PCs run apart
/// and together with threads of other warps (smx.formation other than pdom).
template <unsigned Lanes>
class lane_paths {
public:
    using lane_mask = isa::lane_mask;

    void start(std::uint32_t pc) noexcept {
        next_pc_.fill(pc);
        instructions_.fill(0);
        at_barrier_ = 0;
    }
    /// Lanes whose next instruction is not at `pc`.
    [[nodiscard]] lane_mask elsewhere(std::uint32_t pc, lane_mask lanes) const noexcept {
        lane_mask found = 0;
        bits::for_each(lanes,
                       [&](unsigned lane) { found |= lane_mask{next_pc_[lane] != pc} << lane; });
        return found;
    }
    [[nodiscard]] std::uint32_t next_pc(unsigned lane) const noexcept { return next_pc_[lane]; }
    /// Of each lane, the instruction that it executes now included.
    [[nodiscard]] const std::uint64_t* instructions() const noexcept {
        return instructions_.data();
    }

    /// The lanes execute the instruction at `pc` together: a stack of them alone.
    void begin(std::uint32_t pc, lane_mask lanes, simt::reconvergence_stack& stack) noexcept {
        stack.reset(pc, lanes);
        bits::for_each(lanes, [&](unsigned lane) { ++instructions_[lane]; });
    }
    /// They go where that stack says.
    void end(const simt::reconvergence_stack& stack) noexcept {
        for (const auto& entry : stack.entries()) {
            bits::for_each(entry.lanes, [&](unsigned lane) { next_pc_[lane] = entry.next_pc; });
        }
    }

    [[nodiscard]] lane_mask at_barrier() const noexcept { return at_barrier_; }
    void arrive(lane_mask lanes, std::uint32_t next_pc) noexcept {
        at_barrier_ |= lanes;
        bits::for_each(lanes, [&](unsigned lane) { next_pc_[lane] = next_pc; });
    }
    void pass_barrier() noexcept { at_barrier_ = 0; }

private:
    std::array<std::uint32_t, Lanes> next_pc_{};
    std::array<std::uint64_t, Lanes> instructions_{};
    lane_mask at_barrier_ = 0;
};

}  // namespace heddle::iss
