// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// Whether the policy acts on events of all warps of the SMX (selection_events::follows_smx).
[[nodiscard]] bool follows_smx(selection_policy policy);

/// The `tlm` implementation of the policy that the setting asks for. The setting is not referred to
/// later.
[[nodiscard]] std::unique_ptr<warp_selection> make_warp_selection(const selection_setting& setting);

/// The value of `smx.scheduler` that names the policy.
[[nodiscard]] const char* policy_name(selection_policy policy);

}  // namespace heddle
