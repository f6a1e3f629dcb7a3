// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/cooperation.h"

namespace heddle::protocol {

namespace {

constexpr name_list<2> phases{"request", "answer"};
constexpr name_list<1> states{"waiting"};
constexpr std::array<transition, 2> two_phases{{
    {idle_state, path::forward, 0, 1, may_accept, false},
    {1, path::backward, 1, closed_state, may_complete, true},
}};
constexpr name_list<4> requests{"offer_kill", "request_fork", "arrive", "arrive_resizing"};

bool forks(const cooperation_call& p) {
    return p.request == cooperation_request::request_fork ||
           p.request == cooperation_request::arrive_resizing;
}

}  // namespace

const rule_table& link_rules<cooperation_link>::table() {
    static constexpr rule_table table = phase_table("cooperation", phases, states, two_phases);
    return table;
}

std::string link_rules<cooperation_link>::request_error(const cooperation_call& p) {
    if (p.launch == launch_id{}) {
        return "launch id is 0; legal: ids are counted from 1";
    }
    if (p.answer != cooperation_answer::none) {
        return "the answer is set before the call";
    }
    if (forks(p) != (p.origin.pc != 0)) {
        return "legal: request_fork and arrive_resizing say where blocks start, the others do not";
    }
    return {};
}

std::string link_rules<cooperation_link>::response_error(const cooperation_call& p) {
    if (p.answer == cooperation_answer::none) {
        return "the answer is not set";
    }
    if (p.answer == cooperation_answer::die && p.block == 0) {
        return "block 0 dies; legal: any other";
    }
    if (p.groups == 0) {
        return illegal_value("groups", p.groups, "at least 1");
    }
    return {};
}

fixed_attributes link_rules<cooperation_link>::fixed(const cooperation_call& p) {
    static constexpr name_list<5> names{"launch", "block", "sm", "slot", "request"};
    return fix(names, {p.launch.value(), p.block, p.sm.value(), p.slot.value(),
                       static_cast<std::uint64_t>(p.request)});
}

void link_rules<cooperation_link>::describe(const cooperation_call& p, attribute_list& out) {
    out.add("launch", p.launch);
    out.add("block", p.block);
    out.add("slot", p.slot.value());
    out.add("groups", p.groups);
    if (p.forked != 0) out.add("forked", p.forked);
}

std::string link_rules<cooperation_link>::title(const cooperation_call& p) {
    std::string text(requests[static_cast<unsigned>(p.request) % requests.size()]);
    if (p.answer == cooperation_answer::die) text += ": dies";
    if (p.forked != 0) text += ": forks " + std::to_string(p.forked);
    return text;
}

}  // namespace heddle::protocol
