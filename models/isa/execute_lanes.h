// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/isa/execute.h"
#include "models/isa/float_operations.h"
#include "models/isa/integer_operations.h"
#include "models/isa/lane_loops.h"
#include "models/isa/special_functions.h"

/// Handlers of execute(), for the source files that instantiate them: one per warp width.
namespace heddle::isa::handle {

template <unsigned Lanes>
void nothing(const instruction&, std::uint32_t, warp_registers<Lanes>&, lane_mask,
             const std::uint8_t*) {}

template <unsigned Lanes>
void load_upper(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
                const std::uint8_t*) {
    const auto value = static_cast<std::uint32_t>(i.imm);
    lanes::assign<Lanes>(r.x[i.rd], active, [value](unsigned) { return value; });
}

template <unsigned Lanes>
void add_upper_to_pc(const instruction& i, std::uint32_t pc, warp_registers<Lanes>& r,
                     lane_mask active, const std::uint8_t*) {
    const std::uint32_t value = pc + static_cast<std::uint32_t>(i.imm);
    lanes::assign<Lanes>(r.x[i.rd], active, [value](unsigned) { return value; });
}

template <unsigned Lanes>
void link(const instruction& i, std::uint32_t pc, warp_registers<Lanes>& r, lane_mask active,
          const std::uint8_t*) {
    lanes::assign<Lanes>(r.x[i.rd], active, [pc](unsigned) { return pc + 4; });
}

template <class Operation, unsigned Lanes>
void binary(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
            const std::uint8_t*) {
    const std::uint32_t* a = r.x[i.rs1];
    const std::uint32_t* b = r.x[i.rs2];
    lanes::assign<Lanes>(r.x[i.rd], active,
                         [a, b](unsigned lane) { return Operation::of(a[lane], b[lane]); });
}

template <class Operation, unsigned Lanes>
void immediate(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
               const std::uint8_t*) {
    const std::uint32_t* a = r.x[i.rs1];
    const auto b = static_cast<std::uint32_t>(i.imm);
    lanes::assign<Lanes>(r.x[i.rd], active,
                         [a, b](unsigned lane) { return Operation::of(a[lane], b); });
}

template <class Operation, unsigned Lanes>
void unary(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
           const std::uint8_t*) {
    const std::uint32_t* a = r.x[i.rs1];
    lanes::assign<Lanes>(r.x[i.rd], active, [a](unsigned lane) { return Operation::of(a[lane]); });
}

/// Whether an instruction rounds to nearest even in every lane.
template <unsigned Lanes>
[[gnu::always_inline]] inline bool rounds_to_nearest(const instruction& i,
                                                     const std::uint8_t* frm) {
    return i.rm == rounding::nearest_even ||
           (i.rm == rounding::dynamic && lanes::all_nearest_even<Lanes>(frm));
}

/// Rounding mode of one lane; an invalid frm counts as RNE, as execute() documents.
inline unsigned lane_rounding(const instruction& i, const std::uint8_t* frm, unsigned lane) {
    if (i.rm != rounding::dynamic) return i.rm;
    if (frm == nullptr || frm[lane] > rounding::nearest_max_magnitude) return 0;
    return frm[lane];
}

template <class Operation, unsigned Lanes>
void rounded_unary(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
                   const std::uint8_t* frm) {
    const std::uint32_t* a = r.x[i.rs1];
    std::uint32_t* d = r.x[i.rd];
    if (rounds_to_nearest<Lanes>(i, frm)) {
        lanes::assign<Lanes>(d, active, [a](unsigned lane) { return Operation::nearest(a[lane]); });
        return;
    }
    lanes::for_active(active, [=, &i](unsigned lane) {
        d[lane] = Operation::rounded(a[lane], lane_rounding(i, frm, lane));
    });
}

template <class Operation, unsigned Lanes>
void float_to_integer(const instruction& i, std::uint32_t pc, warp_registers<Lanes>& r,
                      lane_mask active, const std::uint8_t* frm) {
    if (i.rm != rounding::toward_zero) {
        rounded_unary<Operation, Lanes>(i, pc, r, active, frm);
        return;
    }
    const std::uint32_t* a = r.x[i.rs1];
    lanes::assign<Lanes>(r.x[i.rd], active,
                         [a](unsigned lane) { return Operation::truncated(a[lane]); });
}

template <class Operation, unsigned Lanes>
void rounded_binary(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
                    const std::uint8_t* frm) {
    const std::uint32_t* a = r.x[i.rs1];
    const std::uint32_t* b = r.x[i.rs2];
    std::uint32_t* d = r.x[i.rd];
    if (rounds_to_nearest<Lanes>(i, frm)) {
        lanes::assign<Lanes>(
            d, active, [a, b](unsigned lane) { return Operation::nearest(a[lane], b[lane]); });
        return;
    }
    lanes::for_active(active, [=, &i](unsigned lane) {
        d[lane] = Operation::rounded(a[lane], b[lane], lane_rounding(i, frm, lane));
    });
}

template <class Operation, unsigned Lanes>
void rounded_ternary(const instruction& i, std::uint32_t, warp_registers<Lanes>& r,
                     lane_mask active, const std::uint8_t* frm) {
    const std::uint32_t* a = r.x[i.rs1];
    const std::uint32_t* b = r.x[i.rs2];
    const std::uint32_t* c = r.x[i.rs3];
    std::uint32_t* d = r.x[i.rd];
    if (rounds_to_nearest<Lanes>(i, frm)) {
        lanes::assign<Lanes>(d, active, [a, b, c](unsigned lane) {
            return Operation::nearest(a[lane], b[lane], c[lane]);
        });
        return;
    }
    lanes::for_active(active, [=, &i](unsigned lane) {
        d[lane] = Operation::rounded(a[lane], b[lane], c[lane], lane_rounding(i, frm, lane));
    });
}

/// Votes and ballots: every active lane receives a function of the lanes whose rs1 is not 0.
template <unsigned Lanes>
void vote(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
          const std::uint8_t*) {
    const std::uint32_t* a = r.x[i.rs1];
    const lane_mask set = lanes::where<Lanes>([a](unsigned lane) { return a[lane] != 0; }) & active;
    std::uint32_t value = 0;
    switch (i.op) {
        case opcode::vote_any:
            value = set != 0 ? 1 : 0;
            break;
        case opcode::vote_all:
            value = set == active ? 1 : 0;
            break;
        case opcode::ballot:
            value = static_cast<std::uint32_t>(set);
            break;
        default:
            value = static_cast<std::uint32_t>(set >> 32);
            break;
    }
    lanes::assign<Lanes>(r.x[i.rd], active, [value](unsigned) { return value; });
}

/// values[lane] = a[source(lane, operand of the lane)].
template <unsigned Lanes, class Source>
[[gnu::always_inline]] inline void gather(std::uint32_t* values, const std::uint32_t* a,
                                          const std::uint32_t* operands, Source source) {
    for (unsigned lane = 0; lane < Lanes; ++lane) values[lane] = a[source(lane, operands[lane])];
}

/// Shuffles in segments of `width` lanes: width - 1 in the low bits of a lane is its position in
/// the segment. Source: CUDA C++ Programming Guide, warp shuffle functions; PTX ISA, shfl.
template <unsigned Lanes>
void shuffle(const instruction& i, std::uint32_t, warp_registers<Lanes>& r, lane_mask active,
             const std::uint8_t*) {
    // rd may be rs1 or rs2: read everything before writing.
    alignas(64) std::uint32_t values[Lanes];
    const std::uint32_t* a = r.x[i.rs1];
    const std::uint32_t* b = r.x[i.rs2];
    const unsigned asked = 1u << i.imm;
    const unsigned last = (asked < Lanes ? asked : Lanes) - 1;
    switch (i.op) {
        case opcode::shfl_idx:
            gather<Lanes>(values, a, b, [last](unsigned lane, std::uint32_t operand) {
                return (lane & ~last) | (operand & last);
            });
            break;
        case opcode::shfl_up:
            gather<Lanes>(values, a, b, [last](unsigned lane, std::uint32_t operand) {
                return operand <= (lane & last) ? lane - operand : lane;
            });
            break;
        case opcode::shfl_down:
            gather<Lanes>(values, a, b, [last](unsigned lane, std::uint32_t operand) {
                return operand <= last - (lane & last) ? lane + operand : lane;
            });
            break;
        default:
            gather<Lanes>(values, a, b, [last](unsigned lane, std::uint32_t operand) {
                const unsigned source = lane ^ (operand & (Lanes - 1));
                return source <= (lane | last) ? source : lane;
            });
            break;
    }
    const std::uint32_t* v = values;
    lanes::assign<Lanes>(r.x[i.rd], active, [v](unsigned lane) { return v[lane]; });
}

template <class Condition, unsigned Lanes>
lane_mask taken(const instruction& i, const warp_registers<Lanes>& r) {
    const std::uint32_t* a = r.x[i.rs1];
    const std::uint32_t* b = r.x[i.rs2];
    return lanes::where<Lanes>([a, b](unsigned lane) { return Condition::of(a[lane], b[lane]); });
}

}  // namespace heddle::isa::handle
