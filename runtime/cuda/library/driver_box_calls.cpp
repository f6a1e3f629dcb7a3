// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Copies of two and three dimensions, between arrays, too.
#include "runtime/cuda/library/copies.h"
#include "runtime/cuda/library/driver.h"

namespace {

using namespace heddle::cuda;
using heddle::runtime::box_extent;

/// One end of a copy. `pitch`, `height`: of memory that is no array; 0: as the box.
struct driver_end {
    CUmemorytype type;
    const void* host;
    CUdeviceptr device;
    CUarray array;
    size_t pitch, height, x, y, z;
};

copy_end end_of(const device_objects& device, const driver_end& end, copy_side side,
                const box_extent& extent) {
    if (end.type == CU_MEMORYTYPE_ARRAY) {
        const cudaArray& whole = device.array(end.array);
        require(end.x + extent.bytes <= whole.extent.width * whole.element_bytes() &&
                    end.y + extent.rows <= whole.rows() && end.z + extent.slices <= whole.slices(),
                cudaErrorInvalidValue);
        const std::uint64_t slice = std::uint64_t{whole.pitch} * whole.rows();
        const std::uint64_t offset = end.z * slice + std::uint64_t{end.y} * whole.pitch + end.x;
        return {true, static_cast<std::uint32_t>(whole.address + offset), nullptr, whole.pitch,
                slice};
    }
    require(end.type >= CU_MEMORYTYPE_HOST && end.type <= CU_MEMORYTYPE_UNIFIED,
            cudaErrorInvalidValue);
    const size_t pitch = end.pitch == 0 ? static_cast<size_t>(extent.bytes) : end.pitch;
    const size_t height = end.height == 0 ? static_cast<size_t>(extent.rows) : end.height;
    require((extent.rows <= 1 && extent.slices <= 1) || extent.bytes + end.x <= pitch,
            cudaErrorInvalidValue);
    require(extent.slices <= 1 || extent.rows + end.y <= height, cudaErrorInvalidValue);
    const bool host = end.type == CU_MEMORYTYPE_HOST;
    const void* const base = host ? end.host : pointer_of(end.device);
    cudaMemcpyKind kind = cudaMemcpyDefault;
    if (end.type != CU_MEMORYTYPE_UNIFIED) {
        kind = host ? cudaMemcpyHostToHost : cudaMemcpyDeviceToDevice;
    }
    const std::uint64_t slice = std::uint64_t{pitch} * height;
    const std::uint64_t offset = end.z * slice + std::uint64_t{end.y} * pitch + end.x;
    return heddle::cuda::end_of(device, static_cast<const char*>(base) + offset, side, kind, pitch,
                                slice, extent);
}

CUresult copy_2d(const CUDA_MEMCPY2D* p, const copy_order& order) {
    return in_context([&] {
        return code_of([&] {
            require(p != nullptr, cudaErrorInvalidValue);
            device_objects& device = the_device();
            const box_extent extent{p->WidthInBytes, p->Height, 1};
            const copy_end to = end_of(device,
                                       {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray,
                                        p->dstPitch, 0, p->dstXInBytes, p->dstY, 0},
                                       copy_side::destination, extent);
            const copy_end from = end_of(device,
                                         {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray,
                                          p->srcPitch, 0, p->srcXInBytes, p->srcY, 0},
                                         copy_side::source, extent);
            copy_box(device, to, from, extent, order);
        });
    });
}

CUresult copy_3d(const CUDA_MEMCPY3D* p, const copy_order& order) {
    return in_context([&] {
        return code_of([&] {
            require(p != nullptr && p->srcLOD == 0 && p->dstLOD == 0, cudaErrorInvalidValue);
            device_objects& device = the_device();
            const box_extent extent{p->WidthInBytes, p->Height, p->Depth};
            const copy_end to =
                end_of(device,
                       {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstPitch,
                        p->dstHeight, p->dstXInBytes, p->dstY, p->dstZ},
                       copy_side::destination, extent);
            const copy_end from =
                end_of(device,
                       {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcPitch,
                        p->srcHeight, p->srcXInBytes, p->srcY, p->srcZ},
                       copy_side::source, extent);
            copy_box(device, to, from, extent, order);
        });
    });
}

}  // namespace

extern "C" {

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* pCopy) {
    return copy_2d(pCopy, {});
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* pCopy) {
    return copy_2d(pCopy, {});
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* pCopy, CUstream hStream) {
    return copy_2d(pCopy, {hStream, false});
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D* pCopy) {
    return copy_3d(pCopy, {});
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* pCopy, CUstream hStream) {
    return copy_3d(pCopy, {hStream, false});
}

}  // extern "C"
