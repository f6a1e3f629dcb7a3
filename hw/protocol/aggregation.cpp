// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/aggregation.h"

namespace heddle::protocol {

void aggregation::recycle() {
    for (std::uint32_t i = 0; i < count; ++i) groups[i] = {};
    sm = {};
    warp = {};
    parent = {};
    count = 0;
    overlapped = 0;
}

namespace {

constexpr name_list<3> aggregation_phases{"request", "accepted", "completed"};
constexpr name_list<2> aggregation_states{"requested", "pending"};

}  // namespace

const rule_table& link_rules<aggregation_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = three_phase_table("aggregation", aggregation_phases, aggregation_states);
        t.flow_state = 1;
        return t;
    }();
    return table;
}

std::string link_rules<aggregation_link>::request_error(const aggregation& p) {
    if (p.count == 0 || p.count > maximum_lanes) {
        return illegal_value("count", p.count, "1..64");
    }
    for (std::uint32_t i = 0; i < p.count; ++i) {
        const aggregated_group& group = p.groups[i];
        if (!group.launch || !group.launch->group) return "a group carries no launch of a group";
        if (group.launch->parent != p.parent) return "a group has another parent than its warp";
        if (group.launch->outcome != launch_outcome::pending) {
            return "outcome is set before the launch began";
        }
        if (i != 0 && group.thread <= p.groups[i - 1].thread) {
            return "the groups are not in ascending order of threads";
        }
    }
    return {};
}

std::string link_rules<aggregation_link>::response_error(const aggregation& p) {
    for (std::uint32_t i = 0; i < p.count; ++i) {
        if (p.groups[i].launch->outcome == launch_outcome::pending) {
            return "the outcome of a group is still pending";
        }
    }
    return {};
}

fixed_attributes link_rules<aggregation_link>::fixed(const aggregation& p) {
    static constexpr name_list<4> names{"sm", "warp", "parent", "count"};
    return fix(names, {p.sm.value(), p.warp.value(), p.parent.value(), p.count});
}

void link_rules<aggregation_link>::describe(const aggregation& p, attribute_list& out) {
    out.add("parent", p.parent);
    out.add("sm", p.sm.value());
    out.add("warp", p.warp.value());
    out.add("groups", p.count);
}

std::vector<std::uint64_t> link_rules<aggregation_link>::further_flows(const aggregation& p) {
    std::vector<std::uint64_t> flows;
    for (std::uint32_t i = 1; i < p.count; ++i) {
        flows.push_back(launch_flow(p.groups[i].launch->launch));
    }
    return flows;
}

std::string link_rules<aggregation_link>::title(const aggregation& p) {
    return std::to_string(p.count) + " groups";
}

}  // namespace heddle::protocol
