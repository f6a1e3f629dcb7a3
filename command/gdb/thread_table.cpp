// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/thread_table.h"

#include <fmt/format.h>

#include "models/base/bits.h"
#include "models/device/kernel_fault.h"

namespace heddle::command::gdb {
namespace {

/// A lane's number is that of its warp, and the lane plus 1 from this bit on: gdb 13 keeps 32 bits.
constexpr unsigned lane_shift = 24;
constexpr std::uint64_t most_warps_with_lanes = std::uint64_t{1} << lane_shift;

}  // namespace

std::uint32_t debugged_thread::pc() const {
    return pc_of(lane);
}

isa::lane_mask debugged_thread::mask() const {
    const auto stack = warp.stack();
    return stack.empty() ? 0 : stack.back().lanes;
}

std::uint32_t debugged_thread::pc_of(unsigned of_lane) const {
    const auto stack = warp.stack();
    for (auto e = stack.rbegin(); e != stack.rend(); ++e) {
        if (bits::test(e->lanes, of_lane)) return e->next_pc;
    }
    return stack.empty() ? 0 : stack.back().next_pc;
}

void debugged_thread::choose_running_lane() {
    const isa::lane_mask running = mask();
    if (running != 0 && !bits::test(running, lane)) lane = bits::first(running);
}

std::string debugged_thread::name() const {
    return fmt::format("SMX {} block {} warp {}", warp.block().sm, to_text(warp.block().index),
                       warp.index());
}

std::uint64_t linear_block(const simt::block_identity& block) {
    return block.index.x + std::uint64_t{block.grid.x} *
                               (block.index.y + std::uint64_t{block.grid.y} * block.index.z);
}

void thread_table::started(simt::debugged_warp& warp) {
    auto thread = std::make_unique<debugged_thread>(debugged_thread{++last_, warp});
    const auto chosen = lanes_.find(last_);
    if (chosen != lanes_.end()) thread->lane = chosen->second;
    by_warp_[&warp] = thread.get();
    threads_[last_] = std::move(thread);
}

void thread_table::ended(const simt::debugged_warp& warp) {
    const auto found = by_warp_.find(&warp);
    threads_.erase(found->second->number);
    by_warp_.erase(found);
}

void thread_table::clear() {
    threads_.clear();
    by_warp_.clear();
    last_ = 0;
}

debugged_thread* thread_table::find(thread_number number) {
    const auto found = threads_.find(number);
    if (found == threads_.end() || found->second->warp.live() == 0) return nullptr;
    return found->second.get();
}

named_thread thread_table::named(std::uint64_t id) {
    debugged_thread* thread = id == 0 ? first() : find(id);
    if (thread != nullptr) return {thread, thread->lane};
    thread = find(id % most_warps_with_lanes);
    if (thread == nullptr || !shows_lanes(*thread)) return {};
    const std::uint64_t lane = id >> lane_shift;
    if (lane == 0 || lane > thread->warp.lanes()) return {};
    return {thread, static_cast<unsigned>(lane) - 1};
}

debugged_thread* thread_table::first() {
    for (const auto& [number, thread] : threads_) {
        if (thread->warp.live() != 0) return thread.get();
    }
    return nullptr;
}

bool thread_table::shows_lanes(const debugged_thread& thread) const {
    if (thread.number >= most_warps_with_lanes) return false;
    if (!lanes_of_.of_block) return lanes_of_.warp == thread.number;
    const simt::block_identity& block = thread.warp.block();
    return linear_block(block) == lanes_of_.block && block.gridid == lanes_of_.grid;
}

std::vector<std::uint64_t> thread_table::ids() {
    std::vector<std::uint64_t> all;
    for (const auto& [number, thread] : threads_) {
        if (thread->warp.live() == 0) continue;
        all.push_back(number);
        if (!shows_lanes(*thread)) continue;
        bits::for_each(thread->warp.live(), [&](unsigned lane) {
            all.push_back(number | (std::uint64_t{lane} + 1) << lane_shift);
        });
    }
    return all;
}

std::string thread_table::list() {
    std::string text = "<?xml version=\"1.0\"?>\n<threads>\n";
    for (const std::uint64_t id : ids()) {
        const named_thread one = named(id);
        const bool is_lane = one.thread->number != id;
        text += fmt::format("<thread id=\"{:x}\" core=\"{}\" name=\"{}{}\">{}</thread>\n", id,
                            one.thread->warp.block().sm, one.thread->name(),
                            is_lane ? fmt::format(" lane {}", one.lane) : "",
                            !is_lane                                   ? one.thread->warp.doing()
                            : bits::test(one.thread->mask(), one.lane) ? "runs with its warp"
                                                                       : "waits for other lanes");
    }
    return text + "</threads>\n";
}

void thread_table::choose_lane(debugged_thread& thread, unsigned lane) {
    thread.lane = lane;
    lanes_[thread.number] = lane;
}

}  // namespace heddle::command::gdb
