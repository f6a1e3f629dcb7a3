// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/octree/serial_octree.h"

#include <algorithm>
#include <array>

namespace heddle::workloads {
namespace {

constexpr std::uint32_t levels = octree_levels;
using words = serial_octree::words;

/// Points around random places, each coordinate a sum of three: most are near.
words random_points(random_stream stream, const octree_shape& shape) {
    constexpr std::uint64_t side = std::uint64_t{1} << levels;
    words centres(std::size_t{3} * shape.clusters);
    for (auto& centre : centres) centre = static_cast<std::uint32_t>(stream.below(side));
    words points(shape.points);
    for (auto& point : points) {
        const std::size_t near = 3 * stream.below(shape.clusters);
        for (std::uint32_t axis = 0; axis < 3; ++axis) {
            std::uint64_t off = 0;
            for (int i = 0; i < 3; ++i) off += stream.below(side / 8);
            const std::uint64_t at = (centres[near + axis] + off) % side;
            point |= static_cast<std::uint32_t>(at) << (axis * levels);
        }
    }
    return points;
}

/// The octant of a point in a cell of that depth.
std::uint32_t octant_of(std::uint32_t point, std::uint32_t depth) {
    std::uint32_t octant = 0;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
        octant |= (point >> (axis * levels + levels - 1 - depth) & 1) << axis;
    }
    return octant;
}

/// The leaves that the host has made: those at the cut and above it.
words of_host(const words& of_leaves, const serial_octree& serial, std::uint32_t cut) {
    words found(of_leaves.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (serial.sizes[i] != 0 && serial.depths[i] <= cut) found[i] = of_leaves[i];
    }
    return found;
}

/// Points of a leaf may have any order.
words with_sorted_leaves(words points, const words& sizes) {
    for (std::size_t first = 0; first < points.size(); ++first) {
        const std::size_t end = std::min(points.size(), first + sizes[first]);
        std::sort(points.begin() + static_cast<std::ptrdiff_t>(first),
                  points.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return points;
}

/// `sorted` as it is before the device begins: without the points that it has to place.
words sorted_by_host(const serial_octree& serial) {
    words sorted = serial.sorted;
    for (const auto& task : serial.tasks) {
        std::fill_n(sorted.begin() + task.first, task.count, 0xffffffff);
    }
    return sorted;
}

}  // namespace

serial_octree::serial_octree(random_stream points, const octree_shape& shape)
    : sorted(shape.points),
      sizes(shape.points),
      depths(shape.points),
      at_cut(shape.points),
      shape_(shape) {
    divide(random_points(std::move(points), shape), 0, 0);
}

void serial_octree::divide(words inside, std::uint32_t first, std::uint32_t depth) {
    if (inside.empty()) return;
    const auto count = static_cast<std::uint32_t>(inside.size());
    const bool leaf = count <= shape_.leaf || depth == levels;
    if (depth == shape_.cut) {
        std::copy(inside.begin(), inside.end(), at_cut.begin() + first);
        if (!leaf) tasks.push_back({first, count});
    }
    if (leaf) {
        std::sort(inside.begin(), inside.end());
        std::copy(inside.begin(), inside.end(), sorted.begin() + first);
        sizes[first] = count;
        depths[first] = depth;
        return;
    }
    ++divided;
    std::array<words, 8> octants;
    for (const std::uint32_t point : inside) octants[octant_of(point, depth)].push_back(point);
    for (words& octant : octants) {
        const auto points = static_cast<std::uint32_t>(octant.size());
        divide(std::move(octant), first, depth + 1);
        first += points;
    }
}

device_octree::device_octree(device& gpu, const serial_octree& serial, const octree_shape& shape)
    : serial_(serial),
      shape_(shape),
      even_(gpu, serial.at_cut, "points of even depth"),
      odd_(gpu, serial.at_cut, "points of odd depth"),
      sorted_(gpu, sorted_by_host(serial), "sorted"),
      sizes_(gpu, of_host(serial.sizes, serial, shape.cut), "leaf sizes"),
      depths_(gpu, of_host(serial.depths, serial, shape.cut), "leaf depths") {}

device_octree::view device_octree::get() const {
    return {even_.get(), odd_.get(), sorted_.get(), sizes_.get(), depths_.get(), shape_.leaf};
}

void device_octree::report(workload_report& report) const {
    const words sizes = sizes_.read();
    const words found = with_sorted_leaves(sorted_.read(), sizes);
    report.compare("leaf sizes", sizes, serial_.sizes);
    report.compare("leaf depths", depths_.read(), serial_.depths);
    report.compare("points", found, serial_.sorted);
    report.declare_deterministic("points", found);
    report.add_row("points", std::uint64_t{shape_.points});
    report.add_row("cells divided", std::uint64_t{serial_.divided});
}

}  // namespace heddle::workloads
