// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/cuda/include/heddle_cuda/texture_descriptor.h"

namespace heddle {

/// One axis of a texture, by the formulas of CUDA's programming guide.
struct texture_axis {
    unsigned mode;
    int size;
    bool normalized;

    /// A coordinate in texels.
    [[nodiscard]] double placed(double x) const {
        if (!normalized) return x;
        const double whole = std::floor(x);
        if (mode == heddle_texture_wrap) x -= whole;
        if (mode == heddle_texture_mirror) {
            x = std::fmod(std::fabs(whole), 2.0) == 0 ? x - whole : 1 - (x - whole);
        }
        return x * size;
    }
    /// The texel that stands at place `i`; negative: the border.
    [[nodiscard]] int index(int i) const {
        if (normalized && mode == heddle_texture_wrap) return (i + size) % size;
        if (mode == heddle_texture_border && (i < 0 || i >= size)) return -1;
        return std::min(std::max(i, 0), size - 1);
    }
};

}  // namespace heddle
