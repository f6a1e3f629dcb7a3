// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/block_life/block_life.h"

#include <algorithm>

#include "hw/base/crew.h"
#include "hw/base/report_error.h"
#include "models/base/bits.h"

namespace heddle {

using isa::instruction_class;

namespace {

constexpr const char* protocol_error = "heddle/smx/block_link";

}  // namespace

block_life::block_life(const life_environment& environment)
    : environment_(environment),
      blocks_(environment.parts.blocks),
      front_(environment.front),
      actions_(environment.parts, environment.front),
      dispatches_(environment.owner, 2) {}

void block_life::allow_leaving(device_runtime& areas, movable_warps& warps) {
    mover_.emplace(block_mover::parts{
        environment_.parts, environment_.port, areas, environment_.line_bytes,
        block_image({environment_.parts, environment_.shared, warps, mechanisms_})});
}

void block_life::allow_preemption(movable_warps& warps) {
    preempted_ = std::make_unique<preempted_blocks>(environment_.owner, blocks_, actions_, warps);
    add(*preempted_);
}

void block_life::add(life_mechanism& mechanism) {
    mechanisms_.push_back(&mechanism);
    needed_for_.push_back(std::nullopt);
    asked_.push_back(&mechanism);
}

void block_life::add(life_mechanism& mechanism, instruction_class needed_for) {
    mechanisms_.push_back(&mechanism);
    needed_for_.push_back(needed_for);
}

void block_life::use_programs(std::size_t kernels) {
    blocks_.count_kernels(kernels);
    asked_.clear();
    for (std::size_t m = 0; m < mechanisms_.size(); ++m) {
        if (!needed_for_[m] || environment_.table.has(*needed_for_[m])) {
            asked_.push_back(mechanisms_[m]);
        }
    }
}

tlm::tlm_sync_enum block_life::dispatch(protocol::block_dispatch& payload,
                                        protocol::block_phase& phase) {
    if (phase != protocol::block_phase::dispatch) {
        report_error(protocol_error, "an SMX takes no phase but dispatch");
    } else if (!dispatches_.push(pool_ptr<protocol::block_dispatch>(&payload))) {
        report_error(protocol_error, "a block is dispatched before the last one has started");
    }
    return tlm::TLM_ACCEPTED;
}

bool block_life::run(std::uint64_t edge) {
    edge_ = edge;
    changed_ = false;
    bool busy = false;
    for (life_mechanism* const mechanism : asked_) {
        if (!mechanism->busy()) continue;
        busy = true;
        changed_ |= mechanism->cycle(edge);
    }
    if (blocks_.has_news() || !dispatches_.empty()) {
        announce();
        if (const auto released = blocks_.release_barriers(); released != 0) {
            front_.complete_barriers(released);
        }
        tell_calls();
        end_blocks();
        if (dispatches_.ready() != nullptr) {
            crew::in_order();  // likewise
            start(dispatches_.pop());
        }
    }
    if (mover_ && (busy || moving())) move_blocks();
    return actions_.take_changed() || changed_;
}

void block_life::send(protocol::block_dispatch& block, protocol::block_phase phase) {
    changed_ = true;
    crew::in_order();
    auto time = sc_core::SC_ZERO_TIME;
    (void)environment_.link->nb_transport_bw(block, phase, time);
}

void block_life::announce() {
    bits::for_each(blocks_.take_announced(), [&](unsigned slot) {
        send(*blocks_.block(slot).dispatch, protocol::block_phase::started);
    });
}

/// The next cycle sends what may go.
void block_life::tell_calls() {
    const std::uint64_t calls = blocks_.take_calls();
    if (calls == 0) return;
    changed_ = true;
    for (life_mechanism* const mechanism : asked_) mechanism->called(calls);
}

void block_life::end_blocks() {
    bits::for_each(blocks_.slots_in(block_state::draining), [&](unsigned slot) {
        if (!actions_.drained(slot)) return;
        if (execution_observer* const observer = environment_.parts.observer.get()) {
            observer->block_ended(edge_, *blocks_.block(slot).dispatch);
        }
        gone(slot);
        crew::in_order();  // SMXs share what a block refers to
        send(*blocks_.end(slot, edge_), protocol::block_phase::done);
    });
}

/// The block is about to free its slot.
void block_life::gone(unsigned slot) {
    const block_table::block_context& block = blocks_.block(slot);
    environment_.parts.lsu.maintenance().discard_private(block.dispatch->context.value(),
                                                         bits::count(block.warps));
    for (life_mechanism* const mechanism : mechanisms_) mechanism->gone(slot);
}

// Starts

void block_life::start(pool_ptr<protocol::block_dispatch> dispatch) {
    changed_ = true;
    const execution_parts& parts = environment_.parts;
    const unsigned slot = dispatch->slot.value();
    if (!blocks_.start(std::move(dispatch), edge_)) return;
    const block_table::block_context& block = blocks_.block(slot);
    const protocol::kernel_launch& launch = *block.dispatch->kernel;
    if (block.dispatch->invalidate_l1) parts.lsu.maintenance().begin_launch();
    environment_.shared.clear(block.shared_base, launch.per_block.shared_bytes);
    bits::for_each(block.warps, [&](unsigned warp) {
        parts.registers.start(warp, launch.parameter_address, environment_.private_bytes);
        if (!block.dispatch->resumed) set_state(warp, block.dispatch->origin);
        parts.lsu.maintenance().forget_victims(warp_slot(warp));
    });
    if (!block.dispatch->resumed) return start_warps(block);
    if (!mover_) {
        return blocks_.faults().model_error(
            "a block that comes back was dispatched to an SMX that blocks do not leave");
    }
    blocks_.can_issue(slot);  // the next block need not wait until the state of this one has come
    blocks_.enter(slot, block_state::coming);
    mover_->come_back(slot);
}

/// What the threads of a forked block know of those of the block that forked it.
void block_life::set_state(unsigned warp, const newcomer& from) {
    if (from.pc == 0) return;
    const unsigned lanes = environment_.parts.warp_size;
    const auto slot = static_cast<std::uint16_t>(warp);
    const thread_group all{bits::below(lanes), from.pc, blocks_.warp(warp).block, slot};
    alignas(64) std::uint32_t row[protocol::maximum_lanes];
    for (unsigned i = 0; i < newcomer::words; ++i) {
        std::fill_n(row, lanes, from.state[i]);
        environment_.parts.registers.write(all, newcomer::first_register + i, row, all.lanes);
    }
}

void block_life::start_warps(const block_table::block_context& block) {
    const std::uint32_t forked = block.dispatch->origin.pc;
    const std::uint32_t pc = forked != 0 ? forked : block.dispatch->kernel->entry_pc;
    bits::for_each(block.warps, [&](unsigned warp) {
        front_.start(warp, pc, blocks_.warp(warp).live, block.kernel->code);
    });
    if (execution_observer* const observer = environment_.parts.observer.get()) {
        observer->block_started(edge_, *block.dispatch, block.warps);
    }
}

// Blocks that leave before their end, and come back

void block_life::move_blocks() {
    std::uint64_t leaving = 0;
    for (life_mechanism* const mechanism : asked_) leaving |= mechanism->to_leave(changed_);
    const std::uint64_t here =
        blocks_.slots_in(block_state::running) | blocks_.slots_in(block_state::must_leave);
    bits::for_each(leaving & here, [&](unsigned slot) { try_to_leave(slot); });
    changed_ |= mover_->cycle();
    const auto moved = mover_->take_moved();
    if (!moved) return;
    if (moved->left) {
        left(*moved);
    } else {
        returned(*moved);
    }
}

/// A block leaves when each of its live warps waits for a mechanism or at the block's barrier, and
/// nothing of it is under way. Of several reasons the first in block_outcome counts: only the KMU
/// knows on every SMX whether the children of a block have ended, so a block that has some is
/// suspended, also if it was told to make room.
void block_life::try_to_leave(unsigned slot) {
    if (!actions_.drained(slot))
        return;  // memory gets what it has written, and its warps do not rest
    if (!may_leave(slot)) return;
    static_assert(protocol::block_outcome::suspended < protocol::block_outcome::preempted);
    std::optional<protocol::block_outcome> why;
    for (const life_mechanism* const mechanism : asked_) {
        const auto reason = mechanism->reason(slot);
        if (reason && (!why || *reason < *why)) why = reason;
    }
    if (!mover_->leave(slot, why.value_or(protocol::block_outcome::suspended), edge_)) {
        for (life_mechanism* const mechanism : asked_) changed_ |= mechanism->stays(slot);
        return;
    }
    changed_ = true;
    blocks_.enter(slot, block_state::leaving);
    for (life_mechanism* const mechanism : asked_) mechanism->leaves(slot, edge_);
}

bool block_life::may_leave(unsigned slot) const {
    protocol::warp_mask waiting = front_.movable()->at_barrier();
    for (const life_mechanism* const mechanism : asked_) waiting |= mechanism->waiting();
    for (protocol::warp_mask left = blocks_.block(slot).warps; left != 0; left &= left - 1) {
        const unsigned warp = bits::first(left);
        if (blocks_.warp(warp).live != 0 && !bits::test(waiting, warp)) return false;
        if (!front_.movable()->rests(warp)) return false;
    }
    return true;
}

void block_life::left(const block_mover::moved_block& moved) {
    const block_table::block_context& block = blocks_.block(moved.slot);
    if (execution_observer* const observer = environment_.parts.observer.get()) {
        observer->block_suspended(edge_, *block.dispatch);
    }
    bits::for_each(block.warps, [&](unsigned warp) { front_.movable()->leave(warp); });
    gone(moved.slot);
    const pool_ptr<protocol::block_dispatch> dispatch = blocks_.leave(moved.slot, moved.why, edge_);
    dispatch->saved = moved.saved;
    send(*dispatch, protocol::block_phase::done);
}

void block_life::returned(const block_mover::moved_block& moved) {
    changed_ = true;
    blocks_.enter(moved.slot, block_state::running);
    const std::vector<isa::lane_mask> live = mover_->restore(moved, edge_);
    for (life_mechanism* const mechanism : asked_) mechanism->returned(moved.slot);
    if (execution_observer* const observer = environment_.parts.observer.get()) {
        const block_table::block_context& block = blocks_.block(moved.slot);
        observer->block_resumed(edge_, *block.dispatch, block.warps, live);
    }
}

}  // namespace heddle
