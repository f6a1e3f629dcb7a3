// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/program/address_map.h"

namespace heddle::program {

/// Where a program's code and read-only data begin, and where its variables. Programs that a device
/// holds at the same time have a place of their own each; basic_device::free_place() finds one.
struct program_place {
    static constexpr std::uint32_t alignment = 4096;  ///< of both addresses

    std::uint32_t code = code_window.base;
    std::uint32_t data = heap_window.base;
};

class image;

/// How many bytes of each a program takes, from its place on.
struct program_extent {
    std::uint32_t code = 0;
    std::uint32_t data = 0;
};

/// Of a program that was linked for `place`.
[[nodiscard]] program_extent extent_of(const image& program, const program_place& place);

}  // namespace heddle::program
