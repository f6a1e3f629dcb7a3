// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/load_store_unit.h"

#include <algorithm>
#include <utility>

#include "hw/smx/lsu/coalescer.h"
#include "models/simt/fault_text.h"

namespace heddle {

using isa::instruction_class;

namespace {

constexpr std::uint32_t word_bytes = 4;

/// Why no transaction may contain the access; empty if one may. `log`: of private memory.
std::string transaction_fault(const queued_instruction& m, const private_log* log) {
    const isa::instruction& i = *m.flight.instruction;
    const bool store = i.cls == instruction_class::store;
    const bool global = (m.left.in_global | m.left.in_constant) != 0;
    if (store && global) return simt::in_transaction_text(i, 0);
    const bool logged = store && log != nullptr && m.left.in_private != 0;
    if (!logged || log->has_room(m.warp.value(), m.left.in_private)) return {};
    return simt::private_log_text(log->limit());
}

}  // namespace

load_store_unit::load_store_unit(const load_store_configuration& configuration,
                                 const data_cache_configurations& caches,
                                 const load_store_environment& environment)
    : queue_(configuration.queue_depth, environment.together),
      shared_(environment.domain, environment.sm, environment.lanes, environment.local, flights_,
              counters_),
      constants_(caches.constant, word_bytes, reservation_fail::constant_cache,
                 {environment.lanes, environment.port, flights_, constant_timer_, wait_}),
      read_only_(caches.read_only, caches.read_only.line, reservation_fail::read_only_cache,
                 {environment.lanes, environment.port, flights_, timer_, wait_}),
      together_(environment.together > 1),
      lines_(configuration, caches.l1d,
             {{environment.lanes, cache_, requests_, flights_, timer_},
              outstanding_,
              lost_,
              counters_}),
      client_(environment.client),
      domain_(environment.domain),
      layout_(environment.layout),
      warps_(environment.warps),
      line_bytes_(caches.l1d.line),
      checker_(environment.ranges, environment.layout.bytes_per_thread, environment.lanes,
               constants_.exists()),
      outstanding_(environment.client, environment.owners),
      flights_(environment.client, outstanding_, environment.by_lane, environment.log),
      timer_(environment.domain, environment.load_latency, configuration.return_latency),
      constant_timer_(environment.domain, environment.load_latency, configuration.return_latency),
      lost_(environment.client),
      log_(environment.log),
      requests_(environment.port, *this),
      cache_(caches.l1d) {}

bool load_store_unit::accept() {
    queued_instruction& m = queue_.next_slot();
    if (const auto fault = checker_.check(m, m.left)) {
        client_.access_fault(m.flight, fault->lane, m.address[fault->lane], fault->what);
        return false;
    }
    if (m.transactional) {
        if (const std::string fault = transaction_fault(m, log_); !fault.empty()) {
            const unsigned lane = bits::first(m.lanes);
            client_.access_fault(m.flight, lane, m.address[lane], fault);
            return false;
        }
    }
    if (m.left.in_private != 0) {
        if (m.gathered) {
            coalescer::to_device(m.address, m.left.in_private, layout_, m.thread);
        } else {
            coalescer::to_device(m.address, m.left.in_private, layout_, m.private_region);
        }
    }
    const bool logged = m.transactional && log_ != nullptr && m.left.in_private != 0 &&
                        m.flight.instruction->cls == instruction_class::store;
    if (!logged) {
        enter(m);
        return true;
    }
    // There are two slots, as the queue was not full.
    const queued_instruction store = m;
    log_->add(m);
    enter(m);
    queued_instruction& next = queue_.next_slot();
    next = store;
    enter(next);
    return true;
}

void load_store_unit::enter(queued_instruction& m) {
    const isa::lane_mask others = m.left.in_shared | m.left.in_private | m.left.in_global;
    const bool constants = m.left.in_constant != 0 && others == 0;
    counters_.line_instructions += (m.left.in_private | m.left.in_global) != 0 ? 1 : 0;
    m.left.in_read_only = 0;
    if (read_only_.exists() && m.flight.instruction->is_read_only_load()) {
        std::swap(m.left.in_read_only, m.left.in_global);
    }
    m.queued = domain_.edge();
    m.finished = false;
    outstanding_.start_instruction(m.owner);
    const instruction_class what = m.flight.instruction->cls;
    if (what != instruction_class::load) outstanding_.start_write(m.owner);
    if (what == instruction_class::store) {
        ++counters_.stores;
        queue_.push();
        return;
    }
    ++(what == instruction_class::load ? counters_.loads : counters_.atomics);
    m.entry = flights_.start(m);
    if (!constants || !load_constants(m)) queue_.push();
}

bool load_store_unit::load_constants(queued_instruction& m) {
    if (queue_.head_has_constants() || !constants_.is_free(m.queued)) return false;
    if (constants_.access(m, m.left.in_constant, m.queued) || !m.left.none()) return false;
    flights_.leave_queue(m.entry);
    return true;
}

bool load_store_unit::head_cycle(std::uint64_t edge) {
    if (!wait_.over(requests_.room(), edge)) return false;
    queued_instruction& m = queue_.head();
    if (m.left.in_shared == 0 && m.left.in_constant != 0 && !constants_.is_free(edge)) return true;
    if (together_) lines_.begin_cycle();
    if (const access_refusal refused = access(m, edge)) {
        wait_.begin(*refused, requests_.room(), edge);
        return false;
    }
    if (together_) serve_turn(edge);
    if (m.left.none()) leave_queue();
    return !queue_.empty() && shared_.busy_until() <= edge + 1;
}

access_refusal load_store_unit::access(queued_instruction& m, std::uint64_t edge) {
    if (m.left.in_shared != 0) {
        shared_.access(m, edge);
        m.left.in_shared = 0;
        return {};
    }
    if (m.left.in_constant != 0) return constants_.access(m, m.left.in_constant, edge);
    if (m.left.in_read_only != 0) return read_only_.access_all(m, m.left.in_read_only, edge);
    return lines_.access(m, edge);
}

std::uint64_t load_store_unit::next_due() const noexcept {
    const std::uint64_t first = std::min(
        {lines_.next_due(), constants_.next_due(), read_only_.next_due(), shared_.next_due()});
    return !queue_.empty() && !wait_.waiting() ? std::min(first, shared_.busy_until()) : first;
}

/// The instructions that have issued with the oldest one use the banks of L1D that it leaves.
void load_store_unit::serve_turn(std::uint64_t edge) {
    const std::uint64_t turn = queue_.head().queued;
    for (std::uint32_t n = 1; n < queue_.size(); ++n) {
        queued_instruction& m = queue_.behind_head(n);
        if (m.queued != turn) return;
        if (m.finished) continue;
        lines_.access_further(m, edge);
        if (!m.left.none()) continue;
        m.finished = true;
        finish(m);
    }
}

void load_store_unit::leave_queue() {
    const queued_instruction& m = queue_.head();
    queue_.pop();
    finish(m);
    while (!queue_.empty() && queue_.head().finished) queue_.pop();
}

/// It has made its last access. Its slot keeps what is in it during the call.
void load_store_unit::finish(const queued_instruction& m) {
    const access_owner owner = m.owner;
    const instruction_class what = m.flight.instruction->cls;
    if (what == instruction_class::store) {
        outstanding_.end_instruction(owner);
        client_.completed(m.flight);
    } else {
        flights_.leave_queue(m.entry);
    }
    if (what != instruction_class::load) outstanding_.end_write(owner);
}

void load_store_unit::begin_launch() {
    constants_.invalidate();
    read_only_.invalidate();
    invalidate_global();
}

void load_store_unit::invalidate_global() {
    cache_.invalidate_global();
    wait_.note_change();
}

bool load_store_unit::write_back(const owner_set& owners) {
    if (!writes_back()) return false;
    owners.for_each([&](access_owner owner) {
        if (outstanding_.writes(owner) != 0) written_for_.add(owner);
    });
    return cache_.dirty().hold_any_of(written_for_);
}

/// Lines that became dirty earlier go first, whoever has written them.
bool load_store_unit::write_line_back() {
    if (!cache_.dirty().hold_any_of(written_for_)) {
        const owner_set owners = written_for_;
        owners.for_each([&](access_owner owner) {
            if (outstanding_.writes(owner) == 0) written_for_.remove(owner);
        });
        return false;
    }
    if (requests_.room() == 0) return false;
    cache_.clean_oldest();
    lines_.send_evicted({});
    wait_.note_change();
    return true;
}

bool load_store_unit::write_private_back(const memory_source& source, std::uint32_t first,
                                         std::uint32_t count, std::size_t& from) {
    const std::uint64_t low = layout_.region_address(first + count - 1);
    const std::uint64_t high = low + std::uint64_t{count} * layout_.region_bytes();
    while (requests_.room() != 0) {
        const auto line = cache_.dirty_private(low, high, from);
        if (!line) return true;
        (void)cache_.flush_private(*line, requests_.room());
        lines_.send_evicted(source);
        wait_.note_change();
    }
    return false;
}

void load_store_unit::discard_private(std::uint32_t first, std::uint32_t count) {
    if (count == 0) return;
    const std::uint64_t low = layout_.region_address(first + count - 1);
    cache_.discard_private(low, low + std::uint64_t{count} * layout_.region_bytes());
    wait_.note_change();
}

void load_store_unit::keep_victim_tags(unsigned entries, unsigned ways) {
    lost_.keep(warps_, entries, ways, line_bytes_);
}

void load_store_unit::responded(memory_request& request) {
    wait_.note_change();
    lines_.answered(request);
}

void load_store_unit::expect(const memory_request& request) const noexcept {
    lines_.expect(request);
}

}  // namespace heddle
