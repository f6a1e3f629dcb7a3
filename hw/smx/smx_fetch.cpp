// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Step (4) of the SMX's cycle: fetch and decode.
#include <algorithm>

#include "hw/smx/smx_core.h"
#include "models/simt/fault_text.h"

namespace heddle {

/// Round robin over the warps that can use instructions.
void smx_core::fetch_step() {
    protocol::warp_mask candidates = fetchable_;
    changed_ = true;
    for (unsigned left = configuration_.fetch_width; left != 0 && candidates != 0; --left) {
        const protocol::warp_mask from_next = candidates & (~protocol::warp_mask{0} << next_fetch_);
        const unsigned warp = first(from_next != 0 ? from_next : candidates);
        candidates &= ~bit(warp);
        next_fetch_ = warp + 1 == warp_count_ ? 0 : warp + 1;
        fetch(warp);
        if (faulted_) return;
    }
}

void smx_core::fetch(unsigned warp) {
    warp_context& w = warps_[warp];
    const std::uint32_t pc = w.group.pc + 4 * buffers_.count(warp);
    if ((pc - w.code_base) / 4 >= w.code_size) {
        // Only a fault once the instructions before it have issued.
        fetchable_ &= ~bit(warp);
        if (buffers_.empty(warp)) fault(warp, first(w.group.lanes), simt::past_end_text());
        return;
    }
    const bool may_miss = port_.can_send(memory_port::queue::instructions);
    switch (icache_.look_up(pc, warp, may_miss)) {
        case instruction_cache::outcome::hit:
            if (hit_latency_ == 1) return deliver(warp, run_length(warp));
            w.arriving = static_cast<std::uint8_t>(run_length(warp));
            frontend_.add(edge_ + hit_latency_, warp, fetch_arrives);
            break;
        case instruction_cache::outcome::missed:
            request_line(warp, icache_.line_of(pc));
            break;
        case instruction_cache::outcome::merged:
            break;
        case instruction_cache::outcome::full:
            return;  // stays a candidate
    }
    fetching_ |= bit(warp);
    fetchable_ &= ~bit(warp);
}

void smx_core::request_line(unsigned warp, std::uint32_t line) {
    const block_context& block = blocks_[warps_[warp].block];
    ++totals_.fetch_misses;
    memory_request& request = port_.make();
    request.prepare(protocol::memory_kind::instruction_fetch, line, icache_.line_bytes());
    request.requester = this;
    protocol::memory_access& access = request.access();
    access.launch = block.dispatch->launch;
    access.warp = warp_slot(warp);
    access.slot = block_slot(warps_[warp].block);
    access.block = block.dispatch->block;
    port_.send(memory_port::queue::instructions, request);
}

/// Instructions that a fetch brings: what the buffer has room for, in one line of the cache, up to
/// the first after which the path is not known.
unsigned smx_core::run_length(unsigned warp) const {
    const warp_context& w = warps_[warp];
    const std::uint32_t pc = w.group.pc + 4 * buffers_.count(warp);
    const std::uint32_t line_end = icache_.line_of(pc) + icache_.line_bytes();
    const std::uint32_t code_end = w.code_base + 4 * w.code_size;
    unsigned most = std::min(buffers_.room(warp), (std::min(line_end, code_end) - pc) / 4);
    if (w.group.limit > pc) most = std::min(most, (w.group.limit - pc) / 4);
    return std::min<unsigned>(most, table_[(pc - w.code_base) / 4].run);
}

/// `count` instructions enter the warp's buffer: they may issue from the next issue step on.
void smx_core::deliver(unsigned warp, unsigned count) {
    const warp_context& w = warps_[warp];
    ++totals_.fetches;
    buffers_.fill(warp, count);
    const std::uint32_t last = position(w) + buffers_.count(warp) - 1;
    if (table_[last].ends_fetch) path_open_ |= bit(warp);
    update_fetchable(warp);
    dirty_ |= bit(warp);
}

void smx_core::update_fetchable(unsigned warp) {
    const warp_context& w = warps_[warp];
    const std::uint32_t next = w.group.pc + 4 * buffers_.count(warp);
    const bool can = w.group.lanes != 0 && ((path_open_ | fetching_) & bit(warp)) == 0 &&
                     buffers_.room(warp) != 0 && next != w.group.limit;
    if (can) {
        fetchable_ |= bit(warp);
    } else {
        fetchable_ &= ~bit(warp);
    }
}

}  // namespace heddle
