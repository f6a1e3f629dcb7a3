// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include "hw/protocol/link_rules.h"

/// Payload rules of the control links: launches, blocks, warps.
namespace heddle::protocol {

namespace {

template <std::size_t N>
fixed_attributes fix(const std::array<std::string_view, N>& names,
                     const std::array<std::uint64_t, N>& values) {
    static_assert(N <= maximum_fixed_attributes);
    fixed_attributes fixed;
    fixed.names = names.data();
    fixed.count = N;
    for (std::size_t i = 0; i < N; ++i) {
        fixed.values[i] = values[i];
    }
    return fixed;
}

}  // namespace

// ---- kernel_launch ----------------------------------------------------------------------------

std::string request_error(const kernel_launch& p) {
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

std::string response_error(const kernel_launch& p) {
    return p.outcome == launch_outcome::pending ? "outcome is still pending" : "";
}

fixed_attributes fixed(const kernel_launch& p) {
    static constexpr std::array<std::string_view, 5> names{
        "launch", "entry_pc", "parameter_address", "blocks", "threads"};
    return fix(names, {p.launch.value(), p.entry_pc, p.parameter_address, p.grid.count(),
                       p.block.count()});
}

void describe(const kernel_launch& p, attribute_list& out) {
    out.add("launch", p.launch);
    out.add("kernel", p.kernel_name);
    out.add("blocks", p.grid.count());
    out.add("threads", p.block.count());
    out.add("source", p.launch.by_host() ? "host" : "device");
}

std::string title(const kernel_launch& p) {
    return std::string(p.kernel_name);
}

std::uint64_t flow_in(const kernel_launch& p) {
    return p.launch.by_host() ? 0 : launch_flow(p.parent);
}
std::uint64_t flow_out(const kernel_launch& p) {
    return launch_flow(p.launch);
}

// ---- kde_update -------------------------------------------------------------------------------

std::string request_error(const kde_update& p) {
    if (p.launch == launch_id{}) {
        return "launch id is 0; legal: ids are counted from 1";
    }
    if ((p.event == kde_event::kernel_ready) != static_cast<bool>(p.kernel)) {
        return "legal: kernel_ready carries its kernel, the other events carry none";
    }
    return {};
}

std::string response_error(const kde_update&) {
    return {};
}

fixed_attributes fixed(const kde_update& p) {
    static constexpr std::array<std::string_view, 4> names{"launch", "kde", "event", "block"};
    return fix(names,
               {p.launch.value(), p.kde.value(), static_cast<std::uint64_t>(p.event), p.block});
}

void describe(const kde_update& p, attribute_list& out) {
    static constexpr std::array<std::string_view, 4> names{"kernel_ready", "block_started",
                                                           "block_finished", "blocks_exhausted"};
    out.add("launch", p.launch);
    out.add("kde", p.kde.value());
    out.add("event", names[static_cast<unsigned>(p.event) % names.size()]);
    out.add("block", p.block);
}

// ---- block_dispatch ---------------------------------------------------------------------------

std::string request_error(const block_dispatch& p) {
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

std::string response_error(const block_dispatch& p) {
    return p.outcome == block_outcome::running ? "outcome is still running" : "";
}

fixed_attributes fixed(const block_dispatch& p) {
    static constexpr std::array<std::string_view, 6> names{"launch", "kde",  "block",
                                                           "sm",     "slot", "context"};
    return fix(names, {p.launch.value(), p.kde.value(), p.block, p.sm.value(), p.slot.value(),
                       p.context.value()});
}

void describe(const block_dispatch& p, attribute_list& out) {
    out.add("launch", p.launch);
    out.add("block", p.block);
    out.add("kde", p.kde.value());
    out.add("sm", p.sm.value());
    out.add("slot", p.slot.value());
    if (p.kernel) {
        out.add("kernel", p.kernel->kernel_name);
    }
}

std::string title(const block_dispatch& p) {
    return "block " + std::to_string(p.block);
}

std::uint64_t flow_in(const block_dispatch& p) {
    return launch_flow(p.launch);
}
std::uint64_t flow_out(const block_dispatch& p) {
    return block_flow(p.launch, p.block);
}

// ---- warp_cycle -------------------------------------------------------------------------------

std::string request_error(const warp_cycle& p) {
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

std::string response_error(const warp_cycle& p) {
    const issue& d = p.decision;
    const unsigned warp = d.warp.value();
    if (d.valid && (warp >= maximum_warps || ((p.status.issuable >> warp) & 1U) == 0)) {
        return "warp " + std::to_string(warp) + " was issued but is not issuable";
    }
    return {};
}

fixed_attributes fixed(const warp_cycle& p) {
    static constexpr std::array<std::string_view, 6> names{"sm",    "scheduler", "resident",
                                                           "ready", "issuable",  "started"};
    return fix(names, {p.sm.value(), p.scheduler, p.status.resident, p.status.ready,
                       p.status.issuable, p.status.started});
}

void describe(const warp_cycle& p, attribute_list& out) {
    out.add("sm", p.sm.value());
    out.add("scheduler", p.scheduler);
    if (p.decision.valid) {
        out.add("warp", p.decision.warp.value());
    }
}

bool recorded(const warp_cycle& p) {
    return p.decision.valid;
}

}  // namespace heddle::protocol
