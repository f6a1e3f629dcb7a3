// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/random.h"
#include "models/inputs/graph.h"

/// What the workloads share that choose vertices by priorities which the neighbours compare.
namespace heddle::workloads {

/// The colour of a vertex without one, as the kernels know it.
inline constexpr std::uint32_t uncoloured = 0xffffffff;

/// The numbers from 1 to `count` in random order.
[[nodiscard]] std::vector<std::uint32_t> random_priorities(random_stream stream,
                                                           std::uint32_t count);

/// The vertices, the highest priority first.
[[nodiscard]] std::vector<std::uint32_t> by_priority(const std::vector<std::uint32_t>& priority);

/// The colour of a vertex is the round in which all its neighbours of higher priority have one.
[[nodiscard]] std::vector<std::uint32_t> colour_serially(
    const inputs::graph& graph, const std::vector<std::uint32_t>& priority);

/// Throws configuration_error with the workload's name unless the graph is undirected and without
/// self-loops, which no colouring has room for.
void require_colourable(const std::string& workload, const inputs::graph& graph);

}  // namespace heddle::workloads
