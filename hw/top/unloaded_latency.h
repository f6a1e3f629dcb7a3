// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/lsu/loads/load_latency.h"
#include "hw/top/gpu_configuration.h"

namespace heddle {

/// Where a load of global memory finds its bytes: in L1D, in L2, or in a DRAM bank whose row is
/// open, which is closed, or which has another row open.
enum class load_level : std::uint8_t { l1, l2, open_row, closed_bank, other_row };
inline constexpr const char* load_level_names[] = {"l1", "l2", "open_row", "closed_bank",
                                                   "other_row"};

/// Levels that the machine has: L1D if it keeps global memory, L2 if it has lines. A memory of
/// fixed latency has no rows: only closed_bank.
[[nodiscard]] std::vector<load_level> load_levels(const gpu_configuration& machine);

/// What a word's load takes that meets no other access, by stage, in core cycles: the sum of the
/// configured latencies and of the edges that each block waits for. `start`: core edge at which the
/// load-store unit takes the instruction; the edges of several clocks make a difference.
/// Refresh is left out. A line lies in one DRAM row.
[[nodiscard]] load_times unloaded_load(const gpu_configuration& machine, load_level level,
                                       std::uint64_t start);

/// Mean over loads that follow each other, cycles in the order of load_stage.
[[nodiscard]] std::vector<double> mean_unloaded_load(const gpu_configuration& machine,
                                                     load_level level);

}  // namespace heddle
