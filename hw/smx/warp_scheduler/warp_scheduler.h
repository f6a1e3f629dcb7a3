// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "hw/base/waveform.h"
#include "hw/protocol/warp_issue.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"
#include "models/base/statistics.h"

namespace heddle {

/// Message ids of violations that a warp scheduler notices.
namespace warp_scheduler_report {
inline constexpr char phase[] = "/heddle/warp_scheduler/phase";
inline constexpr char address[] = "/heddle/warp_scheduler/wrong_scheduler";
}  // namespace warp_scheduler_report

inline constexpr statistic_declaration warp_scheduler_statistics[] = {
    {"issues", "instruction", "Warp instructions that the scheduler issued"},
    {"switches", "instruction",
     "Warp instructions whose warp is not that of the scheduler's instruction before"},
    {"held_back", "cycle",
     "Cycles in which warps could issue, but the policy held all of them back"},
};

/// One of the warp schedulers of an SMX: picks the warp that issues in a cycle.
///
/// `socket` (warp_link target): one `select` per cycle, answered in the call; it takes no simulated
/// time. What it knows changes at the end of a call, so that a decision depends on earlier calls
/// and on `issuable`. The calls that the link allows to leave out change nothing, neither here nor
/// in the waveform. It has no process and no event: while nobody calls, nothing runs.
///
/// The policy is `smx.scheduler`, its implementation the slot NAME.selection.
/// Waveform, under the module's name: as of the last issue `issuable` and `ready` (its own warps,
/// in the order of the slots of the SMX), `issues` (counted) and `last_warp`; and `rank_N` for each
/// of its slots: 0 for its oldest warp, -1 for an empty slot; `policy` all the time. With mto,
/// motrr and motrr_recency also `memory_queue` and `computation_queue`, its ready warps by the type
/// of their next instruction, and with motrr_recency the Recency Register: `recency` (R of all
/// slots of the SMX) and `recency_counter_N` (-1 for an empty slot), as of the last call.
///
/// A policy may decline to issue (ccws): `held_back` counts these cycles.
///
/// Errors: SC_REPORT_ERROR (warp_scheduler_report) for an unknown phase and a call that is meant
/// for another scheduler, which issue nothing.
class warp_scheduler : public sc_core::sc_module {
public:
    /// `own`: the slots whose warps are this scheduler's (slots_of_scheduler()). `waves` may be
    /// null. `view` outlives the scheduler.
    warp_scheduler(const sc_core::sc_module_name& name, unsigned index, protocol::warp_mask own,
                   const warp_scheduler_configuration& configuration,
                   const slot_maker<warp_selection_traits>& selections, waveform* waves,
                   const warp_view& view = selection_setting::no_view);

    ~warp_scheduler() override;

    protocol::target_socket_of<warp_scheduler, protocol::warp_link> socket;

    /// The slots whose warps are this scheduler's.
    [[nodiscard]] protocol::warp_mask own() const noexcept { return own_; }
    [[nodiscard]] std::uint64_t issues() const noexcept { return issues_; }
    [[nodiscard]] std::uint64_t switches() const noexcept { return switches_; }
    [[nodiscard]] std::uint64_t held_back() const noexcept { return held_back_; }
    /// Puts warp_scheduler_statistics under `scope` ("smx.3.scheduler.0").
    void collect(statistics& into, const std::string& scope) const;

private:
    struct traced_state;

    tlm::tlm_sync_enum select(protocol::warp_cycle& cycle, protocol::warp_phase& phase,
                              sc_core::sc_time& time);
    [[gnu::cold]] void report(const protocol::warp_cycle& cycle, protocol::warp_phase phase) const;
    [[gnu::noinline]] void trace(const selection_inputs& in, bool issued);

    const unsigned index_;
    const protocol::warp_mask own_;
    std::unique_ptr<warp_selection> selection_;
    std::uint64_t issues_ = 0;
    std::uint64_t switches_ = 0;
    std::uint64_t held_back_ = 0;
    unsigned last_ = protocol::maximum_warps;  ///< the warp that issued last; none yet
    protocol::warp_mask resident_ = 0;         ///< in the last call
    std::unique_ptr<traced_state> traced_;     ///< null without a waveform
};

}  // namespace heddle
