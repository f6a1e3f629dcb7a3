// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/launch/storm_ledger.h"

#include <algorithm>
#include <utility>

#include "hw/protocol/timeline_recorder.h"
#include "models/program/kernel.h"

namespace heddle::launch_tb {

void storm_ledger::launched(const prepared_launch& launch) {
    record& r = records_[launch.id];
    r.what = launch;
    r.blocks.resize(launch.shape.grid.count());
    if (!launch.id.by_host()) records_.at(launch.parent).children.push_back(launch.id);
}

void storm_ledger::check_data(const record& r, const protocol::block_dispatch& block) const {
    const protocol::kernel_launch& kernel = *block.kernel;
    bench_.check(kernel.launch == block.launch && kernel.grid == r.what.shape.grid &&
                     kernel.block == r.what.shape.block &&
                     kernel.entry_pc == r.what.kernel->entry &&
                     kernel.parameter_address == r.what.parameters,
                 text(block) + "has another launch's data");
    bench_.check(block.group == null_group || r.what.group, text(block) + "has an AGEI");
}

void storm_ledger::dispatched(const protocol::block_dispatch& block) {
    const auto found = records_.find(block.launch);
    if (!bench_.check(found != records_.end(), "a block of an unknown launch")) return;
    record& r = found->second;
    check_data(r, block);
    if (!bench_.check(block.block < r.blocks.size(), text(block) + "does not exist")) return;
    block_record& b = r.blocks[block.block];
    if (b.is == state::suspended) {
        comes_back(b, block);
    } else {
        bench_.check(b.is == state::waits, text(block) + "runs twice");
        bench_.check(!block.resumed, text(block) + "begins with a state");
        own_regions(block, true);
        bench_.check(
            block.context.value() + warps_of(block) <= resident_regions_ + suspended_regions_,
            text(block) + "has a private region behind the last one");
    }
    b = {state::runs, block.sm, block.context, block.position, 0};
}

void storm_ledger::comes_back(block_record& b, const protocol::block_dispatch& block) {
    bench_.check(block.context == b.context && block.position == b.position &&
                     block.saved.address == b.saved && block.group == null_group,
                 text(block) + "comes back as another one");
    bench_.check(children_over(block.launch, block.block),
                 text(block) + "comes back before its children have ended");
    moves_ += block.sm == b.sm ? 0 : 1;
    suspended_regions_ -= warps_of(block);
}

void storm_ledger::started(const protocol::block_dispatch& block, std::uint64_t edge,
                           const frequency& clock) {
    record& r = records_.at(block.launch);
    if (std::exchange(r.started, true)) return;
    // Kernels launch and command at edges of the clock, the host before the first one.
    const auto edge_at = [&](const sc_core::sc_time& at) {
        const std::uint64_t time = protocol::picoseconds(at);
        return time == 0 ? 0 : clock.first_edge_after(time - 1);
    };
    const protocol::kernel_launch& kernel = *block.kernel;
    const bool by_host = kernel.launch.by_host();
    times& t = times_[by_host ? 0 : r.what.group ? 2 : 1];
    ++t.launches;
    t.waiting += edge - edge_at(kernel.launched_at);
    if (!by_host) t.calling += edge_at(kernel.commanded_at) - edge_at(kernel.launched_at);
}

void storm_ledger::check_times(const statistics& counted) const {
    const char* const names[] = {"launch.host", "launch.kernel", "launch.group"};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto check = [&](const char* what, std::uint64_t expected) {
            const std::string name = std::string(names[i]) + what;
            const auto& of = std::get<histogram>(counted.find(name)->value);
            bench_.check(of.samples() == times_[i].launches && of.sum() == expected,
                         name + " sums to " + std::to_string(of.sum()) + " over " +
                             std::to_string(of.samples()) + " launches, expected were " +
                             std::to_string(expected) + " over " +
                             std::to_string(times_[i].launches));
        };
        check(".waiting_time", times_[i].waiting);
        check(".call_time", times_[i].calling);
    }
}

void storm_ledger::suspended(const protocol::block_dispatch& block) {
    block_record& b = records_.at(block.launch).blocks[block.block];
    b.is = state::suspended;
    b.saved = block.saved.address;
    ++suspensions_;
    suspended_regions_ += warps_of(block);
}

void storm_ledger::finished(const protocol::block_dispatch& block) {
    record& r = records_.at(block.launch);
    r.blocks[block.block].is = state::ended;
    own_regions(block, false);
    if (++r.ended == r.blocks.size()) ++ended_;
    ++blocks_;
}

void storm_ledger::own_regions(const protocol::block_dispatch& block, bool take) {
    for (std::uint32_t n = 0; n < warps_of(block); ++n) {
        const std::uint32_t region = block.context.value() + n;
        const bool good =
            take ? regions_.emplace(region, block.launch).second : regions_.erase(region) == 1;
        bench_.check(good, text(block) + "has a private region that is not its own");
    }
}

bool storm_ledger::over(launch_id id) const {
    const record& r = records_.at(id);
    return r.ended == r.blocks.size() && std::all_of(r.children.begin(), r.children.end(),
                                                     [&](launch_id child) { return over(child); });
}

bool storm_ledger::children_over(launch_id launch, std::uint32_t block) const {
    const record& r = records_.at(launch);
    return std::all_of(r.children.begin(), r.children.end(), [&](launch_id child) {
        return records_.at(child).what.parent_block != block || over(child);
    });
}

}  // namespace heddle::launch_tb
