// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "runtime/client/server.h"

namespace heddle::runtime {

/// A box of bytes in the program's memory: its first byte, and the distances of rows and slices.
template <class Pointer>
struct host_box {
    Pointer data = nullptr;
    std::uint64_t row_pitch = 0, slice_pitch = 0;
};

/// Copies a box to the device or back, in as many requests as the shared file needs. Throws as
/// server::call().
void write_box(server& device, const host_box<const void*>& from, const memory_box& to,
               const box_extent& extent);
void read_box(server& device, const host_box<void*>& to, const memory_box& from,
              const box_extent& extent);

/// Calls `copy(place in the box, place among the packed rows, bytes)` for each row of a box.
template <class Copy>
void for_rows(const box_extent& extent, std::uint64_t row, std::uint64_t slice, const Copy& copy) {
    for (std::uint64_t z = 0; z < extent.slices; ++z) {
        for (std::uint64_t y = 0; y < extent.rows; ++y) {
            copy(z * slice + y * row, (z * extent.rows + y) * extent.bytes, extent.bytes);
        }
    }
}

}  // namespace heddle::runtime
