// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/microbenchmark.h"

#include <algorithm>

#include "models/workloads/helpers.h"

namespace heddle::workloads {

warp_clocks::warp_clocks(device& gpu, const launch_shape& shape)
    : clocks_(gpu,
              std::size_t{2} * shape.grid.x *
                  blocks_for(static_cast<std::uint32_t>(shape.block.count()),
                             gpu.properties().warp_size),
              "clocks") {}

std::uint64_t warp_clocks::span() const {
    const auto clocks = clocks_.read();
    // The low words of the clock wrap, so that only differences count.
    const std::uint32_t origin = clocks[0];
    std::int32_t first = 0;
    std::int32_t last = 0;
    for (std::size_t i = 0; i < clocks.size(); i += 2) {
        first = std::min(first, static_cast<std::int32_t>(clocks[i] - origin));
        last = std::max(last, static_cast<std::int32_t>(clocks[i + 1] - origin));
    }
    return static_cast<std::uint32_t>(last - first);
}

}  // namespace heddle::workloads
