// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/tm/tm_engine.h"

#include <algorithm>
#include <utility>

namespace heddle {

using protocol::bank_command;
using protocol::item_set;
using protocol::local_access;
using protocol::local_command;

tm_engine::tm_engine(const tm_setting& setting, tm_banks& banks)
    : setting_(setting),
      pass_cycles_(
          setting.configuration.pass_cycles +
          (uses_directory(setting.configuration.detection) ? setting.directory_cycles : 0)),
      banks_(banks),
      choice_(make_serialization(setting.configuration.serialization)),
      warps_(setting.warps),
      blocks_(setting.block_slots) {
    if (setting.configuration.detection != transaction_detection::swo_sig) return;
    const unsigned most = transaction_configuration::maximum_items / setting.lanes;
    for (block_context& block : blocks_) {
        block.writes.assign(most, write_signature(setting.configuration.hashes));
    }
}

void tm_engine::begin(unsigned warp, unsigned block, unsigned first_item, isa::lane_mask lanes) {
    warp_context& of = warps_[warp];
    of = {};
    of.masks.begin(lanes);
    of.block = block;
    of.first_item = first_item;
    inside_ |= bits::one(warp);
    blocks_[block].warps |= bits::one(warp);
}

bool tm_engine::may_run(unsigned warp) const noexcept {
    const unsigned holder = blocks_[warps_[warp].block].holder;
    return holder == no_warp || holder == warp;
}

void tm_engine::run(unsigned warp) {
    warp_context& of = warps_[warp];
    of.running = true;
    blocks_[of.block].live |= bits::one(warp);
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

unsigned tm_engine::access(local_access& access) {
    ++counts_.accesses;
    const warp_context& of = warps_[access.warp.value()];
    const isa::lane_mask running = of.running ? of.masks.active() : 0;
    // Lanes that have lost since the instruction issued do nothing.
    access.lost = access.lanes & ~running;
    unsigned cycles = std::exchange(owed_cycles_, 0);
    for (isa::lane_mask left = access.lanes & running; left != 0;) {
        const isa::lane_mask pass = next_pass(access, left);
        left &= ~pass;
        ++counts_.passes;
        const isa::lane_mask losers = check_pass(access, pass);
        if (access.command == local_command::store) enter_writes(access, pass & ~losers);
        cycles += pass_cycles_;
        if (losers != 0) cycles += undo(of, losers);
    }
    return std::max(cycles, 1U);
}

/// Lanes in ascending order, as far as their banks are free.
isa::lane_mask tm_engine::next_pass(const local_access& access, isa::lane_mask left) const {
    std::uint64_t used = 0;
    isa::lane_mask pass = 0;
    bits::for_each(left, [&](unsigned lane) {
        const std::uint64_t bank = bits::one(access.address[lane] / 4 & (setting_.banks - 1));
        if ((used & bank) != 0) return;
        used |= bank;
        pass |= bits::one(lane);
    });
    return pass;
}

/// Returns the lanes that lose.
isa::lane_mask tm_engine::check_pass(local_access& access, isa::lane_mask pass) {
    const warp_context& of = warps_[access.warp.value()];
    isa::lane_mask losers = 0;
    isa::lane_mask to_lower = 0;
    isa::lane_mask to_higher = 0;
    bits::for_each(pass, [&](unsigned lane) {
        check_lane(access, lane);
        if (!check_.lost) return;
        losers |= bits::one(lane);
        const isa::lane_mask others = check_.items.lanes_of(of.first_item, setting_.lanes);
        if ((others & bits::below(lane)) != 0) to_lower |= bits::one(lane);
        if ((others & ~bits::below(lane)) != 0) to_higher |= bits::one(lane);
        note_conflict(access, lane);
    });
    access.lost |= losers;
    access.lost_to_lower |= to_lower;
    access.lost_to_higher |= to_higher;
    if (losers != 0) {
        warps_[access.warp.value()].masks.lose(losers, choice_->rejected(to_lower, to_higher));
    }
    return losers;
}

void tm_engine::describe(const local_access& access, unsigned lane) {
    const std::uint32_t word = offset(access, lane) / 4;
    check_.answered = check_.lost = check_.owned = false;
    check_.block = access.block;
    check_.bytes = access.bytes;
    check_.address = access.address[lane];
    check_.row = word / setting_.banks;
    check_.item = access.first_item + lane;
    check_.items = {};
}

void tm_engine::check_lane(local_access& access, unsigned lane) {
    describe(access, lane);
    const bool store = access.command == local_command::store;
    check_.command = store ? bank_command::store : bank_command::load;
    check_.data = access.data[lane];
    const block_context& block = blocks_[access.block.value()];
    if (!block.writes.empty()) {
        check_.writers = writers_of(block, offset(access, lane) / 4);
    }
    banks_.check(access.address[lane] / 4 & (setting_.banks - 1), check_);
    if (!check_.lost && !store) access.data[lane] = check_.data;
}

item_set tm_engine::writers_of(const block_context& block, std::uint32_t word) const {
    item_set items;
    bits::for_each(block.writing, [&](unsigned w) {
        if (!block.writes[w].hits(word)) return;
        items |= item_set::of_warp(w * setting_.lanes, bits::below(setting_.lanes));
    });
    return items;
}

void tm_engine::enter_writes(const local_access& access, isa::lane_mask lanes) {
    block_context& block = blocks_[access.block.value()];
    if (block.writes.empty()) return;
    const unsigned warp = access.first_item / setting_.lanes;
    write_signature& own = block.writes[warp];
    if (lanes != 0) block.writing |= bits::one(warp);
    bits::for_each(lanes, [&](unsigned lane) { own.insert(offset(access, lane) / 4); });
}

void tm_engine::note_conflict(local_access& access, unsigned lane) {
    block_context& block = blocks_[access.block.value()];
    block.word = offset(access, lane);
    block.loser = check_.item;
    block.with = check_.items;
}

void tm_engine::watch(const local_access& access) {
    if (blocks_[access.block.value()].live == 0) return;
    bool owned = false;
    bits::for_each(access.lanes, [&](unsigned lane) {
        describe(access, lane);
        check_.command = bank_command::plain;
        check_.item = 0;
        banks_.check(access.address[lane] / 4 & (setting_.banks - 1), check_);
        owned |= check_.owned;
    });
    counts_.plain_conflicts += owned ? 1 : 0;
}

// Losses and ends

/// Lanes of a warp, which its masks know to have lost, lose their words. Returns the cycles.
std::uint32_t tm_engine::undo(const warp_context& of, isa::lane_mask lanes) {
    const auto warp = static_cast<unsigned>(&of - warps_.data());
    check_.recycle();
    check_.command = bank_command::undo;
    check_.block = block_slot(of.block);
    check_.items = item_set::of_warp(of.first_item, lanes);
    const std::uint32_t cycles = banks_.tell_all(check_);
    counts_.losses += bits::count(lanes);
    counts_.restored_words += check_.words;
    if (of.masks.active() == 0) settle(warp);
    client_->lost(warp, lanes);
    return cycles;
}

void tm_engine::tell_all(bank_command what, unsigned block, const item_set& items) {
    check_.recycle();
    check_.command = what;
    check_.block = block_slot(block);
    check_.items = items;
    (void)banks_.tell_all(check_);
}

/// No lane of the warp runs an attempt any more.
void tm_engine::settle(unsigned warp) {
    const warp_context& of = warps_[warp];
    block_context& block = blocks_[of.block];
    if (!bits::test(block.live, warp)) return;
    block.live &= ~bits::one(warp);
    if (!block.writes.empty()) {
        const unsigned number = of.first_item / setting_.lanes;
        block.writes[number].clear();
        block.writing &= ~bits::one(number);
    }
    if (block.live == 0) tell_all(bank_command::settled, of.block, {});
}

bool tm_engine::end_attempt(unsigned warp) {
    warp_context& of = warps_[warp];
    block_context& block = blocks_[of.block];
    of.running = false;
    if (const isa::lane_mask commits = of.masks.active(); commits != 0) {
        counts_.commits += bits::count(commits);
        tell_all(bank_command::forget, of.block, item_set::of_warp(of.first_item, commits));
    }
    settle(warp);
    if (of.aborted) {
        of.aborted = false;
        of.masks.restart();
        return false;
    }
    switch (of.masks.end_attempt(*choice_)) {
        case transaction_masks::verdict::again:
            return false;
        case transaction_masks::verdict::alone:
            be_alone(warp);
            return false;
        case transaction_masks::verdict::done:
            break;
    }
    if (block.holder == warp) block.holder = no_warp;
    block.warps &= ~bits::one(warp);
    inside_ &= ~bits::one(warp);
    return true;
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
    bits::for_each(block.warps & ~bits::one(warp), [&](unsigned each) {
        warp_context& other = warps_[each];
        if (!other.running) return;
        const isa::lane_mask lanes = other.masks.active();
        other.masks.abort();
        other.aborted = true;
        counts_.aborts += bits::count(lanes);
        if (lanes != 0) owed_cycles_ += undo(other, lanes);
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
        text += "; item " + std::to_string(block.loser) + " of the block lost last, at byte " +
                std::to_string(block.word) + " of shared memory";
        for (unsigned item = 0; item < transaction_configuration::maximum_items; ++item) {
            if (!block.with.test(item)) continue;
            text += " to item " + std::to_string(item);
            break;
        }
    }
    return text + ")";
}

}  // namespace heddle
