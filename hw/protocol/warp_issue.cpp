// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/warp_issue.h"

namespace heddle::protocol {

namespace {

constexpr name_list<1> warp_issue_phases{"select"};

}  // namespace

const rule_table& link_rules<warp_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = one_call_table("warp_issue", warp_issue_phases);
        t.once_per_instant = true;
        t.counted = false;
        return t;
    }();
    return table;
}

std::string link_rules<warp_link>::request_error(const warp_cycle& p) {
    const warp_status& s = p.status;
    if ((s.ready & ~s.resident) != 0) {
        return "a warp is ready but not resident";
    }
    if ((s.issuable & ~s.ready) != 0) {
        return "a warp is issuable but not ready";
    }
    if ((s.started & ~s.resident) != 0) {
        return "a warp has started but is not resident";
    }
    if ((s.started & s.ready) != 0) {
        return "a warp is ready in the cycle in which it starts";
    }
    return {};
}

std::string link_rules<warp_link>::response_error(const warp_cycle& p) {
    const issue& d = p.decision;
    const unsigned warp = d.warp.value();
    if (d.valid && (warp >= maximum_warps || ((p.status.issuable >> warp) & 1U) == 0)) {
        return "warp " + std::to_string(warp) + " was issued but is not issuable";
    }
    return {};
}

fixed_attributes link_rules<warp_link>::fixed(const warp_cycle& p) {
    static constexpr name_list<6> names{"sm",    "scheduler", "resident",
                                        "ready", "issuable",  "started"};
    return fix(names, {p.sm.value(), p.scheduler, p.status.resident, p.status.ready,
                       p.status.issuable, p.status.started});
}

void link_rules<warp_link>::describe(const warp_cycle& p, attribute_list& out) {
    out.add("sm", p.sm.value());
    out.add("scheduler", p.scheduler);
    if (p.decision.valid) {
        out.add("warp", p.decision.warp.value());
    }
}

void link_rules<warp_link>::detail(const warp_cycle& p, bool, attribute_list& out) {
    out.add("valid", std::uint64_t{p.decision.valid});
    out.add_hex("resident", p.status.resident);
    out.add_hex("ready", p.status.ready);
    out.add_hex("issuable", p.status.issuable);
    out.add_hex("memory", p.status.memory);
    out.add_hex("long_latency", p.status.long_latency);
    out.add_hex("memory_done", p.status.memory_done);
    out.add_hex("started", p.status.started);
    out.add_hex("lost_locality", p.status.lost_locality);
}

}  // namespace heddle::protocol
