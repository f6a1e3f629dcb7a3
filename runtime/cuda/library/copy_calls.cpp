// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/copies.h"

namespace {

using namespace heddle::cuda;
using heddle::runtime::box_extent;

cudaError_t copy(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                 const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        const box_extent extent{count, 1, 1};
        const copy_end to = end_of(device, dst, copy_side::destination, kind, count, count, extent);
        const copy_end from = end_of(device, src, copy_side::source, kind, count, count, extent);
        copy_box(device, to, from, extent, order);
    });
}

cudaError_t copy_rows(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                      size_t height, cudaMemcpyKind kind, const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        require(width <= dpitch && width <= spitch, cudaErrorInvalidPitchValue);
        const box_extent extent{width, height, 1};
        const copy_end to = end_of(device, dst, copy_side::destination, kind, dpitch, 0, extent);
        const copy_end from = end_of(device, src, copy_side::source, kind, spitch, 0, extent);
        copy_box(device, to, from, extent, order);
    });
}

/// One end of a 3-D copy: an array from an element on, or a pitched pointer from a byte on.
copy_end end_of_3d(const device_objects& device, cudaArray_t array, const cudaPitchedPtr& pointer,
                   const cudaPos& at, copy_side side, cudaMemcpyKind kind,
                   const box_extent& extent) {
    require((array != nullptr) != (pointer.ptr != nullptr), cudaErrorInvalidValue);
    if (array != nullptr) {
        if (side == copy_side::source) require_from_device(kind);
        if (side == copy_side::destination) require_to_device(kind);
        const cudaArray& whole = device.array(array);
        const std::uint64_t first = at.x * whole.element_bytes();
        require(first + extent.bytes <= whole.extent.width * whole.element_bytes() &&
                    at.y + extent.rows <= whole.rows() && at.z + extent.slices <= whole.slices(),
                cudaErrorInvalidValue);
        const std::uint64_t slice = std::uint64_t{whole.pitch} * whole.rows();
        const std::uint64_t offset = at.z * slice + at.y * whole.pitch + first;
        return {true, static_cast<std::uint32_t>(whole.address + offset), nullptr, whole.pitch,
                slice};
    }
    require(extent.rows <= 1 || at.x + extent.bytes <= pointer.pitch, cudaErrorInvalidPitchValue);
    const std::uint64_t slice = std::uint64_t{pointer.pitch} * pointer.ysize;
    const auto offset =
        static_cast<std::ptrdiff_t>(at.z * slice + std::uint64_t{at.y} * pointer.pitch + at.x);
    return end_of(device, static_cast<char*>(pointer.ptr) + offset, side, kind, pointer.pitch,
                  slice, extent);
}

cudaError_t copy_3d(const cudaMemcpy3DParms* p, const copy_order& order) {
    return code_of([&] {
        device_objects& device = the_device();
        require(p != nullptr, cudaErrorInvalidValue);
        // The extent counts elements where an array takes part.
        const cudaArray_t array = p->srcArray != nullptr ? p->srcArray : p->dstArray;
        const std::uint64_t unit = array == nullptr ? 1 : device.array(array).element_bytes();
        if (p->srcArray != nullptr && p->dstArray != nullptr) {
            require(device.array(p->dstArray).element_bytes() == unit, cudaErrorInvalidValue);
        }
        const box_extent extent{p->extent.width * unit, p->extent.height, p->extent.depth};
        const copy_end to = end_of_3d(device, p->dstArray, p->dstPtr, p->dstPos,
                                      copy_side::destination, p->kind, extent);
        const copy_end from = end_of_3d(device, p->srcArray, p->srcPtr, p->srcPos,
                                        copy_side::source, p->kind, extent);
        copy_box(device, to, from, extent, order);
    });
}

cudaError_t copy_3d_peer(const cudaMemcpy3DPeerParms* p, const copy_order& order) {
    if (p == nullptr) return copy_3d(nullptr, order);
    if (p->srcDevice != 0 || p->dstDevice != 0) {
        return code_of([] { throw error(cudaErrorInvalidDevice); });
    }
    const cudaMemcpy3DParms same{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                 p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
    return copy_3d(&same, order);
}

cudaError_t copy_peer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                      const copy_order& order) {
    if (srcDevice != 0 || dstDevice != 0) {
        return code_of([] { throw error(cudaErrorInvalidDevice); });
    }
    return copy(dst, src, count, cudaMemcpyDeviceToDevice, order);
}

std::vector<std::byte> byte_of(int value) {
    return {static_cast<std::byte>(value)};
}

cudaError_t set_rows(void* pointer, size_t pitch, int value, size_t width, size_t height,
                     const copy_order& order) {
    return code_of([&] {
        require(height <= 1 || width <= pitch, cudaErrorInvalidValue);
        device_objects& device = the_device();
        // Whole rows are one range.
        const bool whole = width == pitch;
        const box_extent extent =
            whole ? box_extent{std::uint64_t{width} * height, 1, 1} : box_extent{width, height, 1};
        fill_box(device, pointer, pitch, 0, byte_of(value), extent, order);
    });
}

cudaError_t set_3d(const cudaPitchedPtr& to, int value, const cudaExtent& size,
                   const copy_order& order) {
    return code_of([&] {
        const bool one_row = size.height <= 1 && size.depth <= 1;  // its pitch is no matter
        require(one_row || (size.width <= to.pitch && size.height <= std::max<size_t>(to.ysize, 1)),
                cudaErrorInvalidValue);
        device_objects& device = the_device();
        fill_box(device, to.ptr, to.pitch, std::uint64_t{to.pitch} * to.ysize, byte_of(value),
                 {size.width, size.height, size.depth}, order);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
    return copy(dst, src, count, kind, {});
}

cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return copy(dst, src, count, kind, {stream, false});
}

cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
    return copy_rows(dst, dpitch, src, spitch, width, height, kind, {});
}

cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return copy_rows(dst, dpitch, src, spitch, width, height, kind, {stream, false});
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    return copy_3d(p, {});
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
    return copy_3d(p, {stream, false});
}

cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
    return copy_peer(dst, dstDevice, src, srcDevice, count, {});
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice,
                                size_t count, cudaStream_t stream) {
    return copy_peer(dst, dstDevice, src, srcDevice, count, {stream, false});
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
    return copy_3d_peer(p, {});
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
    return copy_3d_peer(p, {stream, false});
}

cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
    return set_rows(devPtr, count, value, count, 1, {});
}

cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream) {
    return set_rows(devPtr, count, value, count, 1, {stream, false});
}

cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
    return set_rows(devPtr, pitch, value, width, height, {});
}

cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return set_rows(devPtr, pitch, value, width, height, {stream, false});
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent) {
    return set_3d(pitchedDevPtr, value, extent, {});
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent,
                              cudaStream_t stream) {
    return set_3d(pitchedDevPtr, value, extent, {stream, false});
}

}  // extern "C"
