// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/cooperation.h"

namespace heddle::protocol {

namespace {

constexpr name_list<2> cooperation_phases{"request", "answer"};
constexpr name_list<1> cooperation_states{"waiting"};
constexpr std::array<transition, 2> two_phases{{
    {idle_state, path::forward, 0, 1, may_accept, false},
    {1, path::backward, 1, closed_state, may_complete, true},
}};
constexpr name_list<5> requests{"offer_kill", "request_fork", "arrive", "arrive_resizing",
                                "come_back"};

bool forks(const cooperation_call& p) {
    return p.request == cooperation_request::request_fork ||
           p.request == cooperation_request::arrive_resizing;
}

}  // namespace

const rule_table& link_rules<cooperation_link>::table() {
    static constexpr rule_table table =
        phase_table("cooperation", cooperation_phases, cooperation_states, two_phases);
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
    const bool at_barrier = p.request != cooperation_request::offer_kill &&
                            p.request != cooperation_request::request_fork;
    if (p.answer == cooperation_answer::leave && !at_barrier) {
        return "the block leaves at a call that is answered at once; legal: at a barrier";
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
    return std::string(requests[static_cast<unsigned>(p.request) % requests.size()]);
}

std::string link_rules<cooperation_link>::instant(const cooperation_call& p,
                                                  cooperation_phase phase) {
    if (phase != cooperation_phase::answer) return {};
    if (p.answer == cooperation_answer::die) return "kill of block " + std::to_string(p.block);
    if (p.answer == cooperation_answer::leave)
        return "block " + std::to_string(p.block) + " leaves";
    return p.forked == 0 ? std::string() : "fork of " + std::to_string(p.forked) + " blocks";
}

}  // namespace heddle::protocol
