// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// How long a launch counts to the memory of launches.
enum class launch_memory : std::uint8_t {
    start,  ///< of its first block
    end,    ///< of its last block
};

/// Launches by kernels, keys `launch.*`. Latencies are those of Wang et al., "Dynamic Thread Block
/// Launch", ISCA 2015, Table 3: a call takes b + A x cycles, x = threads of the warp that call.
struct launch_configuration {
    bool enabled = false;
    bool ideal = false;
    std::uint32_t stream_latency = 7165;
    std::uint32_t buffer_latency = 8023;
    std::uint32_t buffer_thread_latency = 129;
    std::uint32_t kernel_latency = 12187;
    std::uint32_t kernel_thread_latency = 1592;
    std::uint32_t fallback_latency = 0;
    std::uint32_t pool_bytes = 1u << 28;
    std::uint32_t pending_limit = 1u << 20;
    std::uint32_t depth_limit = 24;
    std::uint32_t kernel_record_bytes = 0;
    std::uint32_t group_record_bytes = 0;
    std::uint32_t footprint_granule = 1;
    launch_memory footprint_until = launch_memory::start;

    void declare(parameter_list& p);
};

}  // namespace heddle
