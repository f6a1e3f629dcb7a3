// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

#include "models/base/bits.h"
#include "models/simt/block_threads.h"
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
    /// Why these threads of the `live` ones can't execute the instruction at `pc` now, for one of
    /// them; no text: they can.
    struct refusal {
        unsigned lane = 0;
        std::string text;
    };
    [[nodiscard]] refusal refuse(std::uint32_t pc, lane_mask lanes, lane_mask live,
                                 const simt::block_threads& block,
                                 const program::kernel_code& code) const {
        if (const lane_mask ended = lanes & ~live; ended != 0) {
            return {bits::first(ended), "executes in a lane whose thread has ended"};
        }
        if (const lane_mask waits = lanes & at_barrier_; waits != 0) {
            return {bits::first(waits),
                    fmt::format("has passed a barrier that {} of {} threads have reached",
                                block.waiting(), block.live())};
        }
        for (lane_mask left = lanes; left != 0; left &= left - 1) {
            const unsigned lane = bits::first(left);
            if (next_pc_[lane] == pc && code.contains(pc)) continue;
            return {lane,
                    fmt::format("executes PC 0x{:08x}; expected: 0x{:08x}", pc, next_pc_[lane])};
        }
        return {};
    }
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

    /// Where a lane goes on.
    [[nodiscard]] std::uint32_t next_pc(unsigned lane) const noexcept { return next_pc_[lane]; }
    void go_to(unsigned lane, std::uint32_t pc) noexcept { next_pc_[lane] = pc; }

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
