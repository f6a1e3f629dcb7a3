// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/random.h"
#include "models/device/device.h"

namespace heddle::workloads {

/// ceil(count / block): blocks that cover `count` elements.
constexpr std::uint32_t blocks_for(std::uint32_t count, std::uint32_t block) noexcept {
    return count / block + (count % block != 0 ? 1 : 0);
}

/// A grid of `block`-thread blocks that covers `count` elements, one thread an element.
launch_shape grid_over(std::uint32_t count, std::uint32_t block) noexcept;

/// `count` values, uniform in [0, 2^32).
std::vector<std::uint32_t> random_words(random_stream stream, std::size_t count);
/// `count` values, uniform in [-1, 1).
std::vector<float> random_floats(random_stream stream, std::size_t count);

/// The values, each as the first of `words` words; the others are 0.
std::vector<float> spread_out(const std::vector<float>& values, std::size_t words);
/// The reverse.
std::vector<float> drawn_together(const std::vector<float>& spread, std::size_t words);

}  // namespace heddle::workloads
