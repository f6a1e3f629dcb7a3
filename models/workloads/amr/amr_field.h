// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/// What the mesh follows, for the device and the host: the heat of a combustion (Kuhl,
/// "Thermodynamic States in Explosion Fields", 2010, is the paper's input), which is here a sum of
/// hot kernels. Whole numbers, the same everywhere.
namespace amr {

/// A hot kernel: its heat falls to half where the square of the distance is `area`.
struct flame {
    unsigned x, y, area, strength;
};

inline constexpr unsigned side = 8;  ///< a cell that is refined has side x side cells

/// Heat at a place, from all flames.
inline unsigned heat(const flame* flames, unsigned count, unsigned x, unsigned y) {
    unsigned sum = 0;
    for (unsigned i = 0; i < count; ++i) {
        const int dx = static_cast<int>(x - flames[i].x);
        const int dy = static_cast<int>(y - flames[i].y);
        const unsigned square = static_cast<unsigned>(dx * dx) + static_cast<unsigned>(dy * dy);
        sum += flames[i].strength / (1 + square / flames[i].area);
    }
    return sum;
}

inline unsigned difference(unsigned a, unsigned b) {
    return a < b ? b - a : a - b;
}

/// Whether the heat changes by more than `limit` from the middle of a cell of this size to those of
/// its neighbours east and north; `middle` is the heat there.
inline bool is_steep(const flame* flames, unsigned count, unsigned x, unsigned y, unsigned size,
                     unsigned middle, unsigned limit) {
    const unsigned half = size / 2;
    const unsigned east = heat(flames, count, x + half + size, y + half);
    const unsigned north = heat(flames, count, x + half, y + half + size);
    return difference(middle, east) + difference(middle, north) > limit;
}

}  // namespace amr
