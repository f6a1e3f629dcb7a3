// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/protocol/kernel_launch.h"

#include "models/device/launch_table.h"
#include "models/device/program_table.h"
#include "models/program/image.h"

namespace heddle::protocol {

void kernel_launch::carry(const prepared_launch& what) {
    const held_program::counted_kernel& counted = what.program->counted(*what.kernel);
    launch = what.id;
    parent = what.parent;
    program = what.program;
    kernel = what.kernel;
    kernel_number = counted.number;
    kernel_name = counted.label;
    entry_pc = what.kernel->entry;
    grid = what.shape.grid;
    block = what.shape.block;
    parameter_address = what.parameters;
    parameter_bytes = what.kernel->parameter_bytes;
    per_block = what.per_block;
    dynamic_shared_bytes = what.shape.dynamic_shared_bytes;
    cooperative = what.shape.cooperative;
    priority = what.shape.priority;
    offset = what.shape.offset;
    dimensions = what.shape.work_dimensions();
    group = what.group;
    parent_block = what.parent_block;
    device_stream = what.shape.stream.value();
    has_stream = !what.id.by_host() && !what.group;
}

namespace {

constexpr name_list<3> launch_phases{"request", "accepted", "completed"};
constexpr name_list<2> launch_states{"requested", "pending"};

}  // namespace

const rule_table& link_rules<launch_link>::table() {
    static constexpr rule_table table = [] {
        rule_table t = three_phase_table("launch", launch_phases, launch_states);
        t.flow_state = 1;
        return t;
    }();
    return table;
}

const rule_table& link_rules<kernel_dispatch_link>::table() {
    static constexpr rule_table table =
        three_phase_table("kernel_dispatch", launch_phases, launch_states);
    return table;
}

std::string link_rules<launch_link>::request_error(const kernel_launch& p) {
    if (p.launch == launch_id{}) {
        return "launch id is 0; legal: ids are counted from 1";
    }
    if (p.outcome != launch_outcome::pending) {
        return "outcome is set before the launch began";
    }
    if (p.grid.count() == 0) {
        return "the grid has no blocks; legal: every dimension >= 1";
    }
    if (p.block.count() == 0) {
        return "the block has no threads; legal: every dimension >= 1";
    }
    if (p.entry_pc % 4 != 0) {
        return illegal_value("entry_pc", p.entry_pc, "a multiple of 4");
    }
    if (p.parameter_bytes != 0 && p.parameter_address % 4 != 0) {
        return illegal_value("parameter_address", p.parameter_address, "a multiple of 4");
    }
    if (p.dynamic_shared_bytes > p.per_block.shared_bytes) {
        return illegal_value("dynamic_shared_bytes", p.dynamic_shared_bytes,
                             "at most per_block.shared_bytes");
    }
    return {};
}

std::string link_rules<launch_link>::response_error(const kernel_launch& p) {
    return p.outcome == launch_outcome::pending ? "outcome is still pending" : "";
}

fixed_attributes link_rules<launch_link>::fixed(const kernel_launch& p) {
    static constexpr name_list<5> names{"launch", "entry_pc", "parameter_address", "blocks",
                                        "threads"};
    return fix(names, {p.launch.value(), p.entry_pc, p.parameter_address, p.grid.count(),
                       p.block.count()});
}

void link_rules<launch_link>::describe(const kernel_launch& p, attribute_list& out) {
    out.add("launch", p.launch);
    out.add("kernel", p.kernel_name);
    out.add("blocks", p.grid.count());
    out.add("threads", p.block.count());
    out.add("source", p.launch.by_host() ? "host" : "device");
}

void link_rules<launch_link>::detail(const kernel_launch& p, bool answered, attribute_list& out) {
    const auto add_shape = [&out](std::string_view key, const dim3& shape) {
        out.add(key, std::string_view(std::to_string(shape.x) + "," + std::to_string(shape.y) +
                                      "," + std::to_string(shape.z)));
    };
    add_shape("grid", p.grid);
    add_shape("block", p.block);
    out.add_hex("entry", p.entry_pc);
    out.add_hex("parameters", p.parameter_address);
    out.add("parameter_bytes", p.parameter_bytes);
    out.add("queue", p.queue.value());
    out.add("priority", p.priority);
    out.add("cooperative", std::uint64_t{p.cooperative});
    if (answered) out.add("outcome", static_cast<std::uint64_t>(p.outcome));
}

std::uint64_t link_rules<launch_link>::flow_in(const kernel_launch& p) {
    return p.launch.by_host() ? 0 : launch_flow(p.parent);
}

}  // namespace heddle::protocol
