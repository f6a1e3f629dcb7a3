// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/cooperation/cooperation_unit.h"

#include <algorithm>

#include "hw/base/report_error.h"
#include "models/simt/fault_text.h"

namespace heddle {

using isa::opcode;
using kind = execution_outcome::kind;
using protocol::cooperation_phase;
using protocol::cooperation_request;

cooperation_unit::cooperation_unit(const cooperation_environment& environment)
    : environment_(environment),
      calls_(environment.owner.part_name() + ".cooperation_calls"),
      answers_(environment.owner, environment.parts.blocks.block_slots()) {}

execution_outcome cooperation_unit::execute(const issued_group& issued) {
    const execution_parts& parts = environment_.parts;
    const thread_group& group = issued.threads;
    const block_table::block_context& block = parts.blocks.block(group.block);
    const opcode op = issued.instruction.op;
    if (!block.dispatch->kernel->cooperative) return parts.refuse(issued, group.lanes);
    if (op == opcode::get_num_groups) {
        alignas(64) std::uint32_t groups[protocol::maximum_lanes];
        std::fill_n(groups, parts.warp_size, block.dispatch->groups);
        parts.registers.write(group, issued.instruction.rd, groups, group.lanes);
        return execution_outcome(kind::straight_on);
    }
    if (simt::forks(op)) note_start(issued);
    if (const auto divergent = parts.blocks.arrive(group, op)) {
        return parts.fault(issued, bits::first(group.lanes), *divergent);
    }
    return execution_outcome(kind::waits_at_barrier);
}

/// Where new blocks start is what thread 0 says.
void cooperation_unit::note_start(const issued_group& issued) {
    const thread_group& group = issued.threads;
    for_each_home(group, group.lanes, environment_.parts.warp_size,
                  [&](unsigned warp, isa::lane_mask lanes) {
                      if (environment_.parts.blocks.warp(warp).index != 0 || (lanes & 1) == 0) {
                          return;
                      }
                      environment_.parts.blocks.note_start(group.block, issued.instruction.rs1);
                  });
}

bool cooperation_unit::waits_for_accesses(unsigned slot) const {
    return environment_.parts.blocks.block(slot).call != opcode::offer_kill;
}

newcomer cooperation_unit::origin_of(unsigned slot) const {
    const block_table& blocks = environment_.parts.blocks;
    const unsigned warp = bits::first(blocks.block(slot).warps);
    const register_file& registers = environment_.parts.registers;
    newcomer origin;
    origin.pc = registers.value(warp, blocks.block(slot).start_register, 0);
    for (unsigned i = 0; i < newcomer::words; ++i) {
        origin.state[i] = registers.value(warp, newcomer::first_register + i, 0);
    }
    return origin;
}

void cooperation_unit::called(std::uint64_t slots) {
    bits::for_each(slots, [&](unsigned slot) {
        block_table& blocks = environment_.parts.blocks;
        const block_table::block_context& block = blocks.block(slot);
        if (!simt::forks(block.call)) return;
        const unsigned warp = bits::first(block.warps);
        if ((blocks.warp(warp).live & 1) == 0) {
            return blocks.fault(warp, 0, block.call_pc, simt::no_origin_text(block.call));
        }
        const std::uint32_t start = origin_of(slot).pc;
        if (!block.kernel->code.contains(start)) {
            return blocks.fault(warp, 0, block.call_pc,
                                simt::bad_target_text(block.kernel->code, start));
        }
    });
}

bool cooperation_unit::cycle(std::uint64_t edge) {
    edge_ = edge;
    changed_ = false;
    send_calls();
    while (answers_.ready() != nullptr) take(*answers_.pop());
    end_dying();
    return changed_;
}

void cooperation_unit::send_calls() {
    bits::for_each(slots_in(block_state::at_call), [&](unsigned slot) {
        if (waits_for_accesses(slot) && !environment_.actions.drained(slot)) return;
        request(slot, request_of(slot));
    });
}

void cooperation_unit::take(const protocol::cooperation_call& answer) {
    changed_ = true;
    const execution_parts& parts = environment_.parts;
    const unsigned slot = answer.slot.value();
    const block_table::block_context& block = parts.blocks.block(slot);
    if (answer.answer == protocol::cooperation_answer::refused) {
        return parts.blocks.fault(bits::first(block.warps), 0, block.call_pc,
                                  simt::mixed_barriers_text(block.kernel->name));
    }
    if (answer.answer == protocol::cooperation_answer::leave) {
        parts.blocks.enter(slot, block_state::must_leave);
        // Unless the block knows already that it is to leave: it asks until it does.
        if (!environment_.actions.told_to_leave(slot)) (void)stays(slot);
        return;
    }
    const bool ends = answer.answer == protocol::cooperation_answer::die;
    if (block.call != opcode::offer_kill && block.call != opcode::request_fork) {
        parts.lsu.maintenance().invalidate_global();
    }
    if (execution_observer* const observer = parts.observer.get()) {
        observer->cooperated(edge_, *block.dispatch, answer.groups, ends);
    }
    parts.blocks.enter(slot, ends ? block_state::dying : block_state::running);
    if (!ends) environment_.actions.release_call(slot, answer.groups);
}

void cooperation_unit::end_dying() {
    bits::for_each(slots_in(block_state::dying), [&](unsigned slot) {
        if (environment_.actions.rests(slot)) environment_.actions.kill(slot, edge_);
    });
}

// Blocks that leave at a call, and come back

/// Asks for the answer to the call of a block that was told to leave, and is here.
bool cooperation_unit::stays(unsigned slot) {
    if (environment_.parts.blocks.state(slot) != block_state::must_leave) return false;
    request(slot, cooperation_request::come_back);
    return true;
}

void cooperation_unit::save(unsigned slot, std::vector<std::uint32_t>& words) const {
    const block_table& blocks = environment_.parts.blocks;
    if (!blocks.block(slot).dispatch->kernel->cooperative) return;
    const block_table::kept_call kept = blocks.call_of(slot);
    const bool called = blocks.state(slot) == block_state::must_leave;
    words.insert(words.end(), {static_cast<std::uint32_t>(kept.call), kept.pc, called ? 1U : 0U,
                               kept.start_register, kept.groups});
}

const std::uint32_t* cooperation_unit::restore(unsigned slot, const std::uint32_t* words) {
    block_table& blocks = environment_.parts.blocks;
    if (!blocks.block(slot).dispatch->kernel->cooperative) return words;
    blocks.restore(slot, block_table::kept_call{static_cast<opcode>(words[0]), words[1],
                                                static_cast<std::uint8_t>(words[3]), words[4]});
    if (words[2] != 0) blocks.enter(slot, block_state::must_leave);  // and returned() asks again
    return words + 5;
}

cooperation_request cooperation_unit::request_of(unsigned slot) const {
    switch (environment_.parts.blocks.block(slot).call) {
        case opcode::offer_kill:
            return cooperation_request::offer_kill;
        case opcode::request_fork:
            return cooperation_request::request_fork;
        case opcode::resizing_global_barrier:
            return cooperation_request::arrive_resizing;
        default:
            return cooperation_request::arrive;
    }
}

void cooperation_unit::request(unsigned slot, cooperation_request what) {
    const block_table::block_context& block = environment_.parts.blocks.block(slot);
    const call_ptr call = calls_.make();
    call->launch = block.dispatch->launch;
    call->block = block.dispatch->block;
    call->sm = environment_.sm;
    call->slot = block_slot(slot);
    call->request = what;
    const bool asks_again = what == cooperation_request::come_back;
    if (!asks_again && simt::forks(block.call)) call->origin = origin_of(slot);
    environment_.parts.blocks.enter(slot, block_state::call_sent);
    cooperation_phase phase = cooperation_phase::request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (void)environment_.link->nb_transport_fw(*call, phase, delay);
}

tlm::tlm_sync_enum cooperation_unit::answer(protocol::cooperation_call& call,
                                            cooperation_phase phase) {
    if (phase != cooperation_phase::answer ||
        !answers_.push(call_ptr(&call), environment_.latency)) {
        report_error("heddle/smx/cooperation",
                     environment_.owner.part_name() +
                         ": answer of the SMX scheduler; legal: one for each call");
    }
    return tlm::TLM_COMPLETED;
}

std::string cooperation_unit::waiting_for() const {
    const unsigned calls =
        bits::count(slots_in(block_state::at_call) | slots_in(block_state::call_sent));
    return calls == 0 ? std::string() : std::to_string(calls) + " calls of cooperative blocks";
}

}  // namespace heddle
