// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/load_store_unit.h"

#include <algorithm>

namespace heddle {

using isa::instruction_class;

namespace {

constexpr std::uint32_t word_bytes = 4;

}  // namespace

load_store_unit::load_store_unit(const load_store_configuration& configuration,
                                 const data_cache_configurations& caches,
                                 const load_store_environment& environment)
    : queue_(configuration.queue_depth, environment.together,
             environment.together > 1 && environment.log != nullptr),
      maintenance_({environment.warps, caches.l1d.line, environment.layout, cache_, constants_,
                    read_only_, losses_, lost_, requests_, wait_, outstanding_}),
      shared_(environment.domain, environment.sm, environment.lanes, environment.shared, flights_,
              environment.client, counters_),
      constants_(caches.constant, word_bytes, reservation_fail::constant_cache,
                 {environment.lanes, requests_, flights_, constant_timer_}),
      read_only_(caches.read_only, caches.read_only.line, reservation_fail::read_only_cache,
                 {environment.lanes, requests_, flights_, timer_}),
      together_(environment.together > 1),
      lines_(configuration, caches.l1d, line_environment_of(environment), losses_, timer_),
      client_(environment.client),
      entry_(environment.ranges,
             {environment.domain, environment.layout, queue_, flights_, outstanding_, counters_,
              constants_, read_only_, environment.log}),
      outstanding_(environment.client, environment.owners),
      flights_(environment.client, outstanding_, environment.by_lane, environment.log),
      timer_(environment.domain, environment.load_latency),
      constant_timer_(environment.domain, environment.load_latency),
      lost_(environment.client),
      requests_(environment.port, wait_),
      cache_(caches.l1d),
      losses_(line_environment_of(environment)),
      report_({environment.lanes, queue_, wait_, cache_, constants_, read_only_, counters_, timer_,
               constant_timer_, lost_}) {}

line_environment load_store_unit::line_environment_of(const load_store_environment& of) noexcept {
    return {of.lanes, cache_, requests_, flights_, outstanding_, lost_, counters_};
}

bool load_store_unit::head_cycle(std::uint64_t edge) {
    if (wait_.waiting() && !wait_.over(requests_.room(), edge)) return false;
    queued_instruction& m = queue_.head();
    if (m.left.in_shared == 0 && m.left.in_constant != 0 && !constants_.is_free(edge)) return true;
    if (together_) lines_.begin_cycle();
    if (const access_refusal refused = access(m, edge)) {
        wait_.begin(*refused, requests_.room(), edge);
        return false;
    }
    if (together_) serve_turn(edge);
    if (m.left.none()) leave_queue();
    if (queue_.empty()) return false;
    lines_.expect(queue_.head());
    return shared_.busy_until() <= edge + 1;
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
        m.for_log ? client_.log_accessed() : client_.completed(m.flight);
    } else {
        flights_.leave_queue(m.entry);
    }
    if (what != instruction_class::load) outstanding_.end_write(owner);
}

}  // namespace heddle
