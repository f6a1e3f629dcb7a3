// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <cstring>

#include "runtime/cuda/library/copies.h"
#include "runtime/cuda/library/driver.h"

namespace {

using namespace heddle::cuda;
using heddle::runtime::box_extent;

/// A call of the runtime's that makes a pointer, as an address.
template <class Call>
CUresult made_address(CUdeviceptr* place, const Call& call) {
    return in_context([&] {
        void* made = nullptr;
        const cudaError_t code = call(place == nullptr ? nullptr : &made);
        if (code == cudaSuccess) *place = address_of(made);
        return code;
    });
}

CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return in_context([&] { return cudaMemcpy(to, from, bytes, kind); });
}

CUresult copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, CUstream stream) {
    return in_context([&] { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

template <class T>
CUresult set(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height,
             const copy_order& order) {
    return in_context([&] {
        return code_of([&] {
            require(to % sizeof value == 0, cudaErrorInvalidValue);
            const std::uint64_t bytes = std::uint64_t{width} * sizeof value;
            require(height <= 1 || (bytes <= pitch && pitch % sizeof value == 0),
                    cudaErrorInvalidValue);
            std::vector<std::byte> pattern(sizeof value);
            std::memcpy(pattern.data(), &value, sizeof value);
            fill_box(the_device(), pointer_of(to), pitch, 0, pattern, {bytes, height, 1}, order);
        });
    });
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free, size_t* total) {
    return in_context([&] { return cudaMemGetInfo(free, total); });
}

CUresult cuMemAlloc(CUdeviceptr* dptr, size_t bytesize) {
    return made_address(dptr, [&](void** made) {
        return bytesize == 0 ? cudaErrorInvalidValue : cudaMalloc(made, bytesize);
    });
}

CUresult cuMemAllocPitch(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes) {
    const bool good = ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16;
    return made_address(dptr, [&](void** made) {
        return good ? cudaMallocPitch(made, pPitch, WidthInBytes, Height) : cudaErrorInvalidValue;
    });
}

CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
    return made_address(dptr,
                        [&](void** made) { return cudaMallocManaged(made, bytesize, flags); });
}

CUresult cuMemFree(CUdeviceptr dptr) {
    return in_context([&] { return cudaFree(pointer_of(dptr)); });
}

CUresult cuMemGetAddressRange(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr) {
    return in_context([&] {
        return code_of([&] {
            const device_block* const found = the_device().memory.find(dptr, 1);
            require(found != nullptr, cudaErrorSymbolNotFound);
            if (pbase != nullptr) *pbase = found->address;
            if (psize != nullptr) *psize = static_cast<size_t>(found->bytes);
        });
    });
}

CUresult cuMemAllocHost(void** pp, size_t bytesize) {
    return in_context([&] { return cudaMallocHost(pp, bytesize); });
}

CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int flags) {
    return in_context([&] { return cudaHostAlloc(pp, bytesize, flags); });
}

CUresult cuMemFreeHost(void* p) {
    return in_context([&] { return cudaFreeHost(p); });
}

CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int flags) {
    return in_context([&] { return cudaHostRegister(p, bytesize, flags); });
}

CUresult cuMemHostUnregister(void* p) {
    return in_context([&] { return cudaHostUnregister(p); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* pdptr, void* p, unsigned int flags) {
    return made_address(pdptr,
                        [&](void** made) { return cudaHostGetDevicePointer(made, p, flags); });
}

CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
    return in_context([&] { return cudaHostGetFlags(pFlags, p); });
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr ptr) {
    return in_context([&] {
        cudaPointerAttributes found{};
        const cudaError_t code = cudaPointerGetAttributes(&found, pointer_of(ptr));
        if (code != cudaSuccess) return code;
        if (data == nullptr || found.type == cudaMemoryTypeUnregistered) {
            return cudaErrorInvalidValue;
        }
        switch (attribute) {
            case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
                *static_cast<unsigned*>(data) =
                    found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
                return cudaSuccess;
            case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
                *static_cast<CUdeviceptr*>(data) = address_of(found.devicePointer);
                return found.devicePointer == nullptr ? cudaErrorInvalidValue : cudaSuccess;
            case CU_POINTER_ATTRIBUTE_HOST_POINTER:
                *static_cast<void**>(data) = found.hostPointer;
                return found.hostPointer == nullptr ? cudaErrorInvalidValue : cudaSuccess;
            case CU_POINTER_ATTRIBUTE_IS_MANAGED:
                *static_cast<unsigned*>(data) = found.type == cudaMemoryTypeManaged ? 1 : 0;
                return cudaSuccess;
            case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
                *static_cast<int*>(data) = found.device;
                return cudaSuccess;
            case CU_POINTER_ATTRIBUTE_CONTEXT:
                return cudaErrorNotSupported;
            default:
                return cudaErrorInvalidValue;
        }
    });
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount) {
    return copy(pointer_of(dst), pointer_of(src), ByteCount, cudaMemcpyDefault);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream) {
    return copy(pointer_of(dst), pointer_of(src), ByteCount, cudaMemcpyDefault, hStream);
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount) {
    return copy(pointer_of(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice);
}

CUresult cuMemcpyDtoH(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount) {
    return copy(dstHost, pointer_of(srcDevice), ByteCount, cudaMemcpyDeviceToHost);
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount) {
    return copy(pointer_of(dstDevice), pointer_of(srcDevice), ByteCount, cudaMemcpyDeviceToDevice);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount,
                           CUstream hStream) {
    return copy(pointer_of(dstDevice), srcHost, ByteCount, cudaMemcpyHostToDevice, hStream);
}

CUresult cuMemcpyDtoHAsync(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream) {
    return copy(dstHost, pointer_of(srcDevice), ByteCount, cudaMemcpyDeviceToHost, hStream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                           CUstream hStream) {
    return copy(pointer_of(dstDevice), pointer_of(srcDevice), ByteCount, cudaMemcpyDeviceToDevice,
                hStream);
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
    return set(dstDevice, N, uc, N, 1, {});
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N) {
    return set(dstDevice, N, us, N, 1, {});
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
    return set(dstDevice, N, ui, N, 1, {});
}

CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                      size_t Height) {
    return set(dstDevice, dstPitch, uc, Width, Height, {});
}

CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                       size_t Height) {
    return set(dstDevice, dstPitch, us, Width, Height, {});
}

CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                       size_t Height) {
    return set(dstDevice, dstPitch, ui, Width, Height, {});
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream) {
    return set(dstDevice, N, uc, N, 1, {hStream, false});
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream) {
    return set(dstDevice, N, us, N, 1, {hStream, false});
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream) {
    return set(dstDevice, N, ui, N, 1, {hStream, false});
}

}  // extern "C"
