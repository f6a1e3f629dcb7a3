// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/base/bits.h"
#include "models/isa/instruction.h"
#include "models/isa/warp_size.h"

namespace heddle::isa {

/// Registers of one warp, structure of arrays: x[register][lane]. Row 0 is x0 and must stay 0; row
/// 32 takes the writes to x0, its contents mean nothing.
template <unsigned Lanes>
struct warp_registers {
    static_assert(is_warp_size(Lanes), "no warp has that many lanes");
    alignas(64) std::uint32_t x[register_count + 1][Lanes];
};

/// Mask with every lane set.
template <unsigned Lanes>
inline constexpr lane_mask all_lanes = bits::below(Lanes);

template <unsigned Lanes>
using handler = void (*)(const instruction&, std::uint32_t pc, warp_registers<Lanes>&,
                         lane_mask active, const std::uint8_t* frm);

/// Handler of each opcode; the ones that execute() does not cover do nothing.
template <unsigned Lanes>
struct handler_table {
    static const std::array<handler<Lanes>, opcode_count> entries;
};
#define HEDDLE_DECLARE_HANDLERS(lanes) \
    template <>                        \
    const std::array<handler<lanes>, opcode_count> handler_table<lanes>::entries;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_DECLARE_HANDLERS)
#undef HEDDLE_DECLARE_HANDLERS

/// Carries out one instruction in the lanes of `active`; other lanes keep their registers.
/// Covers the classes integer … special and exchange; for jal and jalr it writes the link (read the
/// target of a jalr first, jump_targets()). Does nothing for all other classes.
///
/// `frm[lane]` is the lane's dynamic rounding mode; null means RNE everywhere, which is fastest.
/// Lanes with an invalid frm (see illegal_rounding()) compute with RNE: trap before.
/// Results are IEEE 754 binary32 with RISC-V's canonical NaN 0x7fc00000; no flags are raised.
/// Votes and shuffles: a shuffle reads the source lane's register also if that lane is inactive.
template <unsigned Lanes>
inline void execute(const instruction& instruction, std::uint32_t pc,
                    warp_registers<Lanes>& registers, lane_mask active, const std::uint8_t* frm) {
    handler_table<Lanes>::entries[static_cast<unsigned>(instruction.op)](instruction, pc, registers,
                                                                         active, frm);
}

/// Lanes of `active` that take the branch. Class branch only; 0 for any other.
template <unsigned Lanes>
[[nodiscard]] lane_mask branch_taken(const instruction& instruction,
                                     const warp_registers<Lanes>& registers, lane_mask active);

/// Targets of a jalr in every lane: (rs1 + imm) with bit 0 cleared, into targets[Lanes].
template <unsigned Lanes>
void jump_targets(const instruction& instruction, const warp_registers<Lanes>& registers,
                  std::uint32_t* targets);

/// Addresses of a load, store or atomic in every lane: rs1 + imm, into addresses[Lanes].
template <unsigned Lanes>
void effective_addresses(const instruction& instruction, const warp_registers<Lanes>& registers,
                         std::uint32_t* addresses);

/// x[rd][lane] = values[lane] in the active lanes (rd as in `instruction`, the sink included).
template <unsigned Lanes>
void write_register(warp_registers<Lanes>& registers, unsigned rd, const std::uint32_t* values,
                    lane_mask active);

/// Lanes of `active` whose frm (5, 6, 7) makes an instruction with dynamic rounding illegal. 0 if
/// the instruction does not use frm, or frm is null.
template <unsigned Lanes>
[[nodiscard]] lane_mask illegal_rounding(const instruction& instruction, lane_mask active,
                                         const std::uint8_t* frm);

/// Host check: throws configuration_error if this build's lane loops need a processor (AVX2, FMA)
/// that the host is not. Call once before the first execute().
void require_host_support();

}  // namespace heddle::isa
