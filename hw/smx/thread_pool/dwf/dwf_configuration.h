// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/part_configurations.h"
#include "hw/smx/thread_pool/dwf/thread_places.h"
#include "models/base/parameter.h"

namespace heddle {

/// Which warp of the pool issues: a place in the list `warp_policies`.
enum class warp_policy_kind : std::uint8_t {};

/// How many home lanes the conflict check of dynamic warp formation tells apart.
enum class home_lane_count : std::uint8_t {
    warp,      ///< one for each thread of a warp
    pipeline,  ///< one for each lane of the pipeline: warp size / issue interval
};

/// Which threads can form warps together in an SMX with several schedulers.
enum class pool_count : std::uint8_t {
    per_scheduler,  ///< those of one scheduler: of its home warps
    shared,         ///< all, and each scheduler picks in the one pool
};

/// Dynamic warp formation, keys `dwf.`. The defaults are those of Fung, "Dynamic Warp Formation",
/// MASc thesis, University of British Columbia 2008, table 7.1; those of overflow and patience are
/// ours.
struct dwf_configuration {
    warp_policy_kind policy;
    std::uint32_t lut_entries = 64;
    std::uint32_t lut_ways = 4;
    std::uint32_t pool_entries = 128;
    pool_count pools = pool_count::per_scheduler;
    part_configurations policies;  ///< each is in the header of its policy
    bool lane_aware = true;
    lane_swizzling swizzling = lane_swizzling::swap;
    home_lane_count home_lanes = home_lane_count::warp;
    bool bank_conflicts = true;
    bool infinite_resources = false;
    std::uint32_t overflow_latency = 400;
    std::uint32_t patience = 10000;
    bool individual_return = false;

    /// The default policy is `majority`.
    dwf_configuration();
    void declare(parameter_list& p);
};

}  // namespace heddle
