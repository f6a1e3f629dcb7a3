// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/loads/load_targets.h"

namespace heddle {

load_target load_targets::wait(const queued_instruction& m, const line_access& a,
                               std::uint32_t base, std::uint64_t edge) {
    const load_target index = targets_.take();
    target& t = targets_[index];
    t.flight = m.entry;
    t.next = none;
    t.lanes = a.lanes;
    t.started = timer_.start(m.queued, a.is_private);
    t.joined = edge;
    coalescer::find_offsets(m.address, base, lanes_, t.offsets);
    t.access = flights_.start_access(m.entry, a.lanes);
    return index;
}

void load_targets::wait_for_fill(miss_register miss, const queued_instruction& m,
                                 const line_access& a, std::uint64_t edge) {
    const load_target index = wait(m, a, a.line, edge);
    target_list& list = waiting_[miss];
    (list.last == none ? list.first : targets_[list.last].next) = index;
    list.last = index;
}

void load_targets::deliver(load_target index, const std::uint8_t* data, memory_request& answer) {
    const target& t = targets_[index];
    timer_.answered(t.started, t.joined, answer);
    alignas(64) std::array<std::uint32_t, protocol::maximum_lanes> values;
    coalescer::gather(flights_.instruction(t.flight), t.offsets, t.lanes, data, lanes_,
                      values.data());
    flights_.deliver(t.flight, t.lanes, values.data());
    const flight_access access = t.access;
    targets_.give_back(index);
    flights_.end_access(access);
}

void load_targets::deliver_fill(miss_register miss, const std::uint8_t* line,
                                memory_request& answer) {
    load_target index = waiting_[miss].first;
    waiting_[miss] = {};
    while (index != none) {
        const load_target next = targets_[index].next;
        deliver(index, line, answer);
        index = next;
    }
}

}  // namespace heddle
