// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/opencl/objects.h"

namespace heddle::opencl {

/// A rectangle of an image's pixels, in bytes.
struct pixel_rectangle {
    std::shared_ptr<_cl_mem> memory;
    std::size_t offset = 0;  ///< of its first byte on the device
    std::size_t row = 0;     ///< bytes of one of its rows
    std::size_t rows = 0;

    [[nodiscard]] runtime::memory_box box() const {
        const std::uint64_t pitch = memory->image->row_bytes();
        return {memory->address + static_cast<std::uint32_t>(offset), pitch, pitch * rows};
    }
    [[nodiscard]] runtime::box_extent extent() const { return {row, rows, 1}; }
};

/// Throws error for what is no image, and for a rectangle that is not within it.
[[nodiscard]] pixel_rectangle pixel_rectangle_of(cl_mem image, const std::size_t* origin,
                                                 const std::size_t* region);

}  // namespace heddle::opencl
