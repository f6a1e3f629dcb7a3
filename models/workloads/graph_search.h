// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "models/inputs/graph.h"
#include "models/workloads/report.h"

/// What the workloads that search a graph breadth-first share.
namespace heddle::workloads {

/// The distance of a vertex that is not reached; the kernels' too.
inline constexpr std::uint32_t unreached = 0xffffffff;

/// Distances from `source`, serially with a queue.
[[nodiscard]] std::vector<std::uint32_t> search_serially(const inputs::graph& graph,
                                                         std::uint32_t source);

/// Where `searches` searches start: at `wanted` first, unless it is -1, then at random vertices
/// that have edges (any vertex, if the graph has no edges). Throws configuration_error with the
/// name of the workload if `wanted` is no vertex.
[[nodiscard]] std::vector<std::uint32_t> choose_sources(const char* workload,
                                                        const inputs::graph& graph,
                                                        std::int64_t wanted, std::uint32_t searches,
                                                        random_stream stream);

/// What searches did, for the summary.
struct search_totals {
    std::uint64_t searches = 0;
    std::uint64_t reached = 0;
    std::uint64_t traversed = 0;  ///< edges that leave reached vertices
    std::uint32_t levels = 0;     ///< greatest distance of all searches

    void add(const inputs::graph& graph, const std::vector<std::uint32_t>& distance);
};

/// Rows of the graph and of the searches in it, which took `clocks` of the device together.
void add_rows(workload_report& report, const inputs::graph& graph, const search_totals& totals,
              std::optional<std::uint64_t> clocks);

}  // namespace heddle::workloads
