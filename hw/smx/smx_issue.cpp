// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Step (3) of the SMX's cycle: states of the warps, selection, functional execution.
#include "hw/smx/smx_core.h"
#include "models/isa/csr.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle {

using isa::instruction;
using isa::instruction_class;
namespace {
constexpr std::uint32_t memory_unit = 1u << static_cast<unsigned>(unit_class::memory);
}

void smx_core::issue_step() {
    if (dirty_ != 0) refresh_states();
    lsu_takes_ = lsu_.can_accept();
    if (lsu_takes_ != lsu_accepts_ || (!lsu_takes_ && lsu_.blocked() != lsu_refused_)) {
        touched_ = all_;
        lsu_refused_ = lsu_.blocked();
    }
    lsu_accepts_ = lsu_takes_;
    protocol::warp_mask events = started_ | memory_done_ | lost_locality_ | ended_;
    if (events != 0 && links_.schedulers_follow_smx) events = all_;
    ended_ = 0;  // those that end now are told in the next cycle
    protocol::warp_mask issuable = 0;
    if (states_.ready() != 0) issuable = issuable_warps(units_.accepting(edge_));
    if ((events | issuable) != 0) describe_cycle();
    for (std::uint32_t left = owners_of(events | issuable | touched_); left != 0;
         left &= left - 1) {
        const unsigned s = first(left);
        const protocol::warp_mask own = own_[s];
        const bool turn = every_cycle_ || edge_ % configuration_.issue_interval ==
                                              s % configuration_.issue_interval;
        const protocol::warp_mask now = turn ? issuable : 0;
        if (((events | now) & own) != 0) {
            const bool issued = select(s, now);
            if (faulted_) return;
            if (issued) {
                account_.set(s, cycle_cause::issued, edge_);
                issuable = issuable_warps(units_.still_accepting());
                continue;
            }
            if ((now & own) != 0) {
                // The policy holds its warps back: they are offered again in the next cycle.
                account_.set(s, cycle_cause::held_back, edge_);
                touched_ |= own;
                changed_ = true;
                continue;
            }
        }
        if (turn && (touched_ & own) != 0) classify(s);
    }
    started_ = memory_done_ = lost_locality_ = 0;
}

/// Ready warps whose unit takes an instruction now; `accepting` are the units that have an input.
protocol::warp_mask smx_core::issuable_warps(std::uint32_t accepting) const noexcept {
    return states_.ready_for_any(accepting & ~(lsu_takes_ ? 0 : memory_unit));
}

/// What all schedulers are told in this cycle.
void smx_core::describe_cycle() {
    protocol::warp_status& status = cycle_.status;
    status.resident = all_resident();
    status.ready = states_.ready();
    status.memory = states_.in(ready_for(unit_class::memory)) & ~uncounted_;
    status.long_latency = states_.in(warp_state::waits_for_memory);
    status.memory_done = memory_done_;
    status.started = started_;
    status.lost_locality = lost_locality_;
    status.cycle = edge_;
}

/// Scheduler `s` picks one of the `issuable` warps that are its own, which issues. True if one did.
bool smx_core::select(unsigned s, protocol::warp_mask issuable) {
    cycle_.scheduler = s;
    cycle_.status.issuable = issuable;
    cycle_.decision = {};
    auto phase = protocol::warp_phase::select;
    auto time = sc_core::SC_ZERO_TIME;
    selection_[s]->nb_transport_fw(cycle_, phase, time);
    if (!cycle_.decision.valid) return false;
    const unsigned warp = cycle_.decision.warp.value();
    if (warp >= warp_count_ || (issuable & own_[s] & bit(warp)) == 0) {
        report("scheduler " + std::to_string(s) + " issues warp " + std::to_string(warp) +
               ", which is not issuable or not its own");
        return false;
    }
    issue(warp);
    return true;
}

/// Why scheduler `s` issues nothing from this cycle on, until one of its warps is touched.
void smx_core::classify(unsigned s) {
    const protocol::warp_mask own = own_[s];
    touched_ &= ~own;
    const protocol::warp_mask ready = states_.ready() & own;
    cycle_cause cause = cycle_cause::no_warp;
    if (ready != 0) {
        cause = ready_cause(ready);
    } else if (const protocol::warp_mask memory = states_.in(warp_state::waits_for_memory)&own;
               memory != 0) {
        cause = (memory & ~fenced_) != 0 ? cycle_cause::memory : cycle_cause::fence;
    } else if ((states_.in(warp_state::waits_for_result)&own) != 0) {
        cause = cycle_cause::dependency;
    } else if ((states_.in(warp_state::waits_for_fetch)&own) != 0) {
        cause = cycle_cause::fetch;
    } else if ((states_.in(warp_state::waits_at_barrier)&own) != 0) {
        cause = cycle_cause::barrier;
    }
    account_.set(s, cause, edge_);
}

void smx_core::refresh_states() {
    for (protocol::warp_mask left = dirty_; left != 0; left &= left - 1) {
        const unsigned warp = first(left);
        const warp_state state = state_of(warp);
        states_.set(warp, state);
        if (classification_ != memory_classification::opcode) classify_head(warp);
        block_context& block = blocks_[warps_[warp].block];
        if (is_ready(state) && !block.started) {
            block.started = true;
            to_announce_ |= std::uint64_t{1} << warps_[warp].block;
        }
    }
    changed_ = true;
    touched_ |= dirty_;
    dirty_ = 0;
}

warp_state smx_core::state_of(unsigned warp) const {
    const warp_context& w = warps_[warp];
    if (w.group.lanes == 0) return warp_state::absent;
    if ((at_barrier_ & bit(warp)) != 0) return warp_state::waits_at_barrier;
    if ((fenced_ & bit(warp)) != 0) return warp_state::waits_for_memory;
    if (buffers_.empty(warp)) return warp_state::waits_for_fetch;
    const issue_info& info = table_[position(w)];
    if (!scoreboard_.blocked(warp, info.operands)) return ready_for(info.unit);
    return scoreboard_.waits_for_memory(warp, info.operands) ? warp_state::waits_for_memory
                                                             : warp_state::waits_for_result;
}

void smx_core::issue(unsigned warp) {
    warp_context& w = warps_[warp];
    const std::uint32_t at = position(w);
    const instruction& i = w.code[at];
    const issue_info& info = table_[at];
    execution_counts& counts = *blocks_[w.block].counts;
    ++counts.warp_instructions;
    counts.thread_instructions += static_cast<unsigned>(__builtin_popcountll(w.group.lanes));
    ++w.issued;
    w.last_issue = edge_;
    const issued_instruction issued{edge_, warp, w.issued, w.group.pc, w.group.lanes, &i};
    buffers_.take(warp);
    units_.take(info.unit, edge_, info.extra_read_cycles);
    dirty_ |= bit(warp);
    changed_ = true;
    execute(warp, i, info);
    if (observer_ != nullptr && !i.is_memory() && !faulted_) {
        observer_->executed(issued, *registers_);
    }
    update_fetchable(warp);
}

void smx_core::execute(unsigned warp, const instruction& i, const issue_info& info) {
    switch (i.cls) {
        case instruction_class::integer:
        case instruction_class::multiply:
        case instruction_class::divide:
        case instruction_class::floating:
        case instruction_class::floating_divide:
        case instruction_class::special:
        case instruction_class::exchange:
            compute(warp, i);
            break;
        case instruction_class::load:
        case instruction_class::store:
        case instruction_class::atomic:
            return access_memory(warp, i);
        case instruction_class::branch:
            branch(warp, i);
            break;
        case instruction_class::jump:
            jump(warp, i);
            break;
        case instruction_class::jump_register:
            jump_register(warp, i);
            break;
        case instruction_class::csr:
            access_csr(warp, i);
            break;
        case instruction_class::fence:
            fenced_ |= bit(warp);
            fence_check_ |= bit(warp);
            straight_on(warp);
            break;
        case instruction_class::simt_control:
            control(warp, i);
            break;
        default:
            refuse(warp, i, warps_[warp].group.lanes);
    }
    finish_later(warp, i, info);
}

/// The result may be used when it has been written back; barrel issue waits also where there is
/// none.
void smx_core::finish_later(unsigned warp, const instruction& i, const issue_info& info) {
    if (!i.writes_register() && !configuration_.barrel) return;
    if (warps_[warp].group.lanes == 0) return;  // it has ended
    scoreboard_.set(warp, i.rd);
    results_.add(
        edge_ + configuration_.operand_latency + info.extra_read_cycles + units_.latency(info.unit),
        warp, i.rd);
}

void smx_core::refuse(unsigned warp, const instruction& i, isa::lane_mask lanes) {
    fault(warp, first(lanes), simt::refusal_text(i, warps_[warp].group.pc, "the timed model"));
}

void smx_core::compute(unsigned warp, const instruction& i) {
    const warp_group& group = warps_[warp].group;
    const isa::lane_mask bad = registers_->compute(warp, i, group.pc, group.lanes);
    if (bad != 0) return refuse(warp, i, bad);
    straight_on(warp);
}

void smx_core::access_memory(unsigned warp, const instruction& i) {
    const warp_context& w = warps_[warp];
    const block_context& block = blocks_[w.block];
    ++block.counts->memory_instructions;
    memory_instruction& access = lsu_.next_slot();
    access.warp = warp_slot(warp);
    access.block = block_slot(w.block);
    access.launch = block.dispatch->launch;
    access.block_index = block.dispatch->block;
    access.private_region = block.dispatch->context.value() + w.index;
    access.shared_base = block.shared_base;
    access.shared_bytes = block.dispatch->kernel->shared_bytes;
    access.instruction = &i;
    access.lanes = w.group.lanes;
    access.number = w.issued;
    registers_->read_access(warp, i, access.address, access.data, access.compare);
    if (observer_ != nullptr) {
        observer_->accessed({edge_, warp, w.issued, w.group.pc, w.group.lanes, &i}, access);
    }
    if (i.writes_register() || configuration_.barrel) scoreboard_.set_memory(warp, i.rd);
    if (classification_ == memory_classification::last_window) {
        const std::uint32_t address = access.address[first(w.group.lanes)];
        off_global_[position(w)] =
            program::shared_window.contains(address) || program::private_window.contains(address);
    }
    if (!lsu_.accept()) return;
    lsu_takes_ = lsu_.can_accept();
    straight_on(warp);
}

void smx_core::access_csr(unsigned warp, const instruction& i) {
    const warp_context& w = warps_[warp];
    if (!isa::csr_legal(i)) return refuse(warp, i, w.group.lanes);
    registers_->access_csr(warp, i, w.group.lanes,
                           {blocks_[w.block].identity, w.index, edge_, w.issued});
    straight_on(warp);
}

/// The warp's group goes on at `pc`; where its formation waits for it, it decides what runs next.
void smx_core::go_to(unsigned warp, std::uint32_t pc) {
    warp_group& group = warps_[warp].group;
    group.pc = pc;
    if (pc == group.limit) group = formation_->advance(warp, pc);
}

void smx_core::straight_on(unsigned warp) {
    go_to(warp, warps_[warp].group.pc + 4);
}

/// The path of the warp is known from now on, to the front end after the branch latency.
void smx_core::resolve_path(unsigned warp) {
    frontend_.add(edge_ + configuration_.branch_latency, warp, path_known);
}

simt::control_site smx_core::control_site(unsigned warp) const {
    const warp_context& w = warps_[warp];
    const block_context& block = blocks_[w.block];
    return {block.kernel->code, w.group.pc, w.group.lanes, *block.counts};
}

void smx_core::branch(unsigned warp, const instruction& i) {
    const isa::lane_mask taken = registers_->branch_taken(warp, i, warps_[warp].group.lanes);
    follow(warp, simt::branch(control_site(warp), i, taken));
}

void smx_core::jump(unsigned warp, const instruction& i) {
    const simt::transfer to = simt::jump(control_site(warp), i);
    write_link(warp, i);
    follow(warp, to);
}

void smx_core::jump_register(unsigned warp, const instruction& i) {
    alignas(64) std::uint32_t targets[protocol::maximum_lanes];
    registers_->jump_targets(warp, i, targets);
    const simt::transfer to = simt::jump_register(control_site(warp), i, targets);
    write_link(warp, i);
    follow(warp, to);
}

void smx_core::write_link(unsigned warp, const instruction& i) {
    const warp_group& group = warps_[warp].group;
    (void)registers_->compute(warp, i, group.pc, group.lanes);
}

/// The warp goes on where a control-flow instruction sends its group.
void smx_core::follow(unsigned warp, const simt::transfer& to) {
    warp_context& w = warps_[warp];
    const simt::lane_group& group = to.groups[0];
    resolve_path(warp);
    if (to.what == simt::transfer::kind::together) return go_to(warp, group.pc);
    if (to.what == simt::transfer::kind::refused) {
        return fault(warp, first(group.lanes),
                     simt::bad_target_text(blocks_[w.block].kernel->code, group.pc));
    }
    w.group = formation_->follow(warp, to);
}

void smx_core::control(unsigned warp, const instruction& i) {
    switch (i.op) {
        case isa::opcode::exit:
            return end_lanes(warp);
        case isa::opcode::barrier:
            return arrive(warp);
        // The stack brings the lanes of a lock loop together here by itself.
        case isa::opcode::warp_join:
            return straight_on(warp);
        default:
            refuse(warp, i, warps_[warp].group.lanes);
    }
}

void smx_core::arrive(unsigned warp) {
    const warp_context& w = warps_[warp];
    block_context& block = blocks_[w.block];
    if (!block.threads.arrive(w.group.lanes, w.live, *block.counts)) {
        return fault(
            warp, first(w.group.lanes),
            simt::divergent_barrier_text(block.identity, w.index, lanes_, w.group.lanes, w.live));
    }
    block.at_barrier |= bit(warp);
    at_barrier_ |= bit(warp);
    barriers_ |= std::uint64_t{1} << w.block;
    straight_on(warp);
}

void smx_core::end_lanes(unsigned warp) {
    warp_context& w = warps_[warp];
    block_context& block = blocks_[w.block];
    block.threads.end(w.group.lanes, w.live);
    barriers_ |= std::uint64_t{1} << w.block;
    w.group = formation_->exit(warp, w.group.lanes);
    if (w.group.lanes != 0) return resolve_path(warp);
    count_resident(-1);
    ended_ |= bit(warp);
    if (--block.running_warps == 0) ending_ |= std::uint64_t{1} << w.block;
}

}  // namespace heddle
