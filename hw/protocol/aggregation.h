// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/base/pool.h"
#include "hw/protocol/group_index.h"
#include "hw/protocol/kernel_launch.h"
#include "hw/protocol/link_rules.h"

/// smx -> smx_scheduler: the aggregated groups that the threads of a warp launch together.
/// Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.2, step 3.
namespace heddle::protocol {

/// A group of an aggregation.
struct aggregated_group {
    pool_ptr<kernel_launch> launch;
    /// Hardware thread that launches it: warp slot x warp size + lane, within its SMX.
    std::uint32_t thread = 0;
    record_address record{};  ///< of its launch record
};

/// One aggregation operation command: what the threads of a warp launch with one instruction.
struct aggregation : pooled<aggregation> {
    sm_id sm{};
    warp_slot warp{};
    launch_id parent{};
    std::uint32_t count = 0;  ///< of groups
    /// Cycles of the search that have passed already: it goes on beside the allocation of the
    /// parameter buffers.
    std::uint32_t overlapped = 0;
    std::array<aggregated_group, maximum_lanes> groups{};

    void recycle();
};

/// ```
///            fw request                 bw accepted                bw completed
///   [idle] -------------> [requested] --------------> [pending] --------------> [closed]
///   request:   TLM_ACCEPTED
///   accepted:  TLM_ACCEPTED; every group has joined an entry or been passed on to the KMU
///   completed: TLM_COMPLETED; all its groups, and all that they have caused, have ended
/// ```
/// One aggregation of an SMX at a time may be in [requested].
enum class aggregation_phase : std::uint8_t { request, accepted, completed };

struct aggregation_link {
    using tlm_payload_type = aggregation;
    using tlm_phase_type = aggregation_phase;
};

template <>
struct link_rules<aggregation_link> : usual_rules<aggregation> {
    static const rule_table& table();
    static std::string request_error(const aggregation& p);
    static std::string response_error(const aggregation& p);
    static fixed_attributes fixed(const aggregation& p);
    static void describe(const aggregation& p, attribute_list& out);
    static std::string title(const aggregation& p);
    static std::uint64_t flow_in(const aggregation& p) { return launch_flow(p.parent); }
    static std::uint64_t flow_out(const aggregation& p) {
        return launch_flow(p.groups[0].launch->launch);
    }
    static std::vector<std::uint64_t> further_flows(const aggregation& p);
};

}  // namespace heddle::protocol
