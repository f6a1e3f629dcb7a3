// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/iss/lockstep.h"
#include "models/iss/write_history.h"

namespace heddle::iss {

/// The order in which the threads of each SMX access memory: instruction by instruction, and within
/// an instruction lane by lane of the pipeline.
template <unsigned Lanes>
class access_order {
public:
    using lane_places = std::array<std::uint8_t, Lanes>;

    explicit access_order(unsigned smx_count) : instructions_(smx_count) {}

    /// The threads of a warp access; `places` as in lockstep_operands. The instruction is the SMX's
    /// next one, or goes on with a further warp.
    void begin(const lockstep_step& s, const std::uint8_t* places) noexcept {
        const bool goes_on = places != nullptr && last_.sm == s.sm && last_.time == s.time &&
                             last_.number == s.number && last_.pc == s.pc;
        if (!goes_on) ++instructions_[s.sm];
        for (unsigned lane = 0; lane < Lanes; ++lane) {
            places_[lane] = places == nullptr ? static_cast<std::uint8_t>(lane) : places[lane];
        }
        if (places != nullptr) last_ = s;
    }
    /// Places of the warp's lanes in this instruction.
    [[nodiscard]] const lane_places& places() const noexcept { return places_; }
    /// Where the instruction stands; a lane follows by adding its place to the sequence.
    [[nodiscard]] write_history::place at(std::uint32_t sm) const noexcept {
        return {sm, instructions_[sm] << lane_bits};
    }
    /// Where a lane stands.
    [[nodiscard]] write_history::place at(std::uint32_t sm, unsigned lane) const noexcept {
        return {sm, instructions_[sm] << lane_bits | places_[lane]};
    }

private:
    static constexpr int lane_bits = 6;

    std::vector<std::uint64_t> instructions_;  ///< by SMX
    lane_places places_{};
    lockstep_step last_;  ///< the last instruction of several warps
};

}  // namespace heddle::iss
