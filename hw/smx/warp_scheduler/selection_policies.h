// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>

#include "hw/base/part_list.h"
#include "hw/smx/warp_scheduler/cache_conscious.h"
#include "hw/smx/warp_scheduler/greedy_then_oldest.h"
#include "hw/smx/warp_scheduler/loose_round_robin.h"
#include "hw/smx/warp_scheduler/memory_then_oldest.h"
#include "hw/smx/warp_scheduler/memory_then_recent.h"
#include "hw/smx/warp_scheduler/memory_then_round_robin.h"
#include "hw/smx/warp_scheduler/two_level.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "hw/smx/warp_scheduler/warp_selection.h"

namespace heddle {

/// What `smx.scheduler` chooses from. A policy is made of a selection_setting, or of nothing.
using selection_policies =
    part_list<selection_policy, loose_round_robin, greedy_then_oldest, memory_then_oldest,
              memory_then_round_robin, memory_then_recent, two_level, cache_conscious>;

/// What the policy of a configuration needs and shows; selection_events has the meanings.
struct selection_needs {
    memory_classification classification;
    victim_tag_shape victim_tags;
    bool follows_smx, shows_queues, shows_recency;
};
[[nodiscard]] selection_needs needs_of(const warp_scheduler_configuration& configuration);

/// The `tlm` implementation of the policy that the setting asks for. The setting is not referred to
/// later.
[[nodiscard]] std::unique_ptr<warp_selection> make_warp_selection(const selection_setting& setting);

}  // namespace heddle
