// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/fetch/front_end.h"

#include <algorithm>

#include "models/base/bits.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle {

front_end::front_end(const smx_configuration& smx, const l1i_configuration& l1i, unsigned warps,
                     memory_port& port, warp_paths& paths, const issue_table& table,
                     block_table& blocks)
    : warps_(warps),
      fetch_width_(smx.fetch_width),
      branch_latency_(smx.branch_latency),
      hit_latency_(l1i.hit_latency),
      port_(port),
      paths_(paths),
      table_(table),
      blocks_(blocks),
      cache_(l1i) {}

inline void front_end::update_fetchable(unsigned warp) {
    const warp_group& group = paths_.group(warp);
    const bool can = group.lanes != 0 && ((path_open_ | fetching_) & bits::one(warp)) == 0 &&
                     paths_.buffers().room(warp) != 0 && paths_.fetch_pc(warp) != group.limit;
    if (can) {
        fetchable_ |= bits::one(warp);
    } else {
        fetchable_ &= ~bits::one(warp);
    }
}

/// Instructions that a fetch brings: what the buffer has room for, in one line of the cache, up to
/// the first after which the path is not known.
inline unsigned front_end::run_length(unsigned warp) const {
    const std::uint32_t pc = paths_.fetch_pc(warp);
    const std::uint32_t line_end = cache_.line_of(pc) + cache_.line_bytes();
    unsigned most = std::min(paths_.buffers().room(warp), (line_end - pc) / 4);
    const std::uint32_t limit = paths_.group(warp).limit;
    if (limit > pc) most = std::min(most, (limit - pc) / 4);
    // A run does not go past the end of the code.
    return std::min<unsigned>(most, table_[program::code_position(pc)].run);
}

/// `count` instructions enter the warp's buffer: they may issue from the next issue step on.
inline void front_end::deliver(unsigned warp, unsigned count) {
    ++fetches_;
    paths_.buffers().fill(warp, count);
    const std::uint32_t last = paths_.position(warp) + paths_.buffers().count(warp) - 1;
    if (table_[last].ends_fetch) path_open_ |= bits::one(warp);
    update_fetchable(warp);
    delivered_ |= bits::one(warp);
}

void front_end::start(unsigned warp) {
    path_open_ &= ~bits::one(warp);
    update_fetchable(warp);
}

void front_end::issued(protocol::warp_mask issued, protocol::warp_mask turned, std::uint64_t edge) {
    turning_ |= turned;
    bits::for_each(turned, [&](unsigned warp) {
        wheel_.add(edge + branch_latency_, {warp, path_known});
    });
    bits::for_each(issued, [&](unsigned warp) { update_fetchable(warp); });
}

void front_end::redirect(unsigned warp, std::uint64_t edge) {
    paths_.buffers().flush(warp);
    path_open_ |= bits::one(warp);
    turning_ |= bits::one(warp);
    wheel_.add(edge + branch_latency_, {warp, path_known});
    hold(warp);
}

bool front_end::take_due(std::uint64_t edge) {
    while (wheel_.due(edge)) {
        const warp_code e = wheel_.take(edge);
        const unsigned warp = e.warp();
        if (e.code() == fetch_arrives) {
            fetching_ &= ~bits::one(warp);
            deliver(warp, arriving_[warp]);
        } else {
            path_open_ &= ~bits::one(warp);
            turning_ &= ~bits::one(warp);
            update_fetchable(warp);
        }
    }
    return true;
}

/// Round robin over the warps that can use instructions.
bool front_end::fetch_some(std::uint64_t edge) {
    protocol::warp_mask candidates = fetchable_;
    for (unsigned left = fetch_width_; left != 0 && candidates != 0; --left) {
        const protocol::warp_mask from_next = candidates & (~protocol::warp_mask{0} << next_);
        const unsigned warp = bits::first(from_next != 0 ? from_next : candidates);
        candidates &= ~bits::one(warp);
        next_ = warp + 1 == warps_ ? 0 : warp + 1;
        fetch(warp, edge);
        if (blocks_.faults().stopped()) break;
    }
    return true;
}

void front_end::fetch(unsigned warp, std::uint64_t edge) {
    const std::uint32_t pc = paths_.fetch_pc(warp);
    if (!paths_.in_code(warp, pc)) {
        // Only a fault once the instructions before it have issued.
        fetchable_ &= ~bits::one(warp);
        const warp_group& group = paths_.group(warp);
        if (paths_.buffers().empty(warp)) {
            blocks_.fault(warp, bits::first(group.lanes), group.pc, simt::past_end_text());
        }
        return;
    }
    const bool may_miss = port_.can_send(memory_port::queue::instructions);
    switch (cache_.look_up(pc, warp, may_miss)) {
        case instruction_cache::outcome::hit:
            if (hit_latency_ == 1) return deliver(warp, run_length(warp));
            arriving_[warp] = static_cast<std::uint8_t>(run_length(warp));
            wheel_.add(edge + hit_latency_, {warp, fetch_arrives});
            break;
        case instruction_cache::outcome::missed:
            request_line(warp, cache_.line_of(pc));
            break;
        case instruction_cache::outcome::merged:
            break;
        case instruction_cache::outcome::full:
            return;  // stays a candidate
    }
    fetching_ |= bits::one(warp);
    fetchable_ &= ~bits::one(warp);
}

void front_end::request_line(unsigned warp, std::uint32_t line) {
    const unsigned slot = blocks_.warp(warp).block;
    const protocol::block_dispatch& block = *blocks_.block(slot).dispatch;
    ++misses_;
    memory_request& request = port_.make();
    request.prepare(protocol::memory_kind::instruction_fetch, line, cache_.line_bytes());
    request.back.requester = this;
    protocol::memory_access& access = request.access();
    access.launch = block.launch;
    access.warp = warp_slot(warp);
    access.slot = block_slot(slot);
    access.block = block.block;
    port_.send(memory_port::queue::instructions, request);
}

void front_end::responded(memory_request& request) {
    const auto address = static_cast<std::uint32_t>(request.get_address());
    bits::for_each(cache_.fill(address), [&](unsigned warp) {
        fetching_ &= ~bits::one(warp);
        deliver(warp, run_length(warp));
    });
}

}  // namespace heddle
