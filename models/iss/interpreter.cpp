// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/interpreter.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/device/kernel_fault.h"
#include "models/device/program_table.h"
#include "models/isa/csr.h"
#include "models/iss/serial_transaction.h"
#include "models/simt/fault_text.h"
#include "models/simt/transaction_rules.h"

namespace heddle::iss {

using isa::instruction;
using isa::instruction_class;

template <unsigned Lanes>
struct interpreter<Lanes>::turn {
    block<Lanes>& in;
    warp<Lanes>& of;
    const program::kernel_code& code;
    execution_counts& counts;
    std::uint64_t budget, started;  ///< now, and at the start
    std::uint64_t before;           ///< instructions of the block's turn
    // The top of the stack, kept here while it runs straight on.
    std::uint32_t pc = 0, limit = 0;
    lane_mask lanes = 0;
    bool ended = false;     ///< the warp waits or is done
    bool extended = false;  ///< a transaction has taken more than the turn
    serial_transaction transaction = {};

    [[nodiscard]] std::uint64_t spent() const noexcept { return started - budget; }
    [[nodiscard]] std::size_t position() const noexcept { return code.index(pc); }
    [[nodiscard]] simt::control_site site() const noexcept { return {code, pc, lanes, counts}; }
};

template <unsigned Lanes>
device_location locate_lane(const block<Lanes>& block, const warp<Lanes>& warp, unsigned lane,
                            std::uint32_t pc) {
    return simt::locate_lane(block.of->launch.kernel->name, block.identity, warp.index, Lanes, lane,
                             pc);
}

template <unsigned Lanes>
void interpreter<Lanes>::fault(const turn& t, unsigned lane, const std::string& what) const {
    memory_->place().come_first();  // it is the run's fault only if no block before has one
    throw kernel_fault(what, locate_lane(t.in, t.of, lane, t.pc), *t.in.of->launch.program->image);
}

template <unsigned Lanes>
void interpreter<Lanes>::load_top(turn& t) {
    const auto& top = t.of.stack.top();
    t.pc = top.next_pc;
    t.lanes = top.lanes;
    t.limit = t.of.stack.limit();
    if (t.transaction.left(t.of.stack)) {
        fault(t, bits::first(t.lanes), simt::left_transaction_text);
    }
}

template <unsigned Lanes>
void interpreter<Lanes>::go_to(turn& t, std::uint32_t pc) {
    t.pc = pc;
    if (pc == t.limit) {
        t.of.stack.advance(pc);
        load_top(t);
    }
}

template <unsigned Lanes>
warp_state interpreter<Lanes>::run(block<Lanes>& block, warp<Lanes>& warp, std::uint64_t budget,
                                   std::uint64_t before, execution_counts& counts) {
    const program::kernel_code& code = block.of->launch.kernel->code;
    turn t{block, warp, code, counts, budget, budget, before};
    load_top(t);
    std::uint64_t threads = 0;
    struct booking {  // also of a turn that ends in a fault
        const turn& of;
        const std::uint64_t& threads;
        ~booking() {
            of.of.instructions += of.spent();
            of.counts.warp_instructions += of.spent();
            of.counts.thread_instructions += threads;
        }
    } booked{t, threads};
    const bool doubles = block.of->launch.kernel->soft_double;
    for (;;) {
        if (doubles) {
            execute<true>(t, threads);
        } else {
            execute<false>(t, threads);
        }
        if (t.ended || !t.transaction.open()) break;
        extend(t);
    }
    if (!t.ended) warp.stack.advance(t.pc);
    return warp.state;
}

/// Instructions until the turn is over.
template <unsigned Lanes>
template <bool Doubles>
void interpreter<Lanes>::execute(turn& t, std::uint64_t& threads) {
    const instruction* const instructions = t.code.instructions.data();
    const std::size_t size = t.code.instructions.size();
    while (t.budget != 0 && !t.ended) {
        const std::size_t position = t.code.index(t.pc);
        if (position >= size) fault(t, bits::first(t.lanes), simt::past_end_text());
        const instruction& i = instructions[position];
        if constexpr (Doubles) {
            const bool counts = (t.code.flags[position] & program::soft_double) != 0;
            t.counts.double_instructions += counts ? 1 : 0;
        }
        --t.budget;
        threads += bits::count(t.lanes);
        switch (i.cls) {
            case instruction_class::integer:
            case instruction_class::multiply:
            case instruction_class::divide:
            case instruction_class::floating:
            case instruction_class::floating_divide:
            case instruction_class::special:
            case instruction_class::exchange: {
                const lane_mask illegal = t.of.registers.execute(i, t.pc, t.lanes);
                if (illegal != 0) refuse(t, i, bits::first(illegal));
                go_to(t, t.pc + 4);
                break;
            }
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
            case instruction_class::launch:
                launch(t, i);
                break;
            case instruction_class::transaction:
                transaction(t, i);
                break;
            case instruction_class::cooperation:
                cooperate(t, i);
                break;
            default:
                if (t.transaction.open()) check_transaction(t, i);
                refuse(t, i, bits::first(t.lanes));
        }
    }
}

template <unsigned Lanes>
void interpreter<Lanes>::branch(turn& t, const instruction& i) {
    const lane_mask taken = isa::branch_taken<Lanes>(i, t.of.registers, t.lanes);
    follow(t, simt::branch(t.site(), i, taken));
}

template <unsigned Lanes>
void interpreter<Lanes>::jump(turn& t, const instruction& i) {
    const simt::transfer to = simt::jump(t.site(), i);
    isa::execute<Lanes>(i, t.pc, t.of.registers, t.lanes, nullptr);
    follow(t, to);
}

template <unsigned Lanes>
void interpreter<Lanes>::jump_register(turn& t, const instruction& i) {
    alignas(64) std::uint32_t targets[Lanes];
    isa::jump_targets<Lanes>(i, t.of.registers, targets);
    const simt::transfer to = simt::jump_register(t.site(), i, targets);
    isa::execute<Lanes>(i, t.pc, t.of.registers, t.lanes, nullptr);
    follow(t, to);
}

/// The warp goes on where a control-flow instruction sends its active lanes.
template <unsigned Lanes>
void interpreter<Lanes>::follow(turn& t, const simt::transfer& to) {
    const simt::lane_group& first = to.groups[0];
    if (to.what == simt::transfer::kind::together) return go_to(t, first.pc);
    if (to.what == simt::transfer::kind::refused) {
        fault(t, bits::first(first.lanes), simt::bad_target_text(t.code, first.pc));
    }
    t.of.stack.follow(to);
    load_top(t);
}

template <unsigned Lanes>
void interpreter<Lanes>::access(turn& t, const instruction& i) {
    if (t.transaction.open()) check_transaction(t, i);
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
    if (t.transaction.open()) check_transaction(t, i);
    switch (i.op) {
        case isa::opcode::exit:
            return end_lanes(t);
        case isa::opcode::barrier:
            t.counts.barriers += 1;
            return arrive(t, i);
        // The stack brings the lanes of a lock loop together here by itself.
        case isa::opcode::warp_join:
            return go_to(t, t.pc + 4);
        default:
            refuse(t, i, bits::first(t.lanes));
    }
}

template <unsigned Lanes>
launcher interpreter<Lanes>::launcher_of(const turn& t) {
    return {sm_id(t.in.identity.sm), t.in.of->launch.id, t.in.number};
}

/// The threads of a warp launch in ascending order.
template <unsigned Lanes>
void interpreter<Lanes>::launch(turn& t, const instruction& i) {
    if (t.transaction.open()) check_transaction(t, i);
    if (calls_ == nullptr) refuse(t, i, bits::first(t.lanes));
    if (i.op == isa::opcode::device_synchronize) return await_children(t);
    const launcher by = launcher_of(t);
    auto& x = t.of.registers.x;
    bits::for_each(t.lanes, [&](unsigned lane) {
        std::string why;
        const auto result = calls_->call(by, i.op, x[i.rs1][lane], x[i.rs2][lane], why);
        if (!result) fault(t, lane, why);
        if (i.writes_register()) x[i.rd][lane] = *result;
    });
    go_to(t, t.pc + 4);
}

template <unsigned Lanes>
void interpreter<Lanes>::await_children(turn& t) {
    if (!calls_->has_children(launcher_of(t))) return go_to(t, t.pc + 4);
    t.of.stack.advance(t.pc + 4);
    t.of.state = warp_state::waits_for_children;
    t.ended = true;
}

template <unsigned Lanes>
void interpreter<Lanes>::transaction(turn& t, const instruction& i) {
    const unsigned lane = bits::first(t.lanes);
    if (i.op == isa::opcode::tx_begin) {
        if (t.transaction.open()) check_transaction(t, i);
        t.transaction.begin(t.of.stack, t.pc + 4);
    } else if (!t.transaction.open()) {
        fault(t, lane, simt::no_commit_text(false));
    } else if (!t.transaction.commit(t.of.stack, t.pc)) {
        fault(t, lane, simt::no_commit_text(true));
    }
    load_top(t);
    if (t.extended && !t.transaction.open()) {  // the next warp has waited for long
        t.started -= t.budget;
        t.budget = 0;
    }
}

/// Faults if a transaction may not execute the instruction.
template <unsigned Lanes>
void interpreter<Lanes>::check_transaction(const turn& t, const instruction& i) const {
    const unsigned lane = bits::first(t.lanes);
    const std::uint32_t address = t.of.registers.x[i.rs1][lane] + static_cast<std::uint32_t>(i.imm);
    const bool legal = i.cls == instruction_class::store ? simt::storable_in_transaction(address)
                                                         : simt::legal_in_transaction(i);
    if (!legal) fault(t, lane, simt::in_transaction_text(i, t.pc));
}

/// The turn goes on until the transaction ends.
template <unsigned Lanes>
void interpreter<Lanes>::extend(turn& t) const {
    constexpr std::uint64_t further = 1024;
    if (t.spent() > transaction_limit_) {
        memory_->place().come_first();
        const kernel_fault place(
            fmt::format("{} instructions of the warp without the end of its transaction",
                        t.spent()),
            locate_lane(t.in, t.of, bits::first(t.lanes), t.pc), *t.in.of->launch.program->image);
        throw run_error(error_kind::no_progress, fmt::format("no progress: {}", place.what()));
    }
    t.started += further;
    t.budget += further;
    t.extended = true;
}

template <unsigned Lanes>
void interpreter<Lanes>::end_lanes(turn& t) {
    t.in.threads.end(t.lanes, t.of.live);
    t.of.stack.exit(t.lanes);
    if (!t.of.stack.empty()) return load_top(t);
    t.of.state = warp_state::done;
    t.ended = true;
}

/// At the block's barrier, or at a call of the block: its threads come together.
template <unsigned Lanes>
void interpreter<Lanes>::arrive(turn& t, const instruction& i) {
    simt::block_threads& threads = t.in.threads;
    if (threads.waiting() != 0 && t.in.call != i.op) {
        fault(t, bits::first(t.lanes), simt::split_call_text(t.in.call, i.op));
    }
    t.in.call = i.op;
    if (!threads.arrive(t.lanes, t.of.live)) {
        fault(
            t, bits::first(t.lanes),
            simt::divergent_call_text(i.op, t.in.identity, t.of.index, Lanes, t.lanes, t.of.live));
    }
    t.of.stack.advance(t.pc + 4);
    t.of.state = i.op == isa::opcode::barrier ? warp_state::at_barrier : warp_state::in_call;
    t.ended = true;
}

template <unsigned Lanes>
void interpreter<Lanes>::cooperate(turn& t, const instruction& i) {
    const grid& g = *t.in.of;
    if (t.transaction.open()) {
        fault(t, bits::first(t.lanes), simt::in_transaction_text(i, t.pc));
    }
    if (!g.cooperation) refuse(t, i, bits::first(t.lanes));
    if (i.op == isa::opcode::get_num_groups) {
        alignas(64) std::uint32_t groups[Lanes];
        const std::uint32_t known = t.in.known_groups;
        std::fill_n(groups, Lanes, known != 0 ? known : g.cooperation->groups());
        isa::write_register<Lanes>(t.of.registers, i.rd, groups, t.lanes);
        return go_to(t, t.pc + 4);
    }
    if (simt::forks(i.op)) {
        if (t.of.index == 0) t.in.call_target = t.of.registers.x[i.rs1][0];
        if ((t.in.warps.front()->live & 1) == 0) {
            fault(t, bits::first(t.lanes), simt::no_origin_text(i.op));
        }
        if (t.of.index == 0 && !t.code.contains(t.in.call_target)) {
            fault(t, 0, simt::bad_target_text(t.code, t.in.call_target));
        }
    }
    arrive(t, i);
}

/// The device's time, if the instruction reads it.
template <unsigned Lanes>
std::uint64_t interpreter<Lanes>::clock(const turn& t, const instruction& i) const {
    if (!isa::tells_time(i)) return 0;
    memory_->place().come_first();
    return memory_->place().executed() + t.before + t.spent();
}

template <unsigned Lanes>
void interpreter<Lanes>::access_csr(turn& t, const instruction& i) {
    if (!isa::csr_legal(i)) refuse(t, i, bits::first(t.lanes));
    t.of.registers.access_csr(i, t.lanes,
                              {t.in.identity, t.of.index, clock(t, i),
                               t.of.instructions + t.spent(), t.of.thread_instructions});
    go_to(t, t.pc + 4);
}

template <unsigned Lanes>
void interpreter<Lanes>::refuse(const turn& t, const instruction& i, unsigned lane) const {
    fault(t, lane, simt::refusal_text(i, t.pc));
}

#define HEDDLE_INSTANTIATE(lanes)                                                           \
    template device_location locate_lane(const block<lanes>&, const warp<lanes>&, unsigned, \
                                         std::uint32_t);                                    \
    template class interpreter<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
