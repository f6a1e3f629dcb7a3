// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/block_dispatch.h"

namespace heddle::protocol {

namespace {

constexpr name_list<3> block_dispatch_phases{"dispatch", "started", "done"};
constexpr name_list<2> block_dispatch_states{"dispatched", "running"};

}  // namespace

const rule_table& link_rules<block_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t =
            three_phase_table("block_dispatch", block_dispatch_phases, block_dispatch_states);
        t.flow_state = 1;  // warps begin before the SMX says that the block has started
        return t;
    }();
    return table;
}

std::string link_rules<block_link>::request_error(const block_dispatch& p) {
    if (p.launch == launch_id{}) {
        return "launch id is 0; legal: ids are counted from 1";
    }
    if (!p.kernel) {
        return "the block carries no kernel";
    }
    if (p.outcome != block_outcome::running) {
        return "outcome is set before the block ran";
    }
    const dim3& grid = p.kernel->grid;
    if (p.position.x >= grid.x || p.position.y >= grid.y || p.position.z >= grid.z) {
        return "the block's position is outside its grid";
    }
    const std::uint64_t linear =
        p.position.x +
        std::uint64_t{grid.x} * (p.position.y + std::uint64_t{grid.y} * p.position.z);
    if (p.block != linear) {
        return illegal_value("block", p.block, std::to_string(linear) + ", as its position says");
    }
    return {};
}

std::string link_rules<block_link>::response_error(const block_dispatch& p) {
    return p.outcome == block_outcome::running ? "outcome is still running" : "";
}

fixed_attributes link_rules<block_link>::fixed(const block_dispatch& p) {
    static constexpr name_list<6> names{"launch", "kde", "block", "sm", "slot", "context"};
    return fix(names, {p.launch.value(), p.kde.value(), p.block, p.sm.value(), p.slot.value(),
                       p.context.value()});
}

void link_rules<block_link>::describe(const block_dispatch& p, attribute_list& out) {
    out.add("launch", p.launch);
    out.add("block", p.block);
    if (p.kde != no_kde) out.add("kde", p.kde.value());
    out.add("sm", p.sm.value());
    out.add("slot", p.slot.value());
    if (p.kernel) {
        out.add("kernel", p.kernel->kernel_name);
    }
}

void link_rules<block_link>::detail(const block_dispatch& p, bool answered, attribute_list& out) {
    out.add("x", p.position.x);
    out.add("y", p.position.y);
    out.add("z", p.position.z);
    out.add("context", p.context.value());
    out.add("invalidate_l1", std::uint64_t{p.invalidate_l1});
    if (!answered) return;
    out.add("outcome", static_cast<std::uint64_t>(p.outcome));
    out.add("warp_instructions", p.warp_instructions);
}

std::string link_rules<block_link>::title(const block_dispatch& p) {
    return "block " + std::to_string(p.block);
}

}  // namespace heddle::protocol
