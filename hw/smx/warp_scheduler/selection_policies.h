// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <vector>

#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// A policy as the list has it; all but the key comes from the policy's own class.
struct selection_policy_entry {
    selection_policy policy;
    const char* name;  ///< the value of `smx.scheduler`
    const char* description;
    std::unique_ptr<warp_selection> (*make)(const selection_setting&);
    memory_classification (*classification)(const warp_scheduler_configuration&) noexcept;
    victim_tag_shape (*victim_tags)(const warp_scheduler_configuration&) noexcept;
    bool follows_smx, shows_queues, shows_recency;  ///< selection_events has the meanings
};

/// The one list of the policies: parameters, netlist, testbenches and tests take what there is from
/// here.
[[nodiscard]] const std::vector<selection_policy_entry>& selection_policies();
/// Throws configuration_error for a policy that this build does not have.
[[nodiscard]] const selection_policy_entry& entry_of(selection_policy policy);

/// The `tlm` implementation of the policy that the setting asks for. The setting is not referred to
/// later.
[[nodiscard]] std::unique_ptr<warp_selection> make_warp_selection(const selection_setting& setting);

}  // namespace heddle
