// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::workloads {

/// Coordinates and masses, one vector each, as the device reads them.
struct point_list {
    std::vector<float> x, y, z, mass;

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(x.size()); }
    void add(float px, float py, float pz, float weight) {
        x.push_back(px);
        y.push_back(py);
        z.push_back(pz);
        mass.push_back(weight);
    }
};

/// An octree over bodies in the unit cube (Barnes, Hut, "A Hierarchical O(N log N)
/// Force-Calculation Algorithm", Nature 324, 1986).
///
/// Nodes are in depth-first order. The node behind node k is its first child; skip[k] is the first
/// node that is not below it. Bodies are put into the order of the leaves.
struct body_tree {
    /// Nodes with more than `leaf` bodies have children, down to 1 / 2^16 of the cube. `theta` is
    /// the ratio of a node's side to its distance from which on it is opened.
    body_tree(const point_list& unsorted, std::uint32_t leaf, float theta);

    point_list bodies;
    point_list centres;  ///< of each node: centre of mass, and mass
    std::vector<std::uint32_t> skip;
    std::vector<std::uint32_t> first;  ///< of a leaf: its first body
    std::vector<std::uint32_t> count;  ///< of a leaf: its bodies; 0 for other nodes
    std::vector<float> reach;          ///< square of the distance below which a node is opened

private:
    struct cube {
        float x, y, z, side;
    };
    void build(const point_list& unsorted, const std::vector<std::uint32_t>& inside,
               const cube& place, std::uint32_t leaf, float theta);
};

}  // namespace heddle::workloads
