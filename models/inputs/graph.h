// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heddle::inputs {

/// A range of consecutive vertex numbers, as the neighbours of a vertex.
class vertex_range {
public:
    vertex_range(const std::uint32_t* first, const std::uint32_t* last)
        : first_(first), last_(last) {}
    [[nodiscard]] const std::uint32_t* begin() const noexcept { return first_; }
    [[nodiscard]] const std::uint32_t* end() const noexcept { return last_; }

private:
    const std::uint32_t* first_;
    const std::uint32_t* last_;
};

/// A graph in compressed sparse row form, numbered from 0; also a square sparse matrix, whose
/// rows and columns are the vertices and whose values are the weights.
///
/// An undirected graph stores each edge in both directions, with the same weight, and counts it
/// twice; a self-loop is stored once. The neighbours of a vertex are in ascending order.
/// At least 1 and at most 2^32 - 2 vertices, at most 2^32 - 1 stored edges, so that a device can
/// hold both arrays as words.
struct graph {
    std::string origin;                  ///< the file, or the generator with all its arguments
    std::vector<std::uint32_t> offsets;  ///< vertices + 1: the edges of v start at offsets[v]
    std::vector<std::uint32_t> targets;  ///< for each stored edge
    std::vector<double> weights;         ///< for each stored edge; empty if the input has none
    bool undirected = false;             ///< each edge is stored in both directions

    [[nodiscard]] std::uint32_t vertex_count() const noexcept {
        return static_cast<std::uint32_t>(offsets.size() - 1);
    }
    /// Stored edges.
    [[nodiscard]] std::uint32_t edge_count() const noexcept {
        return static_cast<std::uint32_t>(targets.size());
    }
    /// Edges that leave v.
    [[nodiscard]] std::uint32_t degree(std::uint32_t v) const noexcept {
        return offsets[v + 1] - offsets[v];
    }
    [[nodiscard]] vertex_range neighbours(std::uint32_t v) const noexcept {
        return {targets.data() + offsets[v], targets.data() + offsets[v + 1]};
    }
    [[nodiscard]] bool weighted() const noexcept { return !weights.empty(); }
};

inline constexpr std::uint64_t maximum_vertices = std::numeric_limits<std::uint32_t>::max() - 1;
inline constexpr std::uint64_t maximum_edges = std::numeric_limits<std::uint32_t>::max();

/// Checks what `graph` promises; throws configuration_error that names the graph's origin and the
/// first violation. O(vertices + edges).
void validate(const graph& checked);

/// The edge u -> v, without its reverse, of the lowest u and v; {vertex_count, vertex_count} if
/// each edge's reverse is stored too, with the same weight. O(vertices + edges).
[[nodiscard]] std::pair<std::uint32_t, std::uint32_t> find_one_way_edge(const graph& checked);

}  // namespace heddle::inputs
