// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/smx_scheduler.h"

/// What the SMX scheduler tells about itself: wait-for report, statistics, waveform.
namespace heddle {

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
    if (stall_ != block_limit::none) {
        const kernel& k = kernels_[sscr_.kde];
        text += "; block " + std::to_string(sscr_.next_block) + " of launch " +
                std::to_string(k.launch->launch.value()) + " and all that come later wait for " +
                limits[static_cast<std::size_t>(stall_)];
    }
    return text;
}

void smx_scheduler::collect(statistics& out, const std::string& scope) const {
    auto stalls = stall_cycles_;
    stalls[static_cast<std::size_t>(stall_)] += clocked::domain().edge() - counted_edges_;
    const auto stall = [&](block_limit limit) { return stalls[static_cast<std::size_t>(limit)]; };
    out.declare(scope, smx_scheduler_statistics);
    out.set(scope + ".blocks", distributed_);
    if (distributed_ != 0) {
        out.set(scope + ".first_dispatch", first_dispatch_);
        out.set(scope + ".last_dispatch", last_dispatch_);
    }
    out.set(scope + ".blocks_finished", finished_);
    out.set(scope + ".stall_blocks", stall(block_limit::blocks));
    out.set(scope + ".stall_threads", stall(block_limit::threads));
    out.set(scope + ".stall_registers", stall(block_limit::registers));
    out.set(scope + ".stall_shared", stall(block_limit::shared));
    out.set(scope + ".stall_private", stall(block_limit::private_memory));
    out.set(scope + ".stall_handshake", stall(block_limit::handshake));
    out.declare("launch", launch_statistics);
    out.set("launch.count", waiting_time_.samples());
    out.set("launch.waiting_time", waiting_time_);
}

void smx_scheduler::declare_waves(waveform& waves) {
    waves_on_ = true;
    const std::string scope = sc_module::name();
    marked_wave_ =
        waves.declare_bits(scope + ".fcfs.marked", static_cast<unsigned>(kernels_.size()));
    blocks_wave_ = waves.declare_integer(scope + ".blocks");
    head_wave_ = waves.declare_integer(scope + ".fcfs.head");
    sscr_valid_wave_ = waves.declare_bits(scope + ".sscr.valid", 1);
    sscr_kde_wave_ = waves.declare_integer(scope + ".sscr.kdei");
    sscr_block_wave_ = waves.declare_integer(scope + ".sscr.next_block");
    for (std::size_t sm = 0; sm < accounts_.count(); ++sm) {
        const std::string smx = scope + ".smx_" + std::to_string(sm);
        smx_waves_.emplace_back(smx_waves{waves.declare_integer(smx + ".free_blocks"),
                                          waves.declare_integer(smx + ".free_threads"),
                                          waves.declare_integer(smx + ".free_registers"),
                                          waves.declare_integer(smx + ".free_shared")});
        changed_.emplace_back(sm);
    }
}

void smx_scheduler::show_waves() {
    blocks_wave_.set(static_cast<std::int64_t>(distributed_));
    marked_wave_.set(fcfs_.marks());
    head_wave_.set(fcfs_.empty() ? -1 : std::int64_t{fcfs_.head().value()});
    sscr_valid_wave_.set(sscr_.valid ? 1 : 0);
    sscr_kde_wave_.set(sscr_.kde.value());
    sscr_block_wave_.set(sscr_.next_block);
    for (const sm_id sm : changed_) {
        const smx_capacity& capacity = accounts_.capacity(sm);
        smx_waves& shown = smx_waves_[sm];
        shown.free_blocks.set(capacity.free_blocks());
        shown.free_threads.set(capacity.free().threads);
        shown.free_registers.set(capacity.free().registers);
        shown.free_shared.set(capacity.free().shared_bytes);
    }
    changed_.clear();
}

}  // namespace heddle
