// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>

#include "models/base/statistics.h"

namespace heddle::command {

/// What a run took of the host, scope "host": the only statistics that differ between two runs.
inline constexpr statistic_declaration host_statistics[] = {
    {"seconds", "s",
     "Processor time of the simulation, without the making of inputs and references"},
    {"warp_instructions_per_second", "1/s", "Simulated warp instructions per processor second"},
    {"cycles_per_second", "1/s", "Simulated core cycles per processor second"},
    {"peak_memory", "byte", "Largest resident set of the process on the host"},
};

/// Declares and sets the table; `cycles` is none without time.
void collect_host(statistics& into, double seconds, std::uint64_t warp_instructions,
                  std::optional<std::uint64_t> cycles);

}  // namespace heddle::command
