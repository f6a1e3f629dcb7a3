// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/top/gpu_configuration.h"

namespace heddle {

/// A pool of credits on the way to memory: a queue, a buffer, miss registers.
struct credit_need {
    std::string key;          ///< of the parameter
    std::string unit;         ///< what one credit is for
    std::uint64_t has = 0;    ///< credits that the configuration gives
    std::uint64_t needs = 0;  ///< credits that the bandwidth beside them takes
    std::string for_what;     ///< which bandwidth

    [[nodiscard]] bool enough() const noexcept { return has >= needs; }
};

/// The pools whose size limits the bandwidth, by Little's law: credits in use = throughput x time
/// that one is held. The time is that of an access that meets no other (unloaded_load); the
/// throughput is what DRAM or the crossbar can carry, an equal part of it for each SMX or bank.
/// A pool with fewer credits than it needs costs bandwidth, whatever the latencies overlap.
[[nodiscard]] std::vector<credit_need> credit_needs(const gpu_configuration& machine);

/// One sentence for each pool with too few credits: the key, what it has, what it needs.
struct credit_warning {
    std::string key;
    std::string text;
};
[[nodiscard]] std::vector<credit_warning> credit_warnings(const gpu_configuration& machine);

}  // namespace heddle
