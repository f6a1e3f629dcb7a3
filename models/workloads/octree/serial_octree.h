// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/random.h"
#include "models/device/device.h"
#include "models/workloads/report.h"

namespace heddle::workloads {

/// octree_division_kernel.h's `levels`.
inline constexpr std::uint32_t octree_levels = 10;

/// What an octree is made of.
struct octree_shape {
    std::uint32_t points;
    std::uint32_t clusters;  ///< places around which points lie
    std::uint32_t leaf;      ///< most points of a leaf, unless they have the same place
    std::uint32_t cut;       ///< levels that the host divides
};

/// The whole octree of random points, cell after cell.
class serial_octree {
public:
    using words = std::vector<std::uint32_t>;
    struct cell {
        std::uint32_t first, count;
    };

    serial_octree(random_stream points, const octree_shape& shape);

    words sorted;             ///< points leaf after leaf, in order within each
    words sizes;              ///< of leaves, by their first point
    words depths;             ///< so
    words at_cut;             ///< points cell after cell of the cut, where the device begins
    std::vector<cell> tasks;  ///< cells of the cut that are no leaves
    std::uint32_t divided = 0;

private:
    void divide(words inside, std::uint32_t first, std::uint32_t depth);

    const octree_shape shape_;
};

/// The octree in device memory: as the host leaves it at the cut, and as the device completes it.
class device_octree {
public:
    /// octree_division_kernel.h's.
    struct view {
        device_ptr<std::uint32_t> even, odd, sorted, leaf_size, leaf_depth;
        std::uint32_t leaf;
    };

    device_octree(device& gpu, const serial_octree& serial, const octree_shape& shape);
    [[nodiscard]] view get() const;
    /// Compares it with the serial one, and adds rows.
    void report(workload_report& report) const;

private:
    const serial_octree& serial_;
    const octree_shape shape_;
    device_buffer<std::uint32_t> even_, odd_, sorted_, sizes_, depths_;
};

}  // namespace heddle::workloads
