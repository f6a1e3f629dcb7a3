// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/undefined_registers.h"

#include <algorithm>

#include "models/base/bits.h"

namespace heddle::iss {

using isa::lane_mask;
using isa::opcode;

namespace {

/// The lanes in which a register holds `value`.
lane_mask lanes_with(const std::uint32_t* row, std::uint32_t value, lane_mask lanes) noexcept {
    lane_mask found = 0;
    bits::for_each(lanes, [&](unsigned lane) {
        if (row[lane] == value) found |= lane_mask{1} << lane;
    });
    return found;
}

}  // namespace

std::uint32_t source_mask(const isa::instruction& i) noexcept {
    const bool immediate =
        i.op == opcode::csrrwi || i.op == opcode::csrrsi || i.op == opcode::csrrci;
    if (immediate) return 0;
    return (1u << i.rs1 | 1u << i.rs2 | 1u << i.rs3) & ~1u;
}

template <unsigned Lanes>
void undefined_registers<Lanes>::write(unsigned index, lane_mask lanes, lane_mask undefined,
                                       std::uint32_t loaded_at) noexcept {
    lanes_[index] = (lanes_[index] & ~lanes) | undefined;
    if (undefined == 0) return;
    loaded_[index] = loaded_at;
    any_ = true;
}

template <unsigned Lanes>
void undefined_registers<Lanes>::execute(const isa::instruction& i,
                                         const isa::warp_registers<Lanes>& registers,
                                         lane_mask lanes) noexcept {
    if (!i.writes_register()) return;
    std::uint32_t loaded_at = 0;
    for (std::uint32_t left = source_mask(i); left != 0; left &= left - 1) {
        const unsigned index = bits::first(left);
        if (lanes_[index] != 0) loaded_at = loaded_[index];
    }
    write(i.rd, lanes, result(i, registers, lanes), loaded_at);
}

template <unsigned Lanes>
lane_mask undefined_registers<Lanes>::result(const isa::instruction& i,
                                             const isa::warp_registers<Lanes>& registers,
                                             lane_mask lanes) const noexcept {
    if (i.cls == isa::instruction_class::exchange) return shuffled(i, registers, lanes);
    const std::uint32_t sources = source_mask(i);
    const auto operand = [&](unsigned index) {
        return (sources >> index & 1) != 0 ? lanes_[index] & lanes : 0;
    };
    const lane_mask first = operand(i.rs1);
    const lane_mask second = operand(i.rs2);
    const auto without = [&](std::uint32_t value) {
        // A defined operand of this value decides alone.
        return (first & ~(lanes_with(registers.x[i.rs2], value, lanes) & ~second)) |
               (second & ~(lanes_with(registers.x[i.rs1], value, lanes) & ~first));
    };
    switch (i.op) {
        case opcode::czero_eqz:
            return second | (first & ~lanes_with(registers.x[i.rs2], 0, lanes));
        case opcode::czero_nez:
            return second | (first & lanes_with(registers.x[i.rs2], 0, lanes));
        case opcode::and_:
            return without(0);
        case opcode::or_:
            return without(~0U);
        case opcode::sub:
        case opcode::xor_:
            return i.rs1 == i.rs2 ? 0 : first | second;
        default:
            return first | second | operand(i.rs3);
    }
}

template <unsigned Lanes>
lane_mask undefined_registers<Lanes>::shuffled(const isa::instruction& i,
                                               const isa::warp_registers<Lanes>& registers,
                                               lane_mask lanes) const noexcept {
    const bool vote = i.op == opcode::vote_any || i.op == opcode::vote_all ||
                      i.op == opcode::ballot || i.op == opcode::ballot_high;
    if (vote) return (lanes_[i.rs1] & lanes) != 0 && i.rs1 != 0 ? lanes : 0;
    // The same shuffle of a register that says which lanes are undefined.
    constexpr unsigned marks = 1;
    constexpr unsigned distance = 2;
    constexpr unsigned moved = 3;
    isa::warp_registers<Lanes> scratch{};
    std::copy_n(registers.x[i.rs2], Lanes, scratch.x[distance]);
    bits::for_each(lanes_[i.rs1], [&](unsigned lane) { scratch.x[marks][lane] = 1; });
    isa::instruction shuffle = i;
    shuffle.rs1 = marks;
    shuffle.rs2 = distance;
    shuffle.rd = moved;
    isa::execute<Lanes>(shuffle, 0, scratch, lanes, nullptr);
    return (lanes_[i.rs2] & lanes) | lanes_with(scratch.x[moved], 1, lanes);
}

#define HEDDLE_INSTANTIATE(lanes) template class undefined_registers<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
