// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

/// Parts of device memory that copies name.
namespace heddle::runtime {

/// A box of bytes in device memory: `extent` bytes, rows and slices, at these distances.
struct memory_box {
    std::uint32_t address = 0;
    std::uint64_t row_pitch = 0, slice_pitch = 0;
    template <class F>
    void fields(F& f) {
        f(address, row_pitch, slice_pitch);
    }
};

struct box_extent {
    std::uint64_t bytes = 0, rows = 1, slices = 1;
    template <class F>
    void fields(F& f) {
        f(bytes, rows, slices);
    }
};

}  // namespace heddle::runtime
