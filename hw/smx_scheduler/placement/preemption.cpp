// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/preemption.h"

#include <algorithm>
#include <utility>

namespace heddle {

preemption::preemption(unsigned smx_count, unsigned blocks_per_smx, bool enabled)
    : enabled_(enabled), places_(smx_count, std::vector<place>(blocks_per_smx)) {}

void preemption::placed(const protocol::block_dispatch& block, std::uint64_t edge) {
    if (!enabled_) return;
    places_[block.sm][block.slot.value()] = {block.launch, false};
    launch_state& of = launches_[block.launch];
    of.launch = block.kernel;
    ++of.present;
    settle(block.launch, edge);
}

void preemption::goes_away(launch_id of) {
    ++launches_.at(of).away;
    ++away_;
}

void preemption::comes_back(launch_id of) {
    --launches_.at(of).away;
    --away_;
}

void preemption::left(const protocol::block_dispatch& block, std::uint64_t edge) {
    if (!enabled_) return;
    launch_state& of = launches_.at(block.launch);
    --of.present;
    if (std::exchange(places_[block.sm][block.slot.value()], {}).leaving) {
        --leaving_;
        if (--of.leaving == 0) counts_.made_room(edge - of.told);
    }
    if (block.outcome == protocol::block_outcome::preempted) counts_.saved(block.saved.bytes);
    settle(block.launch, edge);
}

preemption::launch_ptr preemption::victim(std::uint32_t priority) const {
    const launch_state* lowest = nullptr;
    for (const auto& [id, of] : launches_) {
        if (of.present == 0 || of.launch->priority >= priority) continue;
        if (lowest == nullptr || of.launch->priority < lowest->launch->priority) lowest = &of;
    }
    return lowest == nullptr ? launch_ptr() : lowest->launch;
}

std::vector<sm_id> preemption::tell(const launch_ptr& launch, std::uint64_t edge) {
    launch_state& of = launches_.at(launch->launch);
    std::vector<sm_id> smxs;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        bool any = false;
        for (place& each : places_[sm_id(i)]) {
            if (each.launch != launch->launch) continue;
            each.leaving = any = true;
            ++of.leaving;
            ++leaving_;
        }
        if (any) smxs.emplace_back(i);
    }
    of.told = edge;
    if (std::exchange(of.complete, false)) of.stopped = edge;
    counts_.told();
    return smxs;
}

std::uint32_t preemption::highest_priority() const {
    std::uint32_t highest = 0;
    for (const auto& [id, of] : launches_) {
        if (of.present != 0) highest = std::max(highest, of.launch->priority);
    }
    return highest;
}

bool preemption::stops(std::uint32_t priority) const {
    return std::any_of(launches_.begin(), launches_.end(), [&](const auto& each) {
        return !each.second.complete && each.second.launch->priority >= priority;
    });
}

/// Blocks of the launch have come or gone.
void preemption::settle(launch_id launch, std::uint64_t edge) {
    launch_state& of = launches_.at(launch);
    if (of.leaving + of.away != 0) return;
    if (!std::exchange(of.complete, true)) counts_.returned(edge - of.stopped);
    if (of.present == 0) launches_.erase(launch);
}

}  // namespace heddle
