// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <array>

#include "models/workloads/cooperative_run.h"
#include "models/workloads/work_queues.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

struct octree_options : cooperative_options {
    std::uint32_t points = 8192;
    std::uint32_t clusters = 16;
    std::uint32_t threshold = 32;
    std::uint32_t cut = 2;

    void declare(parameter_list& p) {
        p.add("points", points, range(1, 1 << 24), "point", "Points to be partitioned");
        p.add("clusters", clusters, range(1, 1024), "cluster", "Places around which they lie");
        p.add("threshold", threshold, range(1, 1 << 16), "point",
              "Most points of a leaf, unless they have the same place");
        p.add("cut", cut, range(0, 4), "level", "Levels that the host divides before");
        cooperative_options::declare(p);
    }
};

constexpr std::uint32_t levels = 10;  // octree_kernel.cpp's
using words = std::vector<std::uint32_t>;

struct cell {
    std::uint32_t first, count, depth;
};
struct octree_points {
    std::array<device_ptr<std::uint32_t>, 2> array;
    device_ptr<std::uint32_t> sorted, leaf_size, leaf_depth;
    std::uint32_t threshold;
};

/// Points around random places, each coordinate a sum of three: most are near.
words random_points(random_stream stream, const octree_options& options) {
    constexpr std::uint64_t side = std::uint64_t{1} << levels;
    words centres(std::size_t{3} * options.clusters);
    for (auto& centre : centres) centre = static_cast<std::uint32_t>(stream.below(side));
    words points(options.points);
    for (auto& point : points) {
        const std::size_t near = 3 * stream.below(options.clusters);
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

/// The whole octree, cell after cell.
class serial_octree {
public:
    serial_octree(const words& all, const octree_options& options)
        : sorted(all.size()),
          sizes(all.size()),
          depths(all.size()),
          at_cut(all.size()),
          options_(options) {
        divide(all, 0, 0);
    }

    words sorted;             ///< points leaf after leaf, in order within each
    words sizes;              ///< of leaves, by their first point
    words depths;             ///< so
    words at_cut;             ///< points cell after cell of the cut, where the device begins
    std::vector<cell> tasks;  ///< cells of the cut that are no leaves
    std::uint32_t divided = 0;

private:
    void divide(words inside, std::uint32_t first, std::uint32_t depth) {
        if (inside.empty()) return;
        const auto count = static_cast<std::uint32_t>(inside.size());
        const bool leaf = count <= options_.threshold || depth == levels;
        if (depth == options_.cut) {
            std::copy(inside.begin(), inside.end(), at_cut.begin() + first);
            if (!leaf) tasks.push_back({first, count, depth});
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
        for (const std::uint32_t point : inside) {
            octants[octant_of(point, depth)].push_back(point);
        }
        for (words& octant : octants) {
            const auto points = static_cast<std::uint32_t>(octant.size());
            divide(std::move(octant), first, depth + 1);
            first += points;
        }
    }

    const octree_options& options_;
};

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
    for (const cell& task : serial.tasks) {
        std::fill_n(sorted.begin() + task.first, task.count, 0xffffffff);
    }
    return sorted;
}

void run(device& gpu, const octree_options& options, const run_context& context,
         workload_report& report) {
    const serial_octree serial(random_points(context.random("points"), options), options);

    cooperative_run kernel(gpu, options);
    const device_buffer<std::uint32_t> even(gpu, serial.at_cut, "points of even depth");
    const device_buffer<std::uint32_t> odd(gpu, serial.at_cut, "points of odd depth");
    const device_buffer<std::uint32_t> sorted(gpu, sorted_by_host(serial), "sorted");
    const device_buffer<std::uint32_t> sizes(gpu, of_host(serial.sizes, serial, options.cut),
                                             "leaf sizes");
    const device_buffer<std::uint32_t> depths(gpu, of_host(serial.depths, serial, options.cut),
                                              "leaf depths");
    // Tasks that wait at one time have no point in common.
    const std::uint32_t capacity = options.points / options.threshold + 1;
    const work_queues<cell> queues(gpu, kernel.blocks(), capacity, serial.tasks);
    kernel.run(
        "octree", queues.get(),
        octree_points{
            {even.get(), odd.get()}, sorted.get(), sizes.get(), depths.get(), options.threshold});

    const words found_sizes = sizes.read();
    const words found = with_sorted_leaves(sorted.read(), found_sizes);
    report.compare("leaf sizes", found_sizes, serial.sizes);
    report.compare("leaf depths", depths.read(), serial.depths);
    report.compare("points", found, serial.sorted);
    report.declare_deterministic("points", found);
    report.add_row("points", std::uint64_t{options.points});
    report.add_row("cells divided", std::uint64_t{serial.divided});
    kernel.report(report);
}

}  // namespace

workload octree() {
    return make_workload<octree_options>("octree", "Octree of points by blocks that steal tasks",
                                         "", run);
}

}  // namespace heddle::workloads
