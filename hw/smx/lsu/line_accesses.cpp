// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/line_accesses.h"

#include "models/program/address_map.h"

namespace heddle {

using isa::instruction_class;
using isa::lane_mask;

namespace {

load_environment loads_of(const line_environment& e, load_timer& timer) noexcept {
    return {e.lanes, e.requests, e.flights, timer};
}

}  // namespace

line_accesses::line_accesses(const load_store_configuration& configuration,
                             const l1_data_cache_configuration& l1d,
                             const line_environment& environment, line_losses& losses,
                             load_timer& timer)
    : cached_loads_(l1d, environment.cache, loads_of(environment, timer), targets_, &losses),
      lanes_(environment.lanes),
      line_bytes_(l1d.line),
      banks_(l1d.banks),
      cache_(environment.cache),
      counters_(environment.counters),
      targets_(l1d.mshrs, loads_of(environment, timer)),
      losses_(losses),
      uncached_loads_(configuration.sector, loads_of(environment, timer), environment.counters,
                      targets_),
      stores_(environment, losses_),
      atomics_(environment, losses_) {}

access_refusal line_accesses::access(queued_instruction& m, std::uint64_t edge) {
    used_banks_ = all_banks;
    const bool is_private = m.left.in_private != 0;
    lane_mask& left = is_private ? m.left.in_private : m.left.in_global;
    if (left == 0) return {};  // no lane was active
    if (!next_known_) {
        next_ = next_of(m, left, is_private);
        next_known_ = true;
    }
    if (const access_refusal refused = perform(m, next_, edge)) return refused;
    left &= ~next_.lanes;
    next_known_ = false;
    if (banks_ > 1 && next_.lanes != 0 && uses_banks(m, next_)) {
        used_banks_ = bank_of(next_);
        access_other_banks(m, left, is_private, edge);
    }
    return {};
}

void line_accesses::expect(const queued_instruction& m) {
    const bool is_private = m.left.in_private != 0;
    const lane_mask left = is_private ? m.left.in_private : m.left.in_global;
    if (left == 0 || next_known_) return;
    next_ = next_of(m, left, is_private);
    next_known_ = true;
    cache_.prefetch(next_.line);
}

line_access line_accesses::next_of(const queued_instruction& m, lane_mask lanes,
                                   bool is_private) const noexcept {
    const auto together = coalescer::next_access(
        m.address, lanes, m.flight.instruction->access_bytes(), line_bytes_, lanes_);
    return {together, is_private, home_warp(m, lanes, lanes_)};
}

access_refusal line_accesses::perform(const queued_instruction& m, const line_access& a,
                                      std::uint64_t edge) {
    access_refusal refused;
    switch (m.flight.instruction->cls) {
        case instruction_class::load:
            if (uses_cache(*m.flight.instruction, a)) {
                refused = cached_loads_.access(m, a, edge);
            } else {
                refused = losses_.clean(m, a);
                if (!refused) refused = uncached_loads_.access(m, a, edge);
            }
            break;
        case instruction_class::store:
            refused = stores_.access(m, a);
            break;
        default:
            refused = atomics_.access(m, a);
            break;
    }
    counters_.line_accesses += refused ? 0 : 1;
    if (profile_ != nullptr && !refused) profile_->accessed(m.flight.position);
    return refused;
}

/// Whether the access goes through the banks of L1D.
bool line_accesses::uses_banks(const queued_instruction& m, const line_access& a) const noexcept {
    const isa::instruction& i = *m.flight.instruction;
    return i.cls != instruction_class::atomic && uses_cache(i, a);
}

/// Whether a load or store uses L1D.
bool line_accesses::uses_cache(const isa::instruction& i, const line_access& a) const noexcept {
    if (a.is_private) return cache_.exists();
    return cache_.holds_global() && !program::reserve_window.contains(a.line) && !i.bypasses_l1();
}

void line_accesses::access_other_banks(const queued_instruction& m, lane_mask& left,
                                       bool is_private, std::uint64_t edge) {
    bool conflict = false;
    for (lane_mask untried = left; untried != 0;) {
        const line_access a = next_of(m, untried, is_private);
        untried &= ~a.lanes;
        const std::uint64_t bank = bank_of(a);
        if ((used_banks_ & bank) != 0) {
            conflict = true;
            continue;
        }
        if (!uses_banks(m, a) || perform(m, a, edge)) break;
        used_banks_ |= bank;
        left &= ~a.lanes;
    }
    counters_.bank_conflicts += conflict ? 1 : 0;
}

}  // namespace heddle
