// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "hw/base/waveform.h"
#include "hw/protocol/thread_turn.h"
#include "hw/smx/thread_pool/group_former.h"
#include "models/base/histogram.h"
#include "models/base/level_meter.h"
#include "models/base/statistics.h"

namespace heddle {

/// Message id of a violation that a thread pool notices.
inline constexpr char thread_pool_phase_report[] = "/heddle/thread_pool/phase";
inline constexpr char thread_pool_program_report[] = "/heddle/thread_pool/program";
inline constexpr char thread_pool_order_report[] = "/heddle/thread_pool/order";

inline constexpr statistic_declaration thread_pool_statistics[] = {
    {"groups", "warp", "Mean number of warps in the pool, over the cycles in which it held one"},
    {"sizes", "warp",
     "Warps in the pool, of each cycle in which it held one, in bins of 8; the last bin has all "
     "above"},
    {"maximum_groups", "warp", "Most warps in the pool at a time"},
    {"maximum_heap", "entry", "Most entries of the heap over PCs at a time; 0 without one"},
    {"turns", "turn", "Turns in which the pool was asked for a group"},
    {"issues", "turn", "Turns in which a group issued"},
};

/// Threads that could issue, formed into groups: nrec, dwf, mimd. They are those of one scheduler
/// of an SMX, or with dwf.pools = shared of all. A thread is in the pool from its arrival until its
/// group issues; the SMX holds it at all other times.
///
/// `socket` (thread_link target): one `turn` for each group that a scheduler may issue, answered in
/// the call; it takes no simulated time. A turn that brings a new program comes before its threads.
/// The pool catches up on the clocks since the last call. It has no process and no event: while
/// nobody calls, nothing runs.
///
/// Waveform, under the module's name: `groups`, `heap`, `arriving`, `overflow` as of the last turn
/// (former_occupancy), `outcome` of it, `pc` and `lanes` of what issued (of several parts the first
/// PC and all lanes), and what the former declares.
///
/// Errors: SC_REPORT_ERROR (thread_pool_phase_report) for an unknown phase, and
/// (thread_pool_program_report) for a program that comes while threads of another one are here, and
/// (thread_pool_order_report) for a call that does not follow the last one.
class thread_pool final : public sc_core::sc_module {
public:
    /// `waves` may be null.
    thread_pool(const sc_core::sc_module_name& name, const thread_pool_setting& setting,
                waveform* waves);
    ~thread_pool() override;

    protocol::target_socket_of<thread_pool, protocol::thread_link> socket;

    [[nodiscard]] former_occupancy occupancy() const { return former_->occupancy(); }
    /// Puts thread_pool_statistics and those of the former under `scope`, up to cycle `now`.
    void collect(statistics& into, const std::string& scope, std::uint64_t now) const;

private:
    struct traced_state;

    /// Counts the cycles since the last change of the level.
    void count_size(histogram& into, std::uint64_t now) const;
    tlm::tlm_sync_enum turn(protocol::thread_turn& turn, protocol::thread_phase& phase,
                            sc_core::sc_time& time);
    [[nodiscard]] bool follows_last(const protocol::thread_turn& turn) const;

    issue_needs needs_;
    const std::uint32_t interval_;
    std::unique_ptr<group_former> former_;
    std::uint64_t last_ = 0;   ///< cycle of the last turn
    std::uint32_t calls_ = 0;  ///< in that cycle
    std::uint64_t turns_ = 0;
    std::uint64_t issues_ = 0;
    level_meter groups_;
    histogram sizes_ = histogram::linear(8, 17);  ///< up to the last change of the level
    std::uint64_t changed_ = 0;                   ///< cycle of it
    unsigned maximum_heap_ = 0;
    std::unique_ptr<traced_state> traced_;  ///< null without a waveform
};

}  // namespace heddle
