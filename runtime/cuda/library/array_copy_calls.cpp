// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/copies.h"

namespace {

using namespace heddle::cuda;
using heddle::runtime::box_extent;

/// A part of an array, from a byte of a row on.
struct array_part {
    cudaArray_const_t array;
    size_t first, row;
};

copy_end end_of(const device_objects& device, const array_part& part, const box_extent& extent) {
    const cudaArray& whole = device.array(part.array);
    require(part.first + extent.bytes <= whole.extent.width * whole.element_bytes() &&
                part.row + extent.rows <= whole.rows(),
            cudaErrorInvalidValue);
    const auto offset = static_cast<std::uint32_t>(part.row * whole.pitch + part.first);
    return {true, whole.address + offset, nullptr, whole.pitch, 0};
}

/// `count` bytes from there on, row after row, as up to three boxes: `copy(part, place among the
/// bytes, extent)`.
template <class Copy>
void for_boxes(const cudaArray& whole, array_part part, std::uint64_t count, const Copy& copy) {
    const std::uint64_t row_bytes = whole.extent.width * whole.element_bytes();
    const std::uint64_t rows_left = whole.rows() - std::min<std::uint64_t>(part.row, whole.rows());
    require(count == 0 || (part.first < row_bytes && count <= rows_left * row_bytes - part.first),
            cudaErrorInvalidValue);
    std::uint64_t done = 0;
    while (done < count) {
        const std::uint64_t left = count - done;
        box_extent extent{std::min(left, row_bytes - part.first), 1, 1};
        if (part.first == 0 && left >= row_bytes) extent.rows = left / row_bytes;
        copy(part, done, extent);
        done += extent.bytes * extent.rows;
        part.row += extent.rows;
        part.first = 0;
    }
}

cudaError_t to_array(const array_part& to, const void* src, size_t spitch, const box_extent& extent,
                     cudaMemcpyKind kind, const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        require_to_device(kind);
        require(extent.bytes <= spitch, cudaErrorInvalidPitchValue);
        const copy_end end = end_of(device, to, extent);
        copy_box(device, end, end_of(device, src, copy_side::source, kind, spitch, 0, extent),
                 extent, order);
    });
}

cudaError_t from_array(void* dst, size_t dpitch, const array_part& from, const box_extent& extent,
                       cudaMemcpyKind kind, const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        require_from_device(kind);
        require(extent.bytes <= dpitch, cudaErrorInvalidPitchValue);
        const copy_end end = end_of(device, from, extent);
        copy_box(device, end_of(device, dst, copy_side::destination, kind, dpitch, 0, extent), end,
                 extent, order);
    });
}

cudaError_t bytes_to_array(const array_part& to, const void* src, size_t count, cudaMemcpyKind kind,
                           const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        require_to_device(kind);
        for_boxes(device.array(to.array), to, count,
                  [&](const array_part& part, std::uint64_t at, const box_extent& extent) {
                      const auto* const from = static_cast<const char*>(src) + at;
                      const copy_end end = end_of(device, part, extent);
                      copy_box(
                          device, end,
                          end_of(device, from, copy_side::source, kind, extent.bytes, 0, extent),
                          extent, order);
                  });
    });
}

cudaError_t bytes_from_array(void* dst, const array_part& from, size_t count, cudaMemcpyKind kind,
                             const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        require_from_device(kind);
        for_boxes(device.array(from.array), from, count,
                  [&](const array_part& part, std::uint64_t at, const box_extent& extent) {
                      auto* const to = static_cast<char*>(dst) + at;
                      const copy_end end = end_of(device, part, extent);
                      copy_box(
                          device,
                          end_of(device, to, copy_side::destination, kind, extent.bytes, 0, extent),
                          end, extent, order);
                  });
    });
}

cudaError_t array_to_array(const array_part& to, const array_part& from, const box_extent& extent,
                           cudaMemcpyKind kind) {
    return code_of([&] {
        device_objects& device = the_device();
        require(kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
                cudaErrorInvalidMemcpyDirection);
        copy_box(device, end_of(device, to, extent), end_of(device, from, extent), extent, {});
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                              size_t count, cudaMemcpyKind kind) {
    return bytes_to_array({dst, wOffset, hOffset}, src, count, kind, {});
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return bytes_to_array({dst, wOffset, hOffset}, src, count, kind, {stream, false});
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, cudaMemcpyKind kind) {
    return bytes_from_array(dst, {src, wOffset, hOffset}, count, kind, {});
}

cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t wOffset,
                                     size_t hOffset, size_t count, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return bytes_from_array(dst, {src, wOffset, hOffset}, count, kind, {stream, false});
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                   size_t count, cudaMemcpyKind kind) {
    return array_to_array({dst, wOffsetDst, hOffsetDst}, {src, wOffsetSrc, hOffsetSrc},
                          {count, 1, 1}, kind);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                size_t spitch, size_t width, size_t height, cudaMemcpyKind kind) {
    return to_array({dst, wOffset, hOffset}, src, spitch, {width, height, 1}, kind, {});
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return to_array({dst, wOffset, hOffset}, src, spitch, {width, height, 1}, kind,
                    {stream, false});
}

cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
    return from_array(dst, dpitch, {src, wOffset, hOffset}, {width, height, 1}, kind, {});
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
    return from_array(dst, dpitch, {src, wOffset, hOffset}, {width, height, 1}, kind,
                      {stream, false});
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
    return array_to_array({dst, wOffsetDst, hOffsetDst}, {src, wOffsetSrc, hOffsetSrc},
                          {width, height, 1}, kind);
}

}  // extern "C"
