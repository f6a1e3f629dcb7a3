// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/cuda/library/device_objects.h"

namespace heddle::cuda {

/// One end of a copy: the first byte of a box, here or on the device.
struct copy_end {
    bool on_device = false;
    std::uint32_t address = 0;  ///< on the device
    void* pointer = nullptr;    ///< in the program
    std::uint64_t row_pitch = 0, slice_pitch = 0;
};

/// What a pointer of the program's is in a copy of this kind. Throws
/// error(cudaErrorInvalidMemcpyDirection) for a kind that CUDA has not, and cudaErrorInvalidValue
/// where a device pointer has to be the device's and has not all of these bytes.
enum class copy_side { source, destination };
[[nodiscard]] copy_end end_of(const device_objects& device, const void* pointer, copy_side side,
                              cudaMemcpyKind kind, std::uint64_t row_pitch,
                              std::uint64_t slice_pitch, const runtime::box_extent& extent);
/// Bytes from the first to behind the last.
[[nodiscard]] std::uint64_t span_of(std::uint64_t row_pitch, std::uint64_t slice_pitch,
                                    const runtime::box_extent& extent);

/// How a call copies: in which stream, and whether the program waits.
struct copy_order {
    cudaStream_t stream = nullptr;
    bool waits = true;
};

/// Copies a box. A copy between host and device waits for all launches before it, of other streams,
/// too. Without `waits` the program's memory is read or written later if it is page-locked.
void copy_box(device_objects& device, const copy_end& to, const copy_end& from,
              const runtime::box_extent& extent, const copy_order& order);

/// Fills a box of the device with a pattern, of which its rows are multiples. Throws
/// error(cudaErrorInvalidValue) where it is not the program's.
void fill_box(device_objects& device, const void* pointer, std::uint64_t row_pitch,
              std::uint64_t slice_pitch, const std::vector<std::byte>& pattern,
              const runtime::box_extent& extent, const copy_order& order);

/// cudaMemcpyKind of a copy whose other end is on the device. Throws
/// error(cudaErrorInvalidMemcpyDirection).
void require_to_device(cudaMemcpyKind kind);
void require_from_device(cudaMemcpyKind kind);

}  // namespace heddle::cuda
