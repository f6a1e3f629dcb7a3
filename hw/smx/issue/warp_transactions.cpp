// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/warp_transactions.h"

#include <algorithm>

#include "models/simt/fault_text.h"

namespace heddle {

using kind = execution_outcome::kind;

warp_transactions::warp_transactions(const parts& of) : parts_(of), engine_(of.unit.engine()) {}

void warp_transactions::tell(unsigned warp, transaction_event what, isa::lane_mask lanes) const {
    execution_observer* const observer = parts_.execution.observer.get();
    if (observer == nullptr || lanes == 0) return;
    observer->transaction(edge_, warp, what, lanes, parts_.execution.registers);
}

void warp_transactions::set_phase(unsigned warp, phase next) {
    parts_.unit.account().set(warp, next, edge_);
}

// Issue

execution_outcome warp_transactions::execute(const issued_group& issued) {
    return issued.instruction.op == isa::opcode::tx_begin ? begin(issued) : commit(issued);
}

execution_outcome warp_transactions::begin(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const unsigned warp = group.home;
    const protocol::warp_mask self = bits::one(warp);
    due_[warp] = edge_ + 1;
    if ((retries_ & self) != 0) {
        retries_ &= ~self;
    } else {
        const block_table& blocks = parts_.execution.blocks;
        const auto threads =
            static_cast<std::uint32_t>(blocks.block(group.block).dispatch->kernel->block.count());
        if (parts_.execution.in_transaction(group)) {
            return parts_.execution.fault(issued, bits::first(group.lanes),
                                          simt::in_transaction_text(issued.instruction, group.pc));
        }
        if (threads > transaction_configuration::maximum_items) {
            return parts_.execution.fault(issued, bits::first(group.lanes),
                                          simt::transaction_size_text(threads));
        }
        parts_.groups.mark(warp, group.pc);
        engine_.begin(warp, group.block, blocks.warp(warp).index * parts_.execution.warp_size,
                      group.lanes);
        first_ |= self;
        due_[warp] += parts_.unit.configuration().checkpoint_cycles;
    }
    beginning_ |= self;
    set_phase(warp, phase::begin);
    if (execution_observer* const observer = parts_.execution.observer.get(); observer != nullptr) {
        observer->executed({edge_, warp, issued.number, group.pc, group.lanes, &issued.instruction},
                           parts_.execution.registers);
    }
    return execution_outcome(kind::waits_for_unit, wait_reason::transaction);
}

execution_outcome warp_transactions::commit(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const unsigned warp = group.home;
    const bool inside = parts_.execution.in_transaction(group);
    if (!inside || !parts_.groups.at_mark(warp) || group.lanes != engine_.active(warp)) {
        return parts_.execution.fault(issued, bits::first(group.lanes),
                                      simt::no_commit_text(inside));
    }
    committing_ |= bits::one(warp);
    set_phase(warp, phase::commit);
    return execution_outcome(kind::waits_in_place, wait_reason::transaction);
}

// Losses

void warp_transactions::lost(unsigned warp, isa::lane_mask lanes) {
    tell(warp, transaction_event::lost, lanes);
    (void)parts_.groups.leave(warp, lanes);
    warp_group& group = parts_.paths.group(warp);
    group.lanes &= ~lanes;
    parts_.moves.touch(warp);
    if (group.lanes != 0 || bits::test(committing_ | stranded_, warp)) return;
    stranded_ |= bits::one(warp);
    parts_.waits.begin(wait_reason::transaction, warp);
    parts_.fetch.hold(warp);
}

// What waits

bool warp_transactions::drained(unsigned warp) const {
    return parts_.execution.lsu.outstanding_instructions(access_owner(warp)) == 0 &&
           parts_.moves.rests(warp);
}

bool warp_transactions::advance() {
    bool changed = false;
    // Attempts end before others begin: a warp that has been alone lets the others go on at once.
    bits::for_each(committing_, [&](unsigned warp) { changed |= try_end(warp); });
    bits::for_each(stranded_, [&](unsigned warp) { changed |= try_turn(warp); });
    bits::for_each(beginning_, [&](unsigned warp) { changed |= try_begin(warp); });
    return changed;
}

bool warp_transactions::try_begin(unsigned warp) {
    const protocol::warp_mask self = bits::one(warp);
    if (edge_ < due_[warp] || !engine_.may_run(warp)) return false;
    if ((first_ & self) != 0) {
        if (!drained(warp)) return false;
        parts_.execution.registers.save(warp);
        first_ &= ~self;
    }
    beginning_ &= ~self;
    engine_.run(warp);
    set_phase(warp, phase::code);
    tell(warp, transaction_event::began, engine_.active(warp));
    parts_.waits.end(wait_reason::transaction, bits::one(warp));
    return true;
}

/// The attempt of a warp ends, if nothing of it is under way; then its losers' private memory gets
/// its old values, which may take several calls.
bool warp_transactions::try_end(unsigned warp) {
    const protocol::warp_mask self = bits::one(warp);
    if ((undoing_ & self) == 0) {
        if (!drained(warp) || !parts_.fetch.may_redirect(warp)) return false;
        const isa::lane_mask commits = engine_.active(warp);
        tell(warp, transaction_event::committed, commits);
        const tm_engine::attempt_end end = engine_.end_attempt(warp);
        for (const transaction_lanes& each : end.losers) lost(each.warp, each.lanes);
        if (end.over) {
            committing_ &= ~self;
            release(warp);
            return true;
        }
        undoing_ |= self;
    }
    if (!undo_private(warp)) return true;
    undoing_ &= ~self;
    committing_ &= ~self;
    stranded_ &= ~self;
    restart(warp);
    return true;
}

/// The private memory of the losers becomes what it was, newest store first, as far as the
/// load-store unit has room. True: all of it is.
bool warp_transactions::undo_private(unsigned warp) {
    load_store_unit& lsu = parts_.execution.lsu;
    const block_table& blocks = parts_.execution.blocks;
    while (engine_.undo().restores(warp)) {
        if (!lsu.can_accept()) return false;
        old_words words;
        if (!engine_.undo().next_restored(warp, words)) continue;
        const unsigned slot = blocks.warp(warp).block;
        const protocol::block_dispatch& block = *blocks.block(slot).dispatch;
        lsu.restore({block.launch, block_slot(slot), block.block}, access_owner(warp),
                    warp_slot(warp), words);
    }
    return true;
}

/// No lane is left where the warp is: others run elsewhere, or the attempt is over.
bool warp_transactions::try_turn(unsigned warp) {
    if (engine_.active(warp) == 0 || bits::test(undoing_, warp)) return try_end(warp);
    if (!parts_.fetch.may_redirect(warp)) return false;
    stranded_ &= ~bits::one(warp);
    go(warp, parts_.groups.leave(warp, 0));
    return true;
}

void warp_transactions::restart(unsigned warp) {
    const isa::lane_mask lanes = engine_.active(warp);
    parts_.execution.registers.restore(warp, lanes);
    retries_ |= bits::one(warp);
    set_phase(warp, phase::code);
    tell(warp, transaction_event::restarted, lanes);
    go(warp, parts_.groups.rewind(warp, lanes));
}

void warp_transactions::release(unsigned warp) {
    set_phase(warp, phase::outside);
    go(warp, parts_.groups.release(warp, parts_.paths.group(warp).pc + 4));
}

void warp_transactions::go(unsigned warp, const warp_group& to) {
    parts_.paths.group(warp) = to;
    parts_.fetch.redirect(warp, edge_);
    parts_.waits.end(wait_reason::transaction, bits::one(warp));
}

std::uint64_t warp_transactions::next_due(std::uint64_t edge) const noexcept {
    std::uint64_t due = ~std::uint64_t{0};
    bits::for_each(beginning_, [&](unsigned warp) {
        if (due_[warp] > edge) due = std::min(due, due_[warp]);
    });
    return due;
}

std::string warp_transactions::waiting_text(unsigned warp) const {
    if (!bits::test(engine_.inside(), warp)) return {};
    const char* doing = "runs ";
    if (bits::test(beginning_, warp)) doing = "waits at tx.begin ";
    if (bits::test(committing_, warp)) doing = "waits at tx.commit ";
    if (bits::test(stranded_, warp)) doing = "has lost and waits to start again ";
    return doing + engine_.waiting_text(warp);
}

}  // namespace heddle
