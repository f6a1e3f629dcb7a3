// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/cosim/pins/core_pins.h"
#include "hw/protocol/link.h"
#include "include/heddle/retire.h"

namespace heddle::pins {

/// What the retire port of an SMX has had in a clock; docs/rtl_smx.md says which fields mean
/// something.
struct core_record {
    enum class kind : std::uint8_t {
        step = HEDDLE_STEP,
        data = HEDDLE_DATA,
        drained = HEDDLE_DRAINED,
        block_begin = HEDDLE_BLOCK_BEGIN,
        block_end = HEDDLE_BLOCK_END,
        barrier_release = HEDDLE_BARRIER_RELEASE
    };
    kind what = kind::step;
    std::uint32_t slot = 0, block = 0, warp = 0;
    std::uint64_t launch = 0, n = 0;
    std::uint32_t pc = 0, word = 0, lanes = 0, live = 0, next_lanes = 0, next_pc = 0, taken = 0;
    std::uint32_t rd = 0, known = 0, fault = 0;

    [[nodiscard]] static core_record of(const retire_pins& pins) {
        core_record r;
        r.what = static_cast<kind>(pins.kind.read());
        r.slot = pins.slot.read();
        r.block = pins.block.read();
        r.warp = pins.warp.read();
        r.launch = pins.launch.read();
        r.n = pins.n.read();
        r.pc = pins.pc.read();
        r.word = pins.word.read();
        r.lanes = pins.lanes.read();
        r.live = pins.live.read();
        r.next_lanes = pins.next_lanes.read();
        r.next_pc = pins.next_pc.read();
        r.taken = pins.taken.read();
        r.rd = pins.rd.read();
        r.known = pins.known.read();
        r.fault = pins.fault.read();
        return r;
    }
};

/// The values of a row, by lane.
inline void read_row(const core_row& row, std::uint32_t* values) {
    for (std::uint32_t lane = 0; lane < core_lanes; ++lane) {
        values[lane] = static_cast<std::uint32_t>(row.get_word(static_cast<int>(lane)));
    }
}

/// Codes of `fault`.
namespace core_fault {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t illegal = 1;
inline constexpr std::uint32_t misaligned = 2;
inline constexpr std::uint32_t access = 3;
inline constexpr std::uint32_t target = 4;
inline constexpr std::uint32_t barrier = 5;
inline constexpr std::uint32_t stack = 6;
inline constexpr std::uint32_t refused = 7;
}  // namespace core_fault

}  // namespace heddle::pins
