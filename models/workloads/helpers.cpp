// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/helpers.h"

#include <algorithm>

namespace heddle::workloads {

launch_shape grid_over(std::uint32_t count, std::uint32_t block) noexcept {
    launch_shape shape;
    shape.grid.x = blocks_for(count, block);
    shape.block.x = block;
    return shape;
}

std::vector<std::uint32_t> random_words(random_stream stream, std::size_t count) {
    std::vector<std::uint32_t> values(count);
    std::generate(values.begin(), values.end(),
                  [&] { return static_cast<std::uint32_t>(stream.next() >> 32); });
    return values;
}

std::vector<float> random_floats(random_stream stream, std::size_t count) {
    std::vector<float> values(count);
    // 24 bits: every value is a float, so that none is rounded up to 1.
    std::generate(values.begin(), values.end(), [&] {
        return static_cast<float>(static_cast<std::int32_t>(stream.next() >> 40) - (1 << 23)) *
               0x1p-23F;
    });
    return values;
}

std::vector<float> spread_out(const std::vector<float>& values, std::size_t words) {
    std::vector<float> spread(values.size() * words);
    for (std::size_t i = 0; i < values.size(); ++i) spread[i * words] = values[i];
    return spread;
}

std::vector<float> drawn_together(const std::vector<float>& spread, std::size_t words) {
    std::vector<float> values(spread.size() / words);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = spread[i * words];
    return values;
}

}  // namespace heddle::workloads
