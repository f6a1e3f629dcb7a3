// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/interpreter.h"

#include <algorithm>
#include <array>

#include "models/device/kernel_fault.h"
#include "models/isa/csr.h"
#include "models/iss/lanes.h"
#include "models/simt/fault_text.h"

namespace heddle::iss {

using isa::instruction;
using isa::instruction_class;

template <unsigned Lanes>
struct interpreter<Lanes>::turn {
    block<Lanes>& in;
    warp<Lanes>& of;
    const program::kernel_code& code;
    execution_counts& counts;
    std::uint64_t budget;
    std::uint64_t started;  ///< budget at the start
    std::uint64_t clock;    ///< at the start
    // The top of the stack, kept here while it runs straight on.
    std::uint32_t pc = 0;
    std::uint32_t reconvergence_pc = 0;
    lane_mask lanes = 0;
    bool ended = false;  ///< the warp waits or is done

    [[nodiscard]] std::uint64_t spent() const noexcept { return started - budget; }
    [[nodiscard]] std::size_t position() const noexcept { return code.index(pc); }
};

template <unsigned Lanes>
device_location locate_lane(const block<Lanes>& block, const warp<Lanes>& warp, unsigned lane,
                            std::uint32_t pc) {
    return simt::locate_lane(block.of->launch.kernel->name, block.identity, warp.index, Lanes, lane,
                             pc);
}

template <unsigned Lanes>
void interpreter<Lanes>::fault(const turn& t, unsigned lane, const std::string& what) const {
    throw kernel_fault(what, locate_lane(t.in, t.of, lane, t.pc), *image_);
}

template <unsigned Lanes>
void interpreter<Lanes>::load_top(turn& t) {
    const auto& top = t.of.stack.top();
    t.pc = top.next_pc;
    t.lanes = top.lanes;
    // While the call depths differ the top can't reconverge, whatever its PC.
    t.reconvergence_pc = top.depth == top.reconvergence_depth ? top.reconvergence_pc : simt::never;
}

template <unsigned Lanes>
void interpreter<Lanes>::go_to(turn& t, std::uint32_t pc) {
    t.pc = pc;
    if (pc == t.reconvergence_pc) {
        t.of.stack.advance(pc);
        load_top(t);
    }
}

template <unsigned Lanes>
warp_state interpreter<Lanes>::run(block<Lanes>& block, warp<Lanes>& warp, std::uint64_t budget,
                                   std::uint64_t clock, execution_counts& counts) {
    const program::kernel_code& code = block.of->launch.kernel->code;
    turn t{block, warp, code, counts, budget, budget, clock};
    load_top(t);
    const instruction* const instructions = code.instructions.data();
    const std::size_t size = code.instructions.size();
    std::uint64_t threads = 0;
    while (t.budget != 0 && !t.ended) {
        const std::size_t position = code.index(t.pc);
        if (position >= size) fault(t, first_lane(t.lanes), simt::past_end_text());
        const instruction& i = instructions[position];
        --t.budget;
        threads += count_lanes(t.lanes);
        switch (i.cls) {
            case instruction_class::floating:
            case instruction_class::floating_divide: {
                const lane_mask bad = isa::illegal_rounding<Lanes>(i, t.lanes, warp.rounding);
                if (bad != 0) refuse(t, i, first_lane(bad));
                [[fallthrough]];
            }
            case instruction_class::integer:
            case instruction_class::multiply:
            case instruction_class::divide:
            case instruction_class::special:
            case instruction_class::exchange:
                isa::execute<Lanes>(i, t.pc, warp.registers, t.lanes, warp.rounding);
                go_to(t, t.pc + 4);
                break;
            case instruction_class::branch:
                branch(t, i);
                break;
            case instruction_class::load:
            case instruction_class::store:
            case instruction_class::atomic:
                access(t, i);
                break;
            case instruction_class::jump:
                jump(t, i);
                break;
            case instruction_class::jump_register:
                jump_register(t, i);
                break;
            case instruction_class::fence:
                go_to(t, t.pc + 4);
                break;
            case instruction_class::csr:
                access_csr(t, i);
                break;
            case instruction_class::simt_control:
                control(t, i);
                break;
            default:
                refuse(t, i, first_lane(t.lanes));
        }
    }
    if (!t.ended) warp.stack.advance(t.pc);
    warp.instructions += t.spent();
    counts.warp_instructions += t.spent();
    counts.thread_instructions += threads;
    return warp.state;
}

template <unsigned Lanes>
void interpreter<Lanes>::branch(turn& t, const instruction& i) {
    const lane_mask taken = isa::branch_taken<Lanes>(i, t.of.registers, t.lanes);
    ++t.counts.branches;
    const std::uint32_t target = t.pc + static_cast<std::uint32_t>(i.imm);
    if (taken == 0) return go_to(t, t.pc + 4);
    check_target(t, target, first_lane(t.lanes));
    if (taken == t.lanes) return go_to(t, target);
    ++t.counts.divergent_branches;
    t.of.stack.branch(taken, target, t.pc + 4, t.code.reconvergence[t.position()]);
    load_top(t);
}

template <unsigned Lanes>
void interpreter<Lanes>::jump(turn& t, const instruction& i) {
    const std::uint32_t target = t.pc + static_cast<std::uint32_t>(i.imm);
    check_target(t, target, first_lane(t.lanes));
    isa::execute<Lanes>(i, t.pc, t.of.registers, t.lanes, nullptr);
    if (!i.is_call()) return go_to(t, target);
    const simt::lane_group group{target, t.lanes};
    t.of.stack.call(&group, 1, t.pc + 4);
    load_top(t);
}

template <unsigned Lanes>
void interpreter<Lanes>::jump_register(turn& t, const instruction& i) {
    alignas(64) std::uint32_t targets[Lanes];
    isa::jump_targets<Lanes>(i, t.of.registers, targets);
    std::array<simt::lane_group, Lanes> groups;
    unsigned count = 0;
    for (lane_mask left = t.lanes; left != 0;) {
        const auto first = first_lane(left);
        check_target(t, targets[first], first);
        lane_mask same = 0;
        for_each_lane(left, [&](unsigned lane) {
            if (targets[lane] == targets[first]) same |= lane_mask{1} << lane;
        });
        groups[count++] = {targets[first], same};
        left &= ~same;
    }
    ++t.counts.branches;
    if (count > 1) ++t.counts.divergent_branches;
    isa::execute<Lanes>(i, t.pc, t.of.registers, t.lanes, nullptr);
    if (i.is_call()) {
        t.of.stack.call(groups.data(), count, t.pc + 4);
    } else if (i.is_return()) {
        t.of.stack.ret(groups.data(), count);
    } else {
        t.of.stack.jump(groups.data(), count, t.code.reconvergence[t.position()]);
    }
    load_top(t);
}

template <unsigned Lanes>
void interpreter<Lanes>::check_target(const turn& t, std::uint32_t target, unsigned lane) const {
    if (t.code.contains(target)) return;
    fault(t, lane, simt::bad_target_text(t.code, target));
}

template <unsigned Lanes>
void interpreter<Lanes>::access(turn& t, const instruction& i) {
    ++t.counts.memory_instructions;
    try {
        switch (i.cls) {
            case instruction_class::load:
                memory_->load(i, t.position(), t.in, t.of, t.lanes);
                break;
            case instruction_class::store:
                memory_->store(i, t.position(), t.in, t.of, t.lanes);
                break;
            default:
                memory_->atomic(i, t.in, t.of, t.lanes);
        }
    } catch (const access_fault& refused) {
        fault(t, refused.lane, refused.message);
    }
    go_to(t, t.pc + 4);
}

template <unsigned Lanes>
void interpreter<Lanes>::control(turn& t, const instruction& i) {
    switch (i.op) {
        case isa::opcode::exit:
            return end_lanes(t);
        case isa::opcode::barrier:
            return arrive(t);
        // The stack brings the lanes of a lock loop together here by itself.
        case isa::opcode::warp_join:
            return go_to(t, t.pc + 4);
        default:
            refuse(t, i, first_lane(t.lanes));
    }
}

template <unsigned Lanes>
void interpreter<Lanes>::end_lanes(turn& t) {
    t.of.live &= ~t.lanes;
    t.in.live_threads -= count_lanes(t.lanes);
    t.of.stack.exit(t.lanes);
    if (!t.of.stack.empty()) return load_top(t);
    t.of.state = warp_state::done;
    t.ended = true;
}

template <unsigned Lanes>
void interpreter<Lanes>::arrive(turn& t) {
    if (t.lanes != t.of.live) {
        fault(t, first_lane(t.lanes),
              simt::divergent_barrier_text(t.in.identity, t.of.index, Lanes, t.lanes, t.of.live));
    }
    ++t.counts.barriers;
    t.of.stack.advance(t.pc + 4);
    t.in.threads_at_barrier += count_lanes(t.lanes);
    t.of.state = warp_state::at_barrier;
    t.ended = true;
}

template <unsigned Lanes>
void interpreter<Lanes>::access_csr(turn& t, const instruction& i) {
    if (!isa::csr_legal(i)) refuse(t, i, first_lane(t.lanes));
    alignas(64) std::uint32_t old[Lanes];
    read_csr(t, isa::csr_number(i), old);
    if (isa::csr_writes(i)) write_rounding(t, i, old);
    isa::write_register<Lanes>(t.of.registers, i.rd, old, t.lanes);
    go_to(t, t.pc + 4);
}

template <unsigned Lanes>
void interpreter<Lanes>::read_csr(turn& t, std::uint32_t number, std::uint32_t* values) {
    using isa::csr;
    const auto which = static_cast<csr>(number);
    if (simt::read_identity(which, t.in.identity, t.of.index, Lanes, values)) return;
    const std::uint64_t now = t.clock + t.spent();
    const std::uint64_t retired = t.of.instructions + t.spent();
    std::uint32_t uniform = 0;
    switch (which) {
        case csr::frm:
            std::copy_n(t.of.frm, Lanes, values);
            return;
        case csr::fcsr:
            for (unsigned lane = 0; lane < Lanes; ++lane) values[lane] = t.of.frm[lane] << 5;
            return;
        case csr::cycle:
        case csr::time:
        case csr::clock:
            uniform = static_cast<std::uint32_t>(now);
            break;
        case csr::cycleh:
        case csr::timeh:
        case csr::clockh:
            uniform = static_cast<std::uint32_t>(now >> 32);
            break;
        case csr::instret:
            uniform = static_cast<std::uint32_t>(retired);
            break;
        case csr::instreth:
            uniform = static_cast<std::uint32_t>(retired >> 32);
            break;
        default:
            break;  // fflags reads 0
    }
    std::fill_n(values, Lanes, uniform);
}

template <unsigned Lanes>
void interpreter<Lanes>::write_rounding(turn& t, const instruction& i, const std::uint32_t* old) {
    const auto which = static_cast<isa::csr>(isa::csr_number(i));
    if (which == isa::csr::fflags) return;
    const unsigned shift = which == isa::csr::fcsr ? 5 : 0;
    for_each_lane(t.lanes, [&](unsigned lane) {
        const std::uint32_t value = isa::csr_result(i, old[lane], t.of.registers.x[i.rs1][lane]);
        t.of.frm[lane] = static_cast<std::uint8_t>(value >> shift & 7);
    });
    const auto nearest = [](std::uint8_t mode) { return mode == isa::rounding::nearest_even; };
    const bool all = std::all_of(std::begin(t.of.frm), std::end(t.of.frm), nearest);
    t.of.rounding = all ? nullptr : t.of.frm;
}

template <unsigned Lanes>
void interpreter<Lanes>::refuse(const turn& t, const instruction& i, unsigned lane) const {
    fault(t, lane, simt::refusal_text(i, t.pc, "the functional simulator"));
}

template device_location locate_lane(const block<32>&, const warp<32>&, unsigned, std::uint32_t);
template device_location locate_lane(const block<64>&, const warp<64>&, unsigned, std::uint32_t);
template class interpreter<32>;
template class interpreter<64>;

}  // namespace heddle::iss
