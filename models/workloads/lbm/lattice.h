// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/// The D3Q19 lattice of lbm: what the host program and the kernel have in common.
namespace heddle::lattice {

inline constexpr unsigned directions = 19;
/// Words of a cell, a site of the lattice: one for each direction, and its kind.
inline constexpr unsigned site_words = directions + 1;
inline constexpr unsigned kind_word = directions;

inline constexpr float fluid = 0.0f;
inline constexpr float solid = 1.0f;
inline constexpr float driven = 2.0f;  ///< fluid whose velocity is given

/// Velocity of a direction. Direction d + 1 is the opposite of d, for odd d.
struct velocity {
    int x, y, z;
};
inline constexpr velocity velocities[directions] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};

constexpr unsigned opposite(unsigned d) {
    return d == 0 ? 0 : d % 2 == 1 ? d + 1 : d - 1;
}
constexpr float weight(unsigned d) {
    return d == 0 ? 1.0f / 3 : d <= 6 ? 1.0f / 18 : 1.0f / 36;
}

inline constexpr float relaxation = 1.95f;
inline constexpr float driven_x = 0.005f;
inline constexpr float driven_y = 0.002f;

}  // namespace heddle::lattice
