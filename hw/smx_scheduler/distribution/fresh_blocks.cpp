// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/distribution/fresh_blocks.h"

#include <algorithm>

namespace heddle {

const protocol::launched_block* fresh_blocks::next() {
    control_register& sscr = of_.order.sscr();
    if (!sscr.valid() && !load()) return nullptr;
    const control_register::launch_ptr& launch = sscr.launch();
    if (of_.returning.hold_up(launch->priority)) return nullptr;
    if (launch->cooperative && !of_.progress.knows(launch->launch)) begin_cooperation();
    next_.launch = launch->launch;
    next_.kde = sscr.kde();
    next_.group = sscr.group();
    next_.kernel = launch;
    next_.block = sscr.next_block();
    next_.position = sscr.position();
    return &next_;
}

/// SSCR takes the head of the chain. False: there is none, or its record has not come.
bool fresh_blocks::load() {
    if (of_.order.chain().empty()) return false;
    const kde_chain::source head = of_.order.chain().head();
    if (head.group != null_group) return of_.launching.load(head.kde, head.group);
    of_.order.load(head.kde);
    return true;
}

/// The blocks that a cooperative launch starts with are decided when there is room for the first.
void fresh_blocks::begin_cooperation() {
    control_register& sscr = of_.order.sscr();
    const protocol::kernel_launch& launch = *sscr.launch();
    if (of_.shortens) {
        const std::uint32_t fit = std::min(sscr.blocks_left(), of_.room.places(launch.per_block));
        if (fit == 0) return;
        const std::uint32_t reserved = of_.room.reserve().places(launch.per_block);
        sscr.shorten(std::max(fit, reserved + 1) - reserved);
    }
    of_.progress.begin(launch.launch, sscr.kde(), sscr.blocks_left());
    of_.cooperation.begin(sscr.launch(), sscr.blocks_left());
}

bool fresh_blocks::placed(sm_id sm) {
    if (!of_.progress.knows(next_.launch)) {
        of_.progress.begin(next_.launch, next_.kde, of_.order.sscr().blocks_left());
    }
    const bool of_group = next_.group != null_group;
    if (of_group) of_.launching.start_block(next_.group);
    of_.entries.start_block(next_, of_group);
    return of_.order.sscr().visit(sm);
}

void fresh_blocks::sent() {
    if (!of_.order.sscr().advance()) return;
    // That was the launch's last block.
    of_.cooperation.all_placed(next_.launch);
    if (next_.group != null_group) {
        of_.order.chain().advance(of_.launching.exhaust(next_.group));
    } else {
        of_.order.chain().advance();
        of_.entries.exhaust(next_);
    }
    next_ = {};  // lets the launch go
}

void fresh_blocks::lacks(block_limit what) {
    if (what != block_limit::handshake) of_.cooperation.waits(next_.launch);
}

}  // namespace heddle
