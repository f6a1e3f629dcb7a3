// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/parameter.h"
#include "models/base/random.h"
#include "models/inputs/graph.h"
#include "models/workloads/report.h"

/// What the workloads share that search for the cheapest paths from a vertex.
namespace heddle::workloads {

/// The cost of a vertex that no path reaches; the kernels' too.
inline constexpr std::uint32_t no_path = 0xffffffff;

/// Options of each of them; an options struct derives from it.
struct path_options {
    std::int64_t source = -1;
    bool random_weights = false;

    void declare(parameter_list& p) {
        p.add("source", source, range(-1, 0x7fffffff), "vertex",
              "Vertex at which the paths start; -1: the vertex with the most edges");
        p.add("random_weights", random_weights,
              "Draw the weights from 1 to 100, as for an input without weights");
    }
};

/// The graph's weights as the device adds them, or random ones. No path may cost 2^32 - 1 or more.
/// Throws configuration_error with the workload's name for a weight that is no such integer.
[[nodiscard]] std::vector<std::uint32_t> path_weights(const std::string& workload,
                                                      const inputs::graph& graph,
                                                      const path_options& options,
                                                      random_stream stream);

/// Where the paths start. Throws configuration_error with the workload's name if it is no vertex.
[[nodiscard]] std::uint32_t path_source(const std::string& workload, const inputs::graph& graph,
                                        const path_options& options);

/// What paths from `source` cost, by Dijkstra's algorithm.
[[nodiscard]] std::vector<std::uint32_t> cheapest_paths(const inputs::graph& graph,
                                                        const std::vector<std::uint32_t>& weights,
                                                        std::uint32_t source);

/// Compares the costs with those of cheapest_paths() and adds rows of the graph.
void report_paths(workload_report& report, const inputs::graph& graph,
                  const std::vector<std::uint32_t>& weights, std::uint32_t source,
                  const std::vector<std::uint32_t>& cost);

}  // namespace heddle::workloads
