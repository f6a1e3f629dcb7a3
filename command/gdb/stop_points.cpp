// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/stop_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "command/gdb/wire/agent_expression.h"
#include "models/base/bits.h"
#include "models/program/address_map.h"

namespace heddle::command::gdb {

void stop_points::insert(const place& at, std::vector<std::string> conditions,
                         const named_thread& by) {
    if (at.kind == stop_kind::software || at.kind == stop_kind::hardware) {
        breakpoints_[at.address][at.kind] = std::move(conditions);
        return;
    }
    owner who;
    if (by.thread != nullptr && program::shared_window.contains(at.address)) {
        who.block = linear_block(by.thread->warp.block());
        who.grid = by.thread->warp.block().gridid;
    } else if (by.thread != nullptr && program::private_window.contains(at.address)) {
        who.thread = by.thread->number;
        who.lane = by.lane;
    }
    watched_[at] = owners_.emplace(at, who).first->second;
}

void stop_points::remove(const place& at) {
    watched_.erase(at);
    const auto found = breakpoints_.find(at.address);
    if (found == breakpoints_.end()) return;
    found->second.erase(at.kind);
    if (found->second.empty()) breakpoints_.erase(found);
}

void stop_points::forget_removed() {
    for (auto each = owners_.begin(); each != owners_.end();) {
        each = watched_.count(each->first) != 0 ? std::next(each) : owners_.erase(each);
    }
}

void stop_points::clear() {
    breakpoints_.clear();
    watched_.clear();
}

std::optional<unsigned> stop_points::hit(debugged_thread& thread, const register_set& registers,
                                         std::uint64_t cycle) const {
    if (breakpoints_.empty()) return std::nullopt;
    const auto stack = thread.warp.stack();
    if (stack.empty()) return std::nullopt;
    const auto found = breakpoints_.find(stack.back().next_pc);
    if (found == breakpoints_.end()) return std::nullopt;
    const isa::lane_mask lanes = stack.back().lanes;
    const unsigned chosen = bits::test(lanes, thread.lane) ? thread.lane : bits::first(lanes);
    for (const auto& [kind, conditions] : found->second) {
        if (conditions.empty()) return chosen;
        for (isa::lane_mask left = lanes; left != 0; left &= left - 1) {
            const unsigned lane = bits::first(left);
            const named_thread of{&thread, lane};
            const agent_context context{
                [&](unsigned number) { return registers.value(number, of, cycle); },
                [&](std::uint32_t address, std::byte* to, std::size_t bytes) {
                    return thread.warp.read(lane, address, to, bytes);
                }};
            for (const std::string& condition : conditions) {
                // What can't be told is for gdb to say.
                const auto value = evaluate(condition, context);
                if (!value || *value != 0) return lane;
            }
        }
    }
    return std::nullopt;
}

bool stop_points::concerns(const owner& who, const debugged_thread& thread, unsigned lane) {
    if (who.thread) return *who.thread == thread.number && who.lane == lane;
    if (!who.block) return true;
    const simt::block_identity& block = thread.warp.block();
    return *who.block == linear_block(block) && who.grid == block.gridid;
}

std::vector<stop_points::touch> stop_points::touches(debugged_thread& thread,
                                                     std::uint64_t tick) const {
    std::vector<touch> found;
    if (watched_.empty()) return found;
    const auto stack = thread.warp.stack();
    std::uint32_t word = 0;
    if (stack.empty() || !thread.warp.read(0, stack.back().next_pc,
                                           reinterpret_cast<std::byte*>(&word), sizeof word)) {
        return found;
    }
    const isa::instruction i = isa::decode(word);
    if (!i.is_memory()) return found;
    const bool loads = i.cls != isa::instruction_class::store;
    const bool stores = i.cls != isa::instruction_class::load;
    for (const auto& [at, who] : watched_) {
        const bool reads = loads && at.kind != stop_kind::write;
        const bool writes = stores && at.kind != stop_kind::read;
        if (!reads && !writes) continue;
        for (isa::lane_mask left = stack.back().lanes; left != 0; left &= left - 1) {
            const unsigned lane = bits::first(left);
            const std::uint32_t address =
                thread.warp.value(i.rs1, lane) + static_cast<std::uint32_t>(i.imm);
            const bool apart =
                address + i.access_bytes() <= at.address || at.address + at.bytes <= address;
            if (apart || !concerns(who, thread, lane)) continue;
            touch one{at,
                      thread.number,
                      lane,
                      std::vector<std::byte>(at.bytes),
                      at.kind != stop_kind::write,
                      i.cls == isa::instruction_class::atomic,
                      i.rd,
                      tick,
                      stack.back().next_pc};
            thread.warp.read(lane, at.address, one.before.data(), at.bytes);
            found.push_back(std::move(one));
            break;
        }
    }
    return found;
}

std::string stop_points::touch::reason() const {
    const char* const word = watched.kind == stop_kind::write  ? "watch"
                             : watched.kind == stop_kind::read ? "rwatch"
                                                               : "awatch";
    return fmt::format("{}:{:x};", word, watched.address);
}

}  // namespace heddle::command::gdb
