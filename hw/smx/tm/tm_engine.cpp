// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/tm_engine.h"

#include <algorithm>
#include <utility>

#include "hw/smx/shared_memory/shared_banks.h"
#include "hw/smx/tm/lane_loop.h"

namespace heddle {

using protocol::bank_command;
using protocol::local_command;
using protocol::shared_access;

tm_engine::tm_engine(const tm_setting& setting, tm_banks& banks)
    : setting_(setting),
      pass_cycles_(setting.configuration.pass_cycles +
                   (setting.configuration.detection.directory ? setting.directory_cycles : 0)),
      layout_{setting.lanes, setting.banks, setting.window},
      banks_(banks),
      choice_(setting.configuration.serialization),
      undo_(banks, setting.contexts, setting.configuration.private_log),
      warps_(setting.contexts),
      blocks_(setting.block_slots),
      writes_(setting.configuration.detection.write_signatures ? setting.block_slots : 0,
              write_signatures(setting.configuration.hashes, setting.lanes)),
      inside_(setting.contexts) {}

void tm_engine::begin(unsigned warp, unsigned block, unsigned first_item, isa::lane_mask lanes) {
    warp_context& of = warps_[warp];
    of = {};
    of.masks.begin(lanes);
    of.block = block;
    of.first_item = first_item;
    inside_.insert(warp);
}

bool tm_engine::may_run(unsigned warp) const noexcept {
    const unsigned holder = blocks_[warps_[warp].block].holder;
    return holder == no_warp || holder == warp;
}

void tm_engine::run(unsigned warp) {
    warp_context& of = warps_[warp];
    of.running = of.live = true;
    ++blocks_[of.block].live;
    if (!writes_.empty()) writes_[of.block].enter(of.first_item);
    switch (of.masks.mode()) {
        case transaction_mode::tx:
            ++counts_.tx_attempts;
            break;
        case transaction_mode::wf_serial:
            ++counts_.wf_attempts;
            break;
        case transaction_mode::wg_serial:
            ++counts_.wg_attempts;
            break;
    }
}

// Accesses

tm_engine::access_cost tm_engine::access(shared_access& access) {
    ++counts_.accesses;
    const warp_context& of = warps_[access.transaction];
    const isa::lane_mask running = of.running ? of.masks.active() : 0;
    // Lanes that have lost since the instruction issued do nothing.
    access.lost = access.lanes & ~running;
    const bool store = access.command == local_command::store;
    // A write conflicts with all that know the word.
    const bool filtered = !store && !writes_.empty() && !writes_[access.block.value()].none();
    bank_passes passes(access, access.lanes & running,
                       store ? bank_command::store : bank_command::load, of.first_item, layout_,
                       check_, filtered ? &writes_[access.block.value()] : nullptr);
    unsigned cycles = std::exchange(owed_cycles_, 0);
    while (!passes.done()) cycles += pass(passes, access);
    unsigned turns = access.lost == 0 ? passes.plain_turns() : 0;
    if (turns == 0) turns = bank_cycles(access, setting_.banks);
    return {std::max(cycles, 1U), passes.passes(), turns};
}

unsigned tm_engine::pass(bank_passes& passes, shared_access& access) {
    banks_.check(passes);
    ++counts_.passes;
    if (access.command == local_command::store) enter_writes(access, passes.winners());
    const isa::lane_mask losers = passes.losers();
    if (losers == 0) return pass_cycles_;
    access.lost |= losers;
    access.losers |= losers;
    access.lost_to_lower |= passes.to_lower();
    access.lost_to_higher |= passes.to_higher();
    blocks_[access.block.value()].last_loss = passes.last_loss();
    const unsigned warp = access.transaction;
    warps_[warp].masks.lose(losers, choice_.rejected(passes.to_lower(), passes.to_higher()));
    return pass_cycles_ + lose(lanes_of(warp, losers));
}

void tm_engine::enter_writes(const shared_access& access, isa::lane_mask lanes) {
    if (writes_.empty()) return;
    const std::uint32_t base = access.block.value() * setting_.window;
    const bool second = setting_.configuration.hashes > 1;
    std::uint32_t set = 0;
    for_all_lanes(lanes, [&](unsigned lane, std::uint32_t in) {
        set |= in & signature_of_word((access.address[lane] - base) / 4, second);
    });
    writes_[access.block.value()].insert(warps_[access.transaction].first_item, set);
}

void tm_engine::watch(shared_access& access) {
    if (blocks_[access.block.value()].live == 0) return;
    bank_passes passes(access, access.lanes, bank_command::plain, 0, layout_, check_, nullptr);
    while (!passes.done()) banks_.check(passes);
    counts_.plain_conflicts += passes.owned() ? 1 : 0;
}

// Losses and ends

transaction_lanes tm_engine::lanes_of(unsigned warp, isa::lane_mask lanes) const noexcept {
    return {warp, warps_[warp].block, warps_[warp].first_item, lanes};
}

/// Lanes of a warp, which its masks know to have lost, lose their words. Returns the cycles.
std::uint32_t tm_engine::lose(const transaction_lanes& losers) {
    const undo_log::undone undone = undo_.lose(losers);
    counts_.losses += bits::count(losers.lanes);
    counts_.restored_words += undone.words;
    if (warps_[losers.warp].masks.active() == 0) settle(losers.warp);
    return undone.cycles;
}

/// No lane of the warp runs an attempt any more.
void tm_engine::settle(unsigned warp) {
    warp_context& of = warps_[warp];
    if (!of.live) return;
    of.live = false;
    if (!writes_.empty()) writes_[of.block].leave(of.first_item);
    if (--blocks_[of.block].live == 0) undo_.settle(of.block);
}

tm_engine::attempt_end tm_engine::end_attempt(unsigned warp) {
    warp_context& of = warps_[warp];
    losers_.clear();
    of.running = false;
    const isa::lane_mask commits = of.masks.active();
    if (commits != 0) {
        counts_.commits += bits::count(commits);
        undo_.commit(lanes_of(warp, commits));
    }
    settle(warp);
    const bool over = !next_attempt(warp);
    if (over) {
        block_context& block = blocks_[of.block];
        if (block.holder == warp) block.holder = no_warp;
        inside_.erase(warp);
        undo_.end_transaction(warp);
    } else {
        undo_.end_attempt(warp, commits);
    }
    return {over, losers_};
}

/// Who of the warp runs again, and how. False: all have committed.
bool tm_engine::next_attempt(unsigned warp) {
    warp_context& of = warps_[warp];
    if (of.aborted) {
        of.aborted = false;
        of.masks.restart();
        return true;
    }
    switch (of.masks.end_attempt(choice_)) {
        case transaction_masks::verdict::again:
            return true;
        case transaction_masks::verdict::alone:
            be_alone(warp);
            return true;
        case transaction_masks::verdict::done:
            break;
    }
    return false;
}

/// A warp wants to be alone in its block. If another one is, it waits like all others.
void tm_engine::be_alone(unsigned warp) {
    warp_context& of = warps_[warp];
    block_context& block = blocks_[of.block];
    if (block.holder != no_warp) {
        of.masks.abort();
        of.masks.restart();
        return;
    }
    block.holder = warp;
    of.masks.be_alone();
    inside_.for_each([&](unsigned each) {
        warp_context& other = warps_[each];
        if (each == warp || other.block != of.block || !other.running) return;
        const isa::lane_mask lanes = other.masks.active();
        other.masks.abort();
        other.aborted = true;
        counts_.aborts += bits::count(lanes);
        if (lanes == 0) return;
        losers_.push_back(lanes_of(each, lanes));
        owed_cycles_ += lose(losers_.back());
    });
}

std::string tm_engine::waiting_text(unsigned warp) const {
    const warp_context& of = warps_[warp];
    const block_context& block = blocks_[of.block];
    std::string text = "in a transaction (" +
                       std::string(transaction_mode_names[static_cast<unsigned>(of.masks.mode())]) +
                       ", " + std::to_string(bits::count(of.masks.tcm())) + " lanes have lost";
    if (block.holder != no_warp) {
        text +=
            "; the warp of item " + std::to_string(warps_[block.holder].first_item) + " runs alone";
    }
    if (counts_.losses != 0) {
        text += "; item " + std::to_string(block.last_loss.item) +
                " of the block lost last, at byte " + std::to_string(block.last_loss.offset) +
                " of shared memory";
        for (unsigned item = 0; item < transaction_configuration::maximum_items; ++item) {
            if (!block.last_loss.with.test(item)) continue;
            text += " to item " + std::to_string(item);
            break;
        }
    }
    return text + ")";
}

}  // namespace heddle
