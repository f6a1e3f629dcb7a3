// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "hw/smx_scheduler/chain/control_register.h"
#include "hw/smx_scheduler/chain/kde_chain.h"
#include "hw/smx_scheduler/chain/launch_progress.h"
#include "hw/smx_scheduler/chain/resident_kernels.h"

namespace heddle {

/// Which launch is distributed: SSCR, the chain that says what it is loaded with next, and the
/// kernels in the entries.
///
/// A launch of higher priority goes before the one in SSCR if this has not begun; with preemption
/// it interrupts any kernel. A launch that was interrupted goes on where it was.
class launch_order {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// `progress` outlives the object.
    launch_order(std::unique_ptr<kde_chain> chain, unsigned kde_entries, unsigned smx_count,
                 const launch_progress& progress, bool preempts);

    [[nodiscard]] kde_chain& chain() noexcept { return *chain_; }
    [[nodiscard]] const kde_chain& chain() const noexcept { return *chain_; }
    [[nodiscard]] control_register& sscr() noexcept { return sscr_; }
    [[nodiscard]] const control_register& sscr() const noexcept { return sscr_; }
    [[nodiscard]] resident_kernels& kernels() noexcept { return kernels_; }
    [[nodiscard]] const resident_kernels& kernels() const noexcept { return kernels_; }

    /// A kernel has come into an entry. False, and no change, if the entry has blocks to distribute
    /// or does not exist.
    [[nodiscard]] bool start(kde_index kde, const launch_ptr& kernel);
    /// Loads SSCR with the entry's own kernel, or with what is left of it.
    void load(kde_index kde);
    /// Priority of what is distributed now or next; 0: nothing is.
    [[nodiscard]] std::uint32_t next_priority() const;
    /// Whether something of higher priority stands behind what is distributed next, which has this
    /// priority or less: groups join behind all that waits. O(entries).
    [[nodiscard]] bool higher_stands_behind(std::uint32_t priority) const;

private:
    [[nodiscard]] bool gives_way() const;
    void interrupt();

    const std::unique_ptr<kde_chain> chain_;
    resident_kernels kernels_;
    control_register sscr_;
    const launch_progress& progress_;
    const bool preempts_;
    std::map<kde_index, control_register> interrupted_;  ///< launches that have begun
};

}  // namespace heddle
