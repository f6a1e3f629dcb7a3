// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/distribution/smx_scheduler_waves.h"

namespace heddle {

smx_scheduler_waves::smx_scheduler_waves(waveform* sink, const std::string& scope,
                                         unsigned kde_entries, unsigned smx_count)
    : on_(sink != nullptr) {
    if (sink == nullptr) return;
    marked_ = sink->declare_bits(scope + ".fcfs.marked", kde_entries);
    blocks_ = sink->declare_integer(scope + ".blocks");
    head_ = sink->declare_integer(scope + ".fcfs.head");
    valid_ = sink->declare_bits(scope + ".sscr.valid", 1);
    kde_ = sink->declare_integer(scope + ".sscr.kdei");
    next_block_ = sink->declare_integer(scope + ".sscr.next_block");
    groups_ = sink->declare_integer(scope + ".cooperation.groups");
    wanted_ = sink->declare_integer(scope + ".cooperation.wanted");
    dying_ = sink->declare_integer(scope + ".cooperation.dying");
    for (unsigned sm = 0; sm < smx_count; ++sm) {
        const std::string smx = scope + ".smx_" + std::to_string(sm);
        free_.emplace_back(room{sink->declare_integer(smx + ".free_blocks"),
                                sink->declare_integer(smx + ".free_threads"),
                                sink->declare_integer(smx + ".free_registers"),
                                sink->declare_integer(smx + ".free_shared")});
        changed_.emplace_back(sm);
    }
}

void smx_scheduler_waves::declare_groups(waveform& sink, const std::string& scope) {
    used_ = sink.declare_integer(scope + ".agt.used");
    spilled_ = sink.declare_integer(scope + ".agt.spilled");
    group_ = sink.declare_integer(scope + ".sscr.agei");
}

void smx_scheduler_waves::push(std::uint64_t blocks, const kde_chain& chain,
                               const control_register& sscr, const smx_accounts& accounts) {
    blocks_.set(static_cast<std::int64_t>(blocks));
    marked_.set(chain.marks());
    head_.set(chain.empty() ? -1 : std::int64_t{chain.head().kde.value()});
    valid_.set(sscr.valid() ? 1 : 0);
    kde_.set(sscr.kde().value());
    next_block_.set(sscr.next_block());
    for (const sm_id sm : changed_) {
        const smx_capacity& capacity = accounts.capacity(sm);
        room& shown = free_[sm];
        shown.blocks.set(capacity.free_blocks());
        shown.threads.set(capacity.free().threads);
        shown.registers.set(capacity.free().registers);
        shown.shared.set(capacity.free().shared_bytes);
    }
    changed_.clear();
}

}  // namespace heddle
