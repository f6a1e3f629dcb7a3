// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The driver API's memory, streams and events.
#include <cuda.h>

#include "tests/runtime/cuda/kit.h"

static const CUstream no = (CUstream)0x1234;

CASE(allocation) {
    CUcontext context = nullptr;
    CUdeviceptr d = 0, base = 0;
    size_t bytes = 0, pitch = 0;
    GOOD(cuInit(0));
    GOOD(cuCtxCreate(&context, 0, 0));
    size_t left = 0, all = 0, less = 0;
    GOOD(cuMemGetInfo(&left, &all));
    GOOD(cuMemAlloc(&d, 1 << 20));
    GOOD(cuMemGetInfo(&less, &all));
    THAT(left - less == 1 << 20 && less < all);
    GOOD(cuMemGetAddressRange(&base, &bytes, d + 5));
    THAT(base == d && bytes == 1 << 20);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo(nullptr, &all));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo(&left, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(nullptr, 4));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&base, 0xf0000000u));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(d + 4));
    GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, d + (1 << 20)));
    GOOD(cuMemFree(d));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(d));
    GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &bytes, d));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(nullptr, &pitch, 12, 4, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&d, nullptr, 12, 4, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&d, &pitch, 12, 4, 2));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocPitch(&d, &pitch, 1 << 20, 1 << 20, 4));
    GOOD(cuMemAllocManaged(&d, 8, CU_MEM_ATTACH_GLOBAL));
    *(int*)(size_t)d = 5;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(nullptr, 8, CU_MEM_ATTACH_GLOBAL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&base, 0, CU_MEM_ATTACH_GLOBAL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&base, 8, 0));
    GOOD(cuMemFree(d));
}

CASE(memory_of_the_host) {
    unsigned *p = nullptr, flags = 9, own[4] = {};
    CUdeviceptr d = 0;
    GOOD(cuMemAllocHost((void**)&p, 64));
    p[15] = 1;
    GOOD(cuMemHostGetFlags(&flags, p));
    THAT(flags == 0);
    GOOD(cuMemHostGetDevicePointer(&d, p, 0));
    THAT(d == (CUdeviceptr)(uintptr_t)p);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(&d, own, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(p + 1));
    GOOD(cuMemFreeHost(p));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(p));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocHost(nullptr, 64));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocHost((void**)&p, 0xfffff000u));
    GOOD(cuMemHostAlloc((void**)&p, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    GOOD(cuMemHostGetDevicePointer(&d, p, 0));
    GOOD(cuMemsetD32(d, 7, 16));
    THAT(p[15] == 7);
    GOOD(cuMemHostGetFlags(&flags, p));
    THAT(flags == CU_MEMHOSTALLOC_DEVICEMAP);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(nullptr, p, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetDevicePointer(&d, p, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(nullptr, p));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, own));
    GOOD(cuMemFreeHost(p));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc(nullptr, 64, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostAlloc((void**)&p, 64, 0x100));
    GOOD(cuMemHostRegister(own, sizeof own, CU_MEMHOSTREGISTER_PORTABLE));
    GIVES(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own, 4, 0));
    GOOD(cuMemHostUnregister(own));
    GIVES(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(nullptr, 4, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(own, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(own, 4, 0x100));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemHostUnregister(nullptr));
}

CASE(kinds_of_pointers) {
    CUdeviceptr d = 0, found = 0;
    void *p = nullptr, *found_host = nullptr;
    unsigned type = 0, managed = 9;
    int device = 9, own = 0;
    GOOD(cuMemAlloc(&d, 64));
    GOOD(cuMemAllocHost(&p, 64));
    const auto of_host = (CUdeviceptr)(size_t)p;
    GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d + 4));
    THAT(type == CU_MEMORYTYPE_DEVICE);
    GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, of_host));
    THAT(type == CU_MEMORYTYPE_HOST);
    GOOD(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, d + 4));
    THAT(found == d + 4);
    GOOD(cuPointerGetAttribute(&found_host, CU_POINTER_ATTRIBUTE_HOST_POINTER, of_host));
    THAT(found_host == p);
    GOOD(cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, d));
    GOOD(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, d));
    THAT(managed == 0 && device == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                          (CUdeviceptr)(size_t)&own));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuPointerGetAttribute(&found_host, CU_POINTER_ATTRIBUTE_HOST_POINTER, d));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&type, (CUpointer_attribute)99, d));
    GOOD(cuMemFree(d));
    GOOD(cuMemFreeHost(p));
}

/// 64 bytes on the device and what the program has of them.
struct both_sides {
    unsigned char h[64];
    CUdeviceptr d = 0;
    both_sides() {
        for (int i = 0; i < 64; ++i) h[i] = (unsigned char)i;
        GOOD(cuMemAlloc(&d, sizeof h));
        GOOD(cuMemcpyHtoD(d, h, sizeof h));
    }
    ~both_sides() { GOOD(cuMemFree(d)); }
    void look() {
        std::memset(h, 0xff, sizeof h);
        GOOD(cuMemcpyDtoH(h, d, sizeof h));
    }
};

CASE(copies) {
    both_sides x;
    const CUdeviceptr d = x.d, end = x.d + 61, own = (CUdeviceptr)(size_t)x.h;
    unsigned char some[4] = {200, 201, 202, 203};
    GOOD(cuMemcpy(d + 8, (CUdeviceptr)(size_t)some, 1));
    GOOD(cuMemcpyAsync(d + 9, d + 1, 1, 0));
    GOOD(cuMemcpyDtoD(d + 10, d + 2, 1));
    GOOD(cuMemcpyDtoDAsync(d + 11, d + 3, 1, 0));
    GOOD(cuMemcpyHtoDAsync(d + 12, some + 1, 1, 0));
    GOOD(cuMemcpyDtoHAsync(some + 2, d + 5, 1, 0));
    x.look();
    THAT(x.h[7] == 7 && x.h[8] == 200 && x.h[9] == 1 && x.h[10] == 2 && x.h[11] == 3);
    THAT(x.h[12] == 201 && x.h[13] == 13 && some[2] == 5 && some[3] == 203);
    GOOD(cuMemcpyHtoD(d, x.h, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy(end, own, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy(own, end, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAsync(end, own, 4, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyAsync(d, own, 4, no));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(end, x.h, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(d, nullptr, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(own, x.h, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(x.h, end, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(nullptr, d, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(d, end, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(own, d, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync(end, x.h, 4, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyHtoDAsync(d, x.h, 4, no));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync(x.h, end, 4, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoHAsync(x.h, d, 4, no));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoDAsync(end, d, 4, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoDAsync(d + 4, d, 4, no));
}

CASE(copies_of_rows) {
    both_sides x;
    unsigned char own[8] = {};
    CUDA_MEMCPY2D good = {}, p;
    good.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    good.srcDevice = x.d;
    good.srcPitch = 16;
    good.srcXInBytes = 3;
    good.srcY = 1;
    good.dstMemoryType = CU_MEMORYTYPE_HOST;
    good.dstHost = own;
    good.dstPitch = 4;
    good.WidthInBytes = 2;
    good.Height = 2;
    for (const int way : {0, 1, 2}) {
        std::memset(own, 0, sizeof own);
        if (way == 0) GOOD(cuMemcpy2D(&good));
        if (way == 1) GOOD(cuMemcpy2DUnaligned(&good));
        if (way == 2) GOOD(cuMemcpy2DAsync(&good, 0));
        GOOD(cuCtxSynchronize());
        THAT(own[0] == 19 && own[1] == 20 && own[2] == 0 && own[4] == 35 && own[5] == 36);
    }
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DUnaligned(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpy2DAsync(&good, no));
    p = good;
    p.srcMemoryType = (CUmemorytype)0;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&p));
    p.srcMemoryType = (CUmemorytype)5;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DUnaligned(&p));
    p = good;
    p.dstPitch = 1;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&p));
    p = good;
    p.srcXInBytes = 15;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync(&p, 0));
    p = good;
    p.srcY = 3;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&p));
    p = good;
    p.dstHost = nullptr;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&p));
    p = good;
    p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    p.dstArray = (CUarray)0x40;
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpy2D(&p));
    p = good;
    p.Height = 0;
    GOOD(cuMemcpy2D(&p));
}

CASE(fills) {
    both_sides x;
    const CUdeviceptr d = x.d;
    GOOD(cuMemsetD8Async(d, 0x11, 1, 0));
    GOOD(cuMemsetD16Async(d + 2, 0x2233, 1, 0));
    GOOD(cuMemsetD32Async(d + 4, 0x44556677, 1, 0));
    GOOD(cuMemsetD2D8(d + 8, 4, 0x88, 1, 2));
    GOOD(cuMemsetD2D16(d + 16, 4, 0x99aa, 1, 2));
    GOOD(cuMemsetD2D32(d + 24, 8, 0xbbccddee, 1, 2));
    x.look();
    THAT(x.h[0] == 0x11 && x.h[1] == 1 && x.h[2] == 0x33 && x.h[3] == 0x22 && x.h[7] == 0x44);
    THAT(x.h[8] == 0x88 && x.h[9] == 9 && x.h[12] == 0x88 && x.h[13] == 13);
    THAT(x.h[16] == 0xaa && x.h[17] == 0x99 && x.h[18] == 18 && x.h[21] == 0x99 && x.h[22] == 22);
    THAT(x.h[27] == 0xbb && x.h[28] == 28 && x.h[32] == 0xee && x.h[36] == 36);
    GOOD(cuMemsetD8(d, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(d, 0, 65));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8((CUdeviceptr)(size_t)x.h, 0, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(d, 0, 33));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(d, 0, 17));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(d + 2, 0, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(d, 0, 65, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(d, 0, 4, no));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD16Async(d + 1, 0, 1, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD16Async(d, 0, 1, no));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(d + 1, 0, 1, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD32Async(d, 0, 1, no));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(d, 4, 0, 5, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8(d, 32, 0, 32, 3));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D16(d + 1, 4, 0, 1, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D16(d, 5, 0, 1, 2));  // the pitch, too
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(d + 2, 8, 0, 1, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(d, 6, 0, 1, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(d, 4, 0, 2, 2));
}

static void note_status(CUstream, CUresult status, void* place) {
    *(int*)place = status;
}

CASE(streams) {
    CUstream stream = nullptr, gone = nullptr;
    CUevent event = nullptr;
    unsigned flags = 9;
    int priority = 9, status = -1;
    GOOD(cuStreamCreate(&gone, CU_STREAM_DEFAULT));
    GOOD(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
    GOOD(cuStreamGetFlags(stream, &flags));
    THAT(flags == CU_STREAM_NON_BLOCKING);
    GOOD(cuStreamGetPriority(stream, &priority));
    THAT(priority == -1);
    GOOD(cuEventCreate(&event, CU_EVENT_DEFAULT));
    GOOD(cuStreamWaitEvent(stream, event, 0));
    GOOD(cuStreamAddCallback(stream, note_status, &status, 0));
    GOOD(cuStreamSynchronize(stream));
    THAT(status == CUDA_SUCCESS);
    GOOD(cuStreamQuery(stream));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamCreate(&stream, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamCreateWithPriority(nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamCreateWithPriority(&stream, 2, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetFlags(stream, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetPriority(stream, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(stream, event, 2));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(stream, (CUevent)0x40, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, nullptr, nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, note_status, &status, 1));
    GOOD(cuStreamDestroy(gone));
    for (const CUstream wrong : {gone, no}) {
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(wrong));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(wrong));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamQuery(wrong));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamWaitEvent(wrong, event, 0));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamAddCallback(wrong, note_status, &status, 0));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetFlags(wrong, &flags));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamGetPriority(wrong, &priority));
    }
    GOOD(cuEventDestroy(event));
    GOOD(cuStreamDestroy(stream));
}

CASE(events) {
    CUevent event = nullptr, silent = nullptr, gone = nullptr;
    float ms = -1;
    GOOD(cuEventCreate(&event, CU_EVENT_BLOCKING_SYNC));
    GOOD(cuEventCreate(&silent, CU_EVENT_DISABLE_TIMING));
    GOOD(cuEventCreate(&gone, 0));
    GOOD(cuEventRecord(event, 0));
    GOOD(cuEventRecord(silent, 0));
    GOOD(cuEventSynchronize(silent));
    GOOD(cuEventQuery(event));
    GOOD(cuEventElapsedTime(&ms, event, event));
    THAT(ms == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&gone, 8));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuEventCreate(&gone, CU_EVENT_INTERPROCESS));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuEventElapsedTime(nullptr, event, event));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, event, silent));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, gone, event));  // no record
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, no));
    GOOD(cuEventDestroy(gone));
    for (const CUevent wrong : {gone, (CUevent)0x40, (CUevent) nullptr}) {
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(wrong, 0));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(wrong));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(wrong));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, wrong, event));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(wrong));
    }
    GOOD(cuEventDestroy(event));
    GOOD(cuEventDestroy(silent));
    GOOD(cudaGetLastError());  // the driver API has none
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
