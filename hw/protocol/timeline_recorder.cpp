// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/timeline_recorder.h"

#include <algorithm>

#include "hw/base/present.h"

namespace heddle::protocol {

link_recorder::link_recorder(trace_writer& writer, const std::string& owner, std::string_view label,
                             const rule_table& table, bool only_lasting_states)
    : writer_(writer),
      table_(table),
      only_lasting_states_(only_lasting_states),
      track_(writer.add_track(owner, label)) {}

bool link_recorder::begins(const void* payload, path via, unsigned phase) const {
    return table_.find(idle_state, via, phase) != nullptr && open_.count(payload) == 0;
}

unsigned link_recorder::take_lane(std::uint64_t begin_ps) {
    const auto fits = [&](const lane_state& lane) {
        return !lane.busy && lane.free_from_ps <= begin_ps;
    };
    const auto found = std::find_if(lanes_.begin(), lanes_.end(), fits);
    const auto lane = static_cast<unsigned>(found - lanes_.begin());
    if (found == lanes_.end()) {
        lanes_.emplace_back();
        writer_.add_lane(track_, lane);
    }
    return lane;
}

void link_recorder::begin(const void* payload, path via, unsigned phase, const sc_core::sc_time& at,
                          attributes what) {
    const transition* taken = table_.find(idle_state, via, phase);
    const std::uint64_t ps = picoseconds(at);
    const unsigned lane = take_lane(ps);
    lanes_[lane].busy = true;
    open_transaction fresh{++begun_, lane, {}, {}, 1, std::move(what)};
    fresh.begin_ps[0] = ps;
    fresh.state[0] = taken->to;
    open_.emplace(payload, std::move(fresh));
}

void link_recorder::step(const void* payload, path via, unsigned phase, const sc_core::sc_time& at,
                         std::string_view instant) {
    const auto found = open_.find(payload);
    if (found == open_.end()) {
        return;
    }
    open_transaction& open = found->second;
    const transition* taken = table_.find(open.state[open.stamps - 1], via, phase);
    if (taken == nullptr) {
        return;
    }
    if (!instant.empty()) writer_.write_instant(track_, open.lane, instant, picoseconds(at));
    if (taken->to == closed_state) {
        complete(payload, at);
    } else if (open.stamps < maximum_stamps) {
        open.begin_ps[open.stamps] = std::max(picoseconds(at), open.begin_ps[open.stamps - 1]);
        open.state[open.stamps] = taken->to;
        ++open.stamps;
    }
}

void link_recorder::complete(const void* payload, const sc_core::sc_time& at) {
    const auto found = open_.find(payload);
    if (found == open_.end()) {
        return;
    }
    write(found->second, picoseconds(at));
    open_.erase(found);
}

std::string_view link_recorder::title(const attributes& what) const {
    return what.title.empty() ? table_.link : std::string_view(what.title);
}

void link_recorder::write(const open_transaction& open, std::uint64_t end_ps) {
    const std::uint64_t end = std::max(end_ps, open.begin_ps[open.stamps - 1]);
    trace_writer::slice slice{track_,      open.lane,           title(open.what),
                              table_.link, open.what.arguments, open.begin_ps[0],
                              end,         open.what.flow_in,   false};
    writer_.write(slice);
    slice.arguments = {};
    slice.flow_starts = true;
    for (unsigned i = 0; i < open.stamps; ++i) {
        slice.name = table_.state_name(open.state[i]);
        slice.begin_ps = open.begin_ps[i];
        slice.end_ps = i + 1 < open.stamps ? open.begin_ps[i + 1] : end;
        slice.flow = open.state[i] == table_.flow_state ? open.what.flow_out : 0;
        // Transactions are told apart by their category; states have one where an arrow starts.
        slice.category = slice.flow != 0 ? table_.link : std::string_view();
        if (only_lasting_states_ && slice.begin_ps == slice.end_ps) continue;
        writer_.write(slice);
        if (slice.flow == 0) continue;
        slice.end_ps = slice.begin_ps;
        for (const std::uint64_t flow : open.what.further_flows) {
            slice.flow = flow;
            writer_.write(slice);
        }
    }
    lanes_[open.lane] = {false, end};
}

void link_recorder::write_call(const sc_core::sc_time& begin, const sc_core::sc_time& end,
                               const attributes& what) {
    const std::uint64_t begin_ps = picoseconds(begin);
    const std::uint64_t end_ps = std::max(picoseconds(end), begin_ps);
    const unsigned lane = take_lane(begin_ps);
    lanes_[lane].free_from_ps = end_ps;
    writer_.write({track_, lane, title(what), table_.link, what.arguments, begin_ps, end_ps,
                   what.flow_in, false});
}

void link_recorder::finish() {
    std::vector<const open_transaction*> sorted;
    sorted.reserve(open_.size());
    for (const auto& [payload, open] : open_) {
        sorted.push_back(&open);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return a->number < b->number; });
    const std::uint64_t now = picoseconds(present::time());
    for (const open_transaction* open : sorted) {
        write(*open, now);
    }
    open_.clear();
}

}  // namespace heddle::protocol
