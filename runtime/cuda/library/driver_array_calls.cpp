// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/cuda/library/driver_format.h"

namespace {

using namespace heddle::cuda;

/// The inverse of format_of().
CUarray_format name_of(const cudaChannelFormatDesc& format) {
    const unsigned size = format.x == 8 ? 0 : format.x == 16 ? 1 : 2;
    switch (format.f) {
        case cudaChannelFormatKindSigned:
            return static_cast<CUarray_format>(CU_AD_FORMAT_SIGNED_INT8 + size);
        case cudaChannelFormatKindUnsigned:
            return static_cast<CUarray_format>(CU_AD_FORMAT_UNSIGNED_INT8 + size);
        default:
            return format.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    }
}

CUresult make(CUarray* place, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
    return in_context([&] {
        cudaChannelFormatDesc format{};
        const cudaError_t code = code_of([&] {
            require(place != nullptr && wanted != nullptr, cudaErrorInvalidValue);
            format = format_of(wanted->Format, wanted->NumChannels);
        });
        if (code != cudaSuccess) return code;
        return cudaMalloc3DArray(place, &format, {wanted->Width, wanted->Height, wanted->Depth},
                                 wanted->Flags);
    });
}

}  // namespace

extern "C" {

CUresult cuArrayCreate(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray) {
    if (pAllocateArray == nullptr) return make(pHandle, nullptr);
    const CUDA_ARRAY3D_DESCRIPTOR wanted{pAllocateArray->Width,  pAllocateArray->Height,      0,
                                         pAllocateArray->Format, pAllocateArray->NumChannels, 0};
    return make(pHandle, &wanted);
}

CUresult cuArray3DCreate(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray) {
    return make(pHandle, pAllocateArray);
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
    CUDA_ARRAY3D_DESCRIPTOR found{};
    const CUresult code =
        cuArray3DGetDescriptor(pArrayDescriptor == nullptr ? nullptr : &found, hArray);
    if (code == CUDA_SUCCESS) {
        *pArrayDescriptor = {found.Width, found.Height, found.Format, found.NumChannels};
    }
    return code;
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
    return in_context([&] {
        return code_of([&] {
            require(pArrayDescriptor != nullptr, cudaErrorInvalidValue);
            const cudaArray& found = the_device().array(hArray);
            const unsigned channels =
                found.element_bytes() * 8 / static_cast<unsigned>(found.format.x);
            *pArrayDescriptor = {found.extent.width, found.extent.height,
                                 found.extent.depth, name_of(found.format),
                                 channels,           found.flags};
        });
    });
}

CUresult cuArrayDestroy(CUarray hArray) {
    return in_context([&] {
        const cudaError_t code =
            code_of([&] { require(hArray != nullptr, cudaErrorInvalidResourceHandle); });
        return code == cudaSuccess ? cudaFreeArray(hArray) : code;
    });
}

CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount) {
    return in_context([&] {
        return cudaMemcpyToArray(dstArray, dstOffset, 0, pointer_of(srcDevice), ByteCount,
                                 cudaMemcpyDeviceToDevice);
    });
}

CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
    return in_context([&] {
        return cudaMemcpyFromArray(pointer_of(dstDevice), srcArray, srcOffset, 0, ByteCount,
                                   cudaMemcpyDeviceToDevice);
    });
}

CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount) {
    return in_context([&] {
        return cudaMemcpyToArray(dstArray, dstOffset, 0, srcHost, ByteCount,
                                 cudaMemcpyHostToDevice);
    });
}

CUresult cuMemcpyAtoH(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount) {
    return in_context([&] {
        return cudaMemcpyFromArray(dstHost, srcArray, srcOffset, 0, ByteCount,
                                   cudaMemcpyDeviceToHost);
    });
}

CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                      size_t ByteCount) {
    return in_context([&] {
        return cudaMemcpyArrayToArray(dstArray, dstOffset, 0, srcArray, srcOffset, 0, ByteCount,
                                      cudaMemcpyDeviceToDevice);
    });
}

CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void* srcHost,
                           size_t ByteCount, CUstream hStream) {
    return in_context([&] {
        return cudaMemcpyToArrayAsync(dstArray, dstOffset, 0, srcHost, ByteCount,
                                      cudaMemcpyHostToDevice, hStream);
    });
}

CUresult cuMemcpyAtoHAsync(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                           CUstream hStream) {
    return in_context([&] {
        return cudaMemcpyFromArrayAsync(dstHost, srcArray, srcOffset, 0, ByteCount,
                                        cudaMemcpyDeviceToHost, hStream);
    });
}

}  // extern "C"
