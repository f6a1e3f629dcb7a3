// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/base/waveform.h"
#include "hw/smx_scheduler/chain/control_register.h"
#include "hw/smx_scheduler/chain/kde_chain.h"
#include "hw/smx_scheduler/placement/smx_accounts.h"

namespace heddle {

/// The SMX scheduler's part of the waveform. Without a sink every call costs one branch.
class smx_scheduler_waves {
public:
    /// `sink` may be null and outlives the simulation.
    smx_scheduler_waves(waveform* sink, const std::string& scope, unsigned kde_entries,
                        unsigned smx_count);

    /// The room on an SMX changes in this cycle.
    void changed(sm_id sm) {
        if (on_) changed_.push_back(sm);
    }
    /// What there is at the end of a cycle; `blocks`: dispatched since the start.
    void show(std::uint64_t blocks, const kde_chain& chain, const control_register& sscr,
              const smx_accounts& accounts) {
        if (on_) push(blocks, chain, sscr, accounts);
    }
    [[nodiscard]] bool on() const noexcept { return on_; }

    // Only if it is on:
    /// The same for aggregated groups, which are shown if they are declared: entries of the AGT in
    /// use, groups without one that have joined a kernel so far.
    void declare_groups(waveform& sink, const std::string& scope);
    void show_groups(unsigned used, std::uint64_t spilled, const control_register& sscr) {
        used_.set(used);
        spilled_.set(static_cast<std::int64_t>(spilled));
        group_.set(show_group(sscr.group()));
    }

    /// The same for cooperative kernels: active blocks, blocks that others want, and those that
    /// were told to end.
    void show_cooperation(std::uint64_t groups, std::uint32_t wanted, std::uint32_t dying) {
        groups_.set(static_cast<std::int64_t>(groups));
        wanted_.set(wanted);
        dying_.set(dying);
    }

private:
    struct room {
        wave_integer blocks, threads, registers, shared;
    };

    void push(std::uint64_t blocks, const kde_chain& chain, const control_register& sscr,
              const smx_accounts& accounts);

    bool on_;
    wave_integer blocks_, head_, kde_, next_block_;
    wave_integer used_, spilled_, group_;
    wave_integer groups_, wanted_, dying_;
    wave_bits marked_, valid_;
    strong_vector<sm_id, room> free_;
    std::vector<sm_id> changed_;  ///< to be shown next
};

}  // namespace heddle
