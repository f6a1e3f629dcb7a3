// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/smx/execute/execution_observer.h"
#include "hw/top/gpu_configuration.h"
#include "models/simt/debugged_warp.h"

namespace heddle {

class simulation;

/// Lets a debugger follow a timed machine. The machine stands still in the calls of the watch:
/// before an instruction, which is in the middle of a cycle (the instruction has its place in the
/// pipeline already), or behind a cycle of the core clock. So a stop takes no time, and a run that
/// is only looked at has the cycles of one without a debugger. Held warps do take time.
///
/// An extra part of the core's clock, which never sleeps: construct it after the machine.
class debugged_machine final : public clocked {
public:
    /// Throws configuration_error for a machine whose warps have no slots (smx.formation).
    debugged_machine(simulation& simulated, const gpu_configuration& configuration,
                     simt::debug_watch& watch);
    ~debugged_machine() override;

    /// What has to hear of the SMX's execution, before the checks do.
    [[nodiscard]] execution_observer& observer(std::size_t smx) noexcept;
    /// Ends the run behind the present cycle.
    void abandon();
    [[nodiscard]] std::uint64_t cycle() const { return domain().edge(); }
    /// What every warp and part waits for, a line each.
    [[nodiscard]] std::string waiting_text() const;

    void evaluate() override {}
    [[nodiscard]] activity update() override;

private:
    class smx_side;

    void tell_failure();
    void apply_locks();

    simulation& simulated_;
    simt::debug_watch& watch_;
    std::vector<std::unique_ptr<smx_side>> smxs_;
    simt::debugged_warp* recent_ = nullptr;   ///< the last one that was heard of
    simt::debugged_warp* culprit_ = nullptr;  ///< the one whose instruction ended the run
    bool failed_ = false;
    bool holding_ = false;
};

}  // namespace heddle
