// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/iss/lockstep.h"
#include "models/iss/write_history.h"

namespace heddle::iss {

/// The order in which the threads of each SMX access memory: turn by turn, and within an
/// instruction lane by lane of the pipeline. A turn has one instruction, or several that have no
/// order.
template <unsigned Lanes>
class access_order {
public:
    using lane_places = std::array<std::uint8_t, Lanes>;

    /// `together`: instructions that an SMX issues in one cycle are one turn.
    /// `slots`: warps of an SMX, if accesses of different warps have no order; else 0.
    access_order(unsigned smx_count, unsigned slots, bool together)
        : turns_(std::size_t{smx_count} * std::max(slots, 1U)),
          slots_(slots),
          together_(together) {}

    /// The threads of a warp access; `places` as in lockstep_operands. The instruction is the SMX's
    /// next one, or goes on with a further warp.
    void begin(const lockstep_step& s, const std::uint8_t* places) noexcept {
        if (!more_) begin_instruction(turns_[domain(s)], s.time);
        more_ = s.more;
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            places_[lane] = places == nullptr ? static_cast<std::uint8_t>(lane) : places[lane];
        }
    }
    /// Places of the warp's lanes in this instruction.
    [[nodiscard]] const lane_places& places() const noexcept { return places_; }
    /// Where the instruction stands, as its lane 0.
    [[nodiscard]] write_history::place at(const lockstep_step& s) const noexcept {
        const turn& t = turns_[domain(s)];
        return {domain(s), t.number, t.instruction};
    }
    /// Where a lane stands.
    [[nodiscard]] write_history::place at(const lockstep_step& s, unsigned lane) const noexcept {
        const turn& t = turns_[domain(s)];
        return {domain(s), t.number, t.instruction, places_[lane]};
    }

private:
    struct turn {
        std::uint64_t number = 0;
        std::uint64_t time = ~std::uint64_t{0};
        std::uint16_t instruction = 0;  ///< the last one
    };

    /// Whose accesses have an order.
    [[nodiscard]] std::uint32_t domain(const lockstep_step& s) const noexcept {
        return slots_ == 0 ? s.sm : s.sm * slots_ + s.slot;
    }
    void begin_instruction(turn& t, std::uint64_t time) noexcept {
        if (together_ && t.time == time) {
            ++t.instruction;
            return;
        }
        t = {t.number + 1, time, 0};
    }

    std::vector<turn> turns_;  ///< by domain()
    const unsigned slots_;
    const bool together_;
    bool more_ = false;  ///< the last instruction goes on with a further warp
    lane_places places_{};
};

}  // namespace heddle::iss
