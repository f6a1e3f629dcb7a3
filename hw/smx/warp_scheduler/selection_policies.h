// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "hw/base/slot.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// Whether the policy acts on events of all warps of the SMX (selection_events::follows_smx).
[[nodiscard]] bool follows_smx(selection_policy policy);

/// The implementation that the configuration asks for, after reset, for a scheduler of the warps in
/// slots `own`. `context.path` names the slot. `configuration` is not referred to later. Throws
/// configuration_error if this build does not have it.
[[nodiscard]] std::unique_ptr<warp_selection> make_warp_selection(
    const warp_scheduler_configuration& configuration, std::uint64_t own,
    const slot_context& context);

/// The value of `smx.scheduler` that names the policy.
[[nodiscard]] const char* policy_name(selection_policy policy);

}  // namespace heddle
