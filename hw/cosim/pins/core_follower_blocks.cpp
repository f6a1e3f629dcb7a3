// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks behind the retire port: where they begin and end.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/cosim/pins/core_follower.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "models/base/bits.h"
#include "models/base/warp_slots.h"
#include "models/simt/fault_text.h"
#include "models/simt/progress_text.h"

namespace heddle::pins {

std::uint64_t core_follower::executed(const protocol::block_dispatch& block) const {
    const auto is_it = [&](const auto& each) {
        return each.dispatch && each.dispatch.get() == &block;
    };
    const auto here = std::find_if(slots_.begin(), slots_.end(), is_it);
    if (here != slots_.end()) return here->steps;
    const auto ended = std::find_if(ended_.begin(), ended_.end(), is_it);
    return ended == ended_.end() ? 0 : ended->steps;
}

/// Called before this clock's record is followed.
std::uint64_t core_follower::leave(const protocol::block_dispatch& block) {
    leaving_ = blocks_.running(block.launch, block.block);
    return executed(block);
}

void core_follower::end_leaving() {
    const block_ptr block = std::exchange(leaving_, {});
    const auto ended = std::find_if(ended_.begin(), ended_.end(),
                                    [&](const ended_block& e) { return e.dispatch == block; });
    if (ended != ended_.end()) {
        ended_.erase(ended);
    } else if (!reporter_.stopped()) {
        reporter_.model_error(
            fmt::format("retire port in cycle {}: block {} of launch {} is done; its end must have "
                        "been told by then",
                        edge_, block->block, block->launch.value()));
    }
}

void core_follower::begin(const core_record& r) {
    const block_ptr dispatch =
        blocks_.running(launch_of(static_cast<std::uint32_t>(r.launch)), r.block);
    followed_block& block = slots_[r.slot];
    std::uint64_t taken = 0;
    for (const followed_block& each : slots_) taken |= each.dispatch ? each.warps : 0;
    if (!dispatch) return wrong(r, "a block begins that was not dispatched");
    const auto threads = static_cast<std::uint32_t>(dispatch->kernel->block.count());
    if (r.lanes >> warp_slots(around_.machine) != 0) {
        return wrong(r, fmt::format("a block begins in warp slots 0x{:x}; the machine has {}",
                                    r.lanes, warp_slots(around_.machine)));
    }
    if (block.dispatch || (taken & r.lanes) != 0 ||
        bits::count(r.lanes) != (threads + core_lanes - 1) / core_lanes) {
        return wrong(r, fmt::format("a block of {} threads begins in warp slots 0x{:x}; 0x{:x} are "
                                    "taken",
                                    threads, r.lanes, taken));
    }
    block.dispatch = dispatch;
    block.told = *dispatch;
    block.told.slot = block_slot(r.slot);
    block.place = followed_place::of(*dispatch, around_.id);
    block.warps = r.lanes;
    block.steps = 0;
    unsigned index = 0;
    bits::for_each(block.warps, [&](unsigned slot) {
        followed_warp& w = warps_[slot];
        std::vector<followed_access> accesses = std::move(w.accesses);
        w = {};
        w.accesses = std::move(accesses);
        w.block = r.slot;
        w.index = index;
        w.pc = dispatch->kernel->entry_pc;
        w.at = edge_;
        w.live = static_cast<std::uint32_t>(
            bits::below(std::min(core_lanes, threads - index * core_lanes)));
        w.lanes = w.live;
        registers_->start(slot, dispatch->kernel->parameter_address,
                          around_.machine.smx.private_bytes);
        ++index;
    });
    counts_.begin(edge_, index);
    if (observer_ != nullptr) observer_->block_started(edge_, block.told, block.warps);
}

void core_follower::end(const core_record& r) {
    followed_block& block = *block_in(r);
    bool over = true;
    bits::for_each(block.warps, [&](unsigned slot) {
        over &= warps_[slot].live == 0 && warps_[slot].accesses.empty();
    });
    if (!over) return wrong(r, "the block ends before its threads and accesses");
    if (observer_ != nullptr) observer_->block_ended(edge_, block.told);
    counts_.end(edge_, block.dispatch->kernel->kernel_number, bits::count(block.warps));
    ended_.push_back({std::move(block.dispatch), block.steps});
    block.dispatch.reset();
    block.told.recycle();
}

std::vector<std::string> core_follower::waiting_threads() const {
    std::vector<std::string> lines;
    for (const followed_block& block : slots_) {
        if (!block.dispatch) continue;
        bits::for_each(block.warps, [&](unsigned slot) {
            const followed_warp& w = warps_[slot];
            if (w.live == 0) return;
            lines.push_back(
                simt::warp_text(block.place.kernel->name, block.place.identity.index, w.index) +
                fmt::format("behind pins (last step in cycle {}){} at {}", w.at,
                            w.accesses.empty() ? "" : ", waits for memory",
                            simt::place_text(*block.place.image, w.pc)));
        });
    }
    return lines;
}

}  // namespace heddle::pins
