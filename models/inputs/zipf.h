// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/base/random.h"

namespace heddle::inputs {

/// Ranks from 0 on, of which rank r has a probability in proportion to 1 / (r + offset) (Zipf's
/// law, flattened at the top by a larger offset). O(ranks) once, O(log ranks) a draw.
class zipf {
public:
    /// At least one rank; offset > 0.
    zipf(std::uint32_t ranks, double offset) {
        double sum = 0;
        for (std::uint32_t r = 0; r < ranks; ++r) sums_.push_back(sum += 1 / (r + offset));
    }
    [[nodiscard]] std::uint32_t draw(random_stream& random) const {
        const double at = random.uniform() * sums_.back();
        const auto found = std::upper_bound(sums_.begin(), sums_.end() - 1, at);
        return static_cast<std::uint32_t>(found - sums_.begin());
    }

private:
    std::vector<double> sums_;
};

}  // namespace heddle::inputs
