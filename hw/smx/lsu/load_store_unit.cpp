// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/load_store_unit.h"

#include <algorithm>

#include "hw/base/period.h"
#include "hw/smx/local_memory/local_memory_configuration.h"

/// Queue, time, and what the pipeline sees; the accesses themselves are in load_store_accesses.cpp.
namespace heddle {

using isa::instruction_class;

load_store_unit::load_store_unit(const load_store_configuration& configuration,
                                 const l1_data_cache_configuration& l1d,
                                 const local_memory_configuration& local,
                                 const load_store_environment& environment)
    : environment_(environment),
      line_bytes_(l1d.line),
      sector_(configuration.sector),
      hit_latency_(l1d.hit_latency),
      local_latency_(local.latency),
      cache_global_(l1d.cache_global && l1d.size != 0),
      banks_(l1d.banks),
      cache_(l1d),
      checker_(environment.ranges, environment.layout.bytes_per_thread, environment.lanes),
      queue_(configuration.queue_depth),
      waiting_(l1d.mshrs),
      writes_(environment.warps),
      instructions_(environment.warps),
      local_pool_("shared-memory accesses"),
      local_(local_pool_.make()),
      edges_per_picosecond_(1 / period_of(environment.domain.rate())) {
    local_->sm = environment.sm;
}

memory_instruction& load_store_unit::next_slot() noexcept {
    const std::size_t at = first_ + count_;
    return queue_[at < queue_.size() ? at : at - queue_.size()];
}

bool load_store_unit::accept() {
    auto& m = static_cast<queued_instruction&>(next_slot());
    if (const auto fault = checker_.check(m, m.left)) {
        environment_.client.access_fault(m.warp, fault->lane, m.address[fault->lane], fault->what);
        return false;
    }
    if (m.left.of_thread != 0) {
        coalescer::to_device(m.address, m.left.of_thread, environment_.layout, m.private_region);
    }
    ++instructions_[m.warp.value()];
    ++count_;
    const instruction_class what = m.instruction->cls;
    if (what != instruction_class::load) ++writes_[m.warp.value()];
    if (what == instruction_class::store) {
        ++counters_.stores;
        return true;
    }
    ++(what == instruction_class::load ? counters_.loads : counters_.atomics);
    m.pending = new_pending(m);
    m.queued = environment_.domain.edge();
    return true;
}

bool load_store_unit::head_cycle(std::uint64_t edge) {
    if (blocked_) {
        const bool room = environment_.port.room(memory_port::queue::data) > block_room_;
        if (!retry_ && !room) return false;
        fails_[static_cast<std::size_t>(block_cause_)] += edge - blocked_since_;
        blocked_ = false;
    }
    reservation_fail cause{};
    if (!access(edge, cause)) {
        blocked_ = true;
        retry_ = false;
        block_cause_ = cause;
        block_room_ = environment_.port.room(memory_port::queue::data);
        blocked_since_ = edge;
        return false;
    }
    const access_checker::windows& left = head().left;
    if ((left.shared | left.of_thread | left.global) == 0) leave_queue();
    return count_ != 0 && busy_until_ <= edge + 1;
}

std::uint64_t load_store_unit::next_due() const noexcept {
    const std::uint64_t first = std::min(hits_.next_due(), shared_.next_due());
    return count_ != 0 && !blocked_ ? std::min(first, busy_until_) : first;
}

void load_store_unit::leave_queue() {
    const queued_instruction& m = head();
    const warp_slot warp = m.warp;
    const isa::instruction& i = *m.instruction;
    const std::uint32_t pending = m.pending;
    first_ = first_ + 1 == queue_.size() ? 0 : first_ + 1;
    --count_;
    if (i.cls == instruction_class::store) {
        --instructions_[warp.value()];
        environment_.client.completed(warp, m.number, i);
    } else {
        finish_access(pending);
    }
    if (i.cls != instruction_class::load) write_done(warp);
}

std::uint32_t load_store_unit::new_pending(const memory_instruction& m) {
    if (free_pending_ == none) {
        pending_.emplace_back();
        free_pending_ = static_cast<std::uint32_t>(pending_.size() - 1);
    }
    const std::uint32_t number = free_pending_;
    free_pending_ = pending_[number].next;
    pending_[number] = {m.warp, m.instruction, m.number, 1, none};
    return number;
}

void load_store_unit::finish_access(std::uint32_t number) {
    pending_instruction& p = pending_[number];
    if (--p.accesses != 0) return;
    const warp_slot warp = p.warp;
    const isa::instruction& i = *p.instruction;
    p.next = free_pending_;
    free_pending_ = number;
    --instructions_[warp.value()];
    environment_.client.completed(warp, p.number, i);
}

void load_store_unit::write_done(warp_slot warp) {
    if (--writes_[warp.value()] == 0) environment_.client.writes_drained(warp);
}

std::uint32_t load_store_unit::outstanding_writes(warp_slot warp) const noexcept {
    return writes_[warp.value()];
}

std::uint32_t load_store_unit::outstanding_instructions(warp_slot warp) const noexcept {
    return instructions_[warp.value()];
}

void load_store_unit::invalidate_global() {
    cache_.invalidate_global();
    note_change();
}

void load_store_unit::discard_private(std::uint32_t first, std::uint32_t count) {
    if (count == 0) return;
    const simt::private_layout& layout = environment_.layout;
    const std::uint64_t low = layout.region_address(first + count - 1);
    cache_.discard_private(low, low + std::uint64_t{count} * layout.region_bytes());
    note_change();
}

void load_store_unit::responded(memory_request& request) {
    note_change();
    const protocol::memory_access& access = request.access();
    switch (access.kind) {
        case protocol::memory_kind::store:
        case protocol::memory_kind::write_back:
            return write_done(access.warp);
        case protocol::memory_kind::atomic:
            return deliver_atomic(request);
        case protocol::memory_kind::load:
        case protocol::memory_kind::instruction_fetch:
            break;
    }
    if ((request.tag & fill_tag) == 0) return deliver(request.tag, request.data(), request);
    const auto miss = static_cast<std::uint16_t>(request.tag & ~fill_tag);
    const std::uint8_t* const line = cache_.fill(miss, request.data());
    std::uint32_t target = waiting_[miss].first;
    waiting_[miss] = {};
    while (target != none) {
        const std::uint32_t next = targets_[target].next;
        deliver(target, line, request);
        target = next;
    }
}

}  // namespace heddle
