// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/thread_turn.h"

#include "models/base/bits.h"

namespace heddle::protocol {

namespace {

constexpr name_list<1> thread_turn_phases{"turn"};

}  // namespace

const rule_table& link_rules<thread_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = one_call_table("thread_turn", thread_turn_phases);
        t.counted = false;
        return t;
    }();
    return table;
}

std::string link_rules<thread_link>::request_error(const thread_turn& p) {
    if (p.arrival_count != 0 && p.arrivals == nullptr) return "arrivals are counted but not given";
    for (std::uint32_t n = 0; n < p.arrival_count; ++n) {
        if (p.arrivals[n].lanes == 0) return "no thread arrives in an arrival";
        if (p.arrivals[n].pc % 4 != 0) return illegal_value("pc", p.arrivals[n].pc, "words");
    }
    if (p.calls_before != 0 && p.arrival_count != 0) return "arrivals in a later call of a cycle";
    return {};
}

std::string link_rules<thread_link>::response_error(const thread_turn& p) {
    const thread_issue& issue = p.issue;
    if ((issue.outcome == turn_outcome::issued) != (issue.count != 0)) {
        return "the count of parts contradicts the outcome";
    }
    if (issue.count > maximum_lanes) return illegal_value("count", issue.count, "0..64");
    lane_mask taken = 0;
    for (unsigned n = 0; n < issue.count; ++n) {
        const thread_part& part = issue.parts[n];
        if (part.lanes == 0) return "a part without threads issues";
        if ((part.lanes & taken) != 0) return "two threads issue in one lane";
        taken |= part.lanes;
    }
    if (p.next_change <= p.cycle) return "the next change is not later than this cycle";
    return {};
}

fixed_attributes link_rules<thread_link>::fixed(const thread_turn& p) {
    static constexpr name_list<5> names{"sm", "cycle", "calls_before", "accepting", "arrivals"};
    return fix(names, {p.sm.value(), p.cycle, p.calls_before, p.accepting, p.arrival_count});
}

void link_rules<thread_link>::describe(const thread_turn& p, attribute_list& out) {
    out.add("sm", p.sm.value());
    if (p.issue.outcome != turn_outcome::issued) return;
    std::uint32_t threads = 0;
    for (unsigned n = 0; n < p.issue.count; ++n) threads += bits::count(p.issue.parts[n].lanes);
    out.add("block", p.issue.parts[0].block.value());
    out.add_hex("pc", p.issue.parts[0].pc);
    out.add("threads", threads);
}

}  // namespace heddle::protocol
