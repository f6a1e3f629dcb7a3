// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the SMX scheduler shows and tells: waveform, what it waits for, statistics.
#include "hw/smx_scheduler/smx_scheduler.h"

namespace heddle {

activity smx_scheduler::update() {
    waves_.show(counts_.dispatched_blocks(), *chain_, sscr_, accounts_);
    if (groups_) {
        waves_.show_groups(groups_->chain().table().used(), groups_->chain().spilled(), sscr_);
    }
    if (waves_.on()) {
        waves_.show_cooperation(cooperation_.counts().groups(), wanted(), cooperation_.dying());
    }
    // A block that could not be placed waits for something to arrive, which wakes.
    bool busy = (placed_ != 0 && !(chain_->empty() && forked_.empty())) || aggregated_ ||
                (cooperated_ && !forked_.empty()) || (placed_ != 0 && any_returns());
    for (const std::uint64_t word : answered_) {
        busy = busy || word != 0;
    }
    return busy ? activity::busy : activity::idle;
}

bool smx_scheduler::empty() const noexcept {
    return chain_->empty() && ready_.empty() && forked_.empty() && accounts_.resident() == 0 &&
           returning_.empty() && (!groups_ || groups_->idle());
}

std::string smx_scheduler::waiting_for() const {
    if (empty()) {
        return {};
    }
    static constexpr const char* limits[block_limit_count] = {"",
                                                              "a block slot",
                                                              "threads",
                                                              "registers",
                                                              "shared memory",
                                                              "private memory",
                                                              "an SMX to start its last block"};
    std::string text = std::to_string(accounts_.resident()) + " blocks to finish";
    if (groups_) text += groups_->waiting_for();
    text += cooperation_.waiting_for();
    const std::size_t away = preemption_ ? preemption_->away() : 0;
    if (away != 0) text += "; " + std::to_string(away) + " preempted blocks to come back";
    if (returning_.size() != away) {
        text += "; " + std::to_string(returning_.size() - away) + " suspended blocks to come back";
    }
    const protocol::block_dispatch* const back =
        any_returns() ? returning_.next()->block.get() : nullptr;
    if (counts_.stall() != block_limit::none && (back != nullptr || sscr_.valid())) {
        const std::uint32_t block = back != nullptr ? back->block : sscr_.next_block();
        const launch_id launch = back != nullptr ? back->launch : sscr_.launch()->launch;
        text += "; block " + std::to_string(block) + " of launch " + to_text(launch) +
                " and all that come later wait for " +
                limits[static_cast<std::size_t>(counts_.stall())];
    }
    return text;
}

void smx_scheduler::collect(statistics& out, const std::string& scope) const {
    counts_.collect(out, scope, clocked::domain().edge());
    if (cooperation_.counts().launches() != 0) {
        cooperation_.counts().collect(out, "coop", clocked::domain().edge());
    }
    if (preemption_) preemption_->counts().collect(out, "coop.preempt");
}

}  // namespace heddle
