// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Memory of all kinds: what is made, and what of it is refused.
#include "tests/runtime/cuda/kit.h"

CASE(device_memory) {
    char *p = nullptr, h[32] = {};
    GOOD(cudaMallocAsync(&p, sizeof h, 0));
    GOOD(cudaMemset(p, 7, sizeof h));
    GOOD(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
    THAT(h[0] == 7 && h[31] == 7);
    FAILS(cudaErrorInvalidResourceHandle, cudaFreeAsync(p, no_stream));
    FAILS(cudaErrorInvalidValue, cudaFreeAsync(p + 4, 0));
    GOOD(cudaFreeAsync(p, 0));
    FAILS(cudaErrorInvalidValue, cudaFreeAsync(p, 0));
    FAILS(cudaErrorInvalidValue, cudaFreeAsync(h, 0));
    FAILS(cudaErrorInvalidValue, cudaMallocAsync(null<void*>(), 16, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaMallocAsync(&p, 16, no_stream));
    FAILS(cudaErrorMemoryAllocation, cudaMallocAsync(&p, 0xf0000000u, 0));
    FAILS(cudaErrorInvalidValue, cudaFree(h));
    size_t all = 0;
    FAILS(cudaErrorInvalidValue, cudaMemGetInfo(&all, null<size_t>()));
}

CASE(rows) {
    char* p = (char*)1;
    size_t pitch = 9;
    GOOD(cudaMallocPitch(&p, &pitch, 100, 0));
    THAT(p == nullptr);
    FAILS(cudaErrorInvalidValue, cudaMallocPitch(null<void*>(), &pitch, 100, 3));
    FAILS(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, 0x100000, 0x100000));
    cudaPitchedPtr rows = {};
    GOOD(cudaMalloc3D(&rows, make_cudaExtent(100, 3, 2)));
    THAT(rows.ptr != nullptr && rows.pitch >= 100 && rows.xsize == 100 && rows.ysize == 3);
    GOOD(cudaMemset((char*)rows.ptr, 1, rows.pitch * 6));
    FAILS(cudaErrorInvalidValue, cudaMemset((char*)rows.ptr, 1, rows.pitch * 6 + 1));
    GOOD(cudaFree(rows.ptr));
    FAILS(cudaErrorMemoryAllocation, cudaMalloc3D(&rows, make_cudaExtent(4096, 4096, 4096)));
}

CASE(host_memory) {
    unsigned* p = nullptr;
    unsigned flags = 9;
    GOOD(cudaMallocHost(&p, 64));
    p[15] = 3;
    GOOD(cudaHostGetFlags(&flags, p + 15));
    THAT(flags == 0);
    FAILS(cudaErrorInvalidValue, cudaHostGetFlags(&flags, p + 1024 * 1024));
    FAILS(cudaErrorInvalidValue, cudaHostGetFlags(null<unsigned>(), p));
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(p));
    FAILS(cudaErrorInvalidValue, cudaFreeHost(p + 1));
    GOOD(cudaFreeHost(p));
    FAILS(cudaErrorInvalidValue, cudaFreeHost(p));
    FAILS(cudaErrorInvalidValue, cudaMallocHost(null<void*>(), 16));
    FAILS(cudaErrorMemoryAllocation, cudaMallocHost(&p, 0xfffff000u));
    FAILS(cudaErrorInvalidValue, cudaHostAlloc(null<void*>(), 16, 0));
    FAILS(cudaErrorMemoryAllocation, cudaHostAlloc(&p, 0xfffff000u, 0));

    unsigned* there = nullptr;
    GOOD(cudaHostAlloc(&p, 64, cudaHostAllocMapped | cudaHostAllocPortable));
    GOOD(cudaHostGetFlags(&flags, p));
    THAT(flags == (cudaHostAllocMapped | cudaHostAllocPortable));
    GOOD(cudaHostGetDevicePointer(&there, p, 0));
    GOOD(cudaMemset(there, 1, 64));
    THAT(p[15] == 0x01010101);
    FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(null<void*>(), p, 0));
    FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&there, p, 1));
    FAILS(cudaErrorInvalidValue, cudaFree(p));  // it is cudaFreeHost's
    GOOD(cudaFreeHost(p));
    FAILS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&there, p, 0));

    unsigned own[4];
    FAILS(cudaErrorInvalidValue, cudaHostRegister(null<void>(), 4, 0));
    FAILS(cudaErrorInvalidValue, cudaHostRegister(own, 4, 0x100));
    FAILS(cudaErrorInvalidValue, cudaHostUnregister(null<void>()));
    GOOD(cudaHostRegister(own, sizeof own, cudaHostRegisterPortable));
    GOOD(cudaHostGetFlags(&flags, own));
    THAT(flags == cudaHostRegisterPortable);
    FAILS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, sizeof own, 0));
    FAILS(cudaErrorInvalidValue, cudaFreeHost(own));
    FAILS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own + 1));
    GOOD(cudaHostUnregister(own));
}

CASE(managed_memory) {
    int *p = nullptr, h = 0;
    GOOD(cudaMallocManaged(&p, 64, cudaMemAttachHost));
    *p = 5;
    GOOD(cudaMemcpy(&h, p, 4, cudaMemcpyDefault));
    THAT(h == 5);
    FAILS(cudaErrorInvalidValue, cudaMallocManaged(null<void*>(), 64));
    FAILS(cudaErrorInvalidValue, cudaMallocManaged(&p, 64, 0));
    FAILS(cudaErrorMemoryAllocation, cudaMallocManaged(&p, 0xf0000000u));
    FAILS(cudaErrorInvalidResourceHandle, cudaMemPrefetchAsync(p, 64, 0, no_stream));
    FAILS(cudaErrorInvalidDevice, cudaMemAdvise(p, 64, cudaMemAdviseSetPreferredLocation, 1));
    FAILS(cudaErrorInvalidValue, cudaMemAdvise(&h, 4, cudaMemAdviseSetReadMostly, 0));
    FAILS(cudaErrorInvalidResourceHandle, cudaStreamAttachMemAsync(no_stream, p));
    FAILS(cudaErrorInvalidValue, cudaStreamAttachMemAsync(0, &h));
    GOOD(cudaFree(p));
    FAILS(cudaErrorInvalidValue, cudaFree(p));
}

CASE(kinds_of_pointers) {
    struct {
        cudaMemoryType type;
        bool on_device, on_host;
        void* p;
    } rows[] = {{cudaMemoryTypeDevice, true, false, nullptr},
                {cudaMemoryTypeManaged, true, true, nullptr},
                {cudaMemoryTypeHost, true, true, nullptr},
                {cudaMemoryTypeUnregistered, false, true, nullptr}};
    int own = 0;
    GOOD(cudaMalloc(&rows[0].p, 64));
    GOOD(cudaMallocManaged(&rows[1].p, 64));
    GOOD(cudaMallocHost(&rows[2].p, 64));
    rows[3].p = &own;
    for (const auto& row : rows) {
        cudaPointerAttributes found;
        GOOD(cudaPointerGetAttributes(&found, (char*)row.p + 3));
        THAT(found.type == row.type);
        THAT((found.devicePointer == (char*)row.p + 3) == row.on_device);
        THAT((found.hostPointer == (char*)row.p + 3) == row.on_host);
    }
    FAILS(cudaErrorInvalidValue, cudaPointerGetAttributes(null<cudaPointerAttributes>(), &own));
    GOOD(cudaFree(rows[0].p));
    GOOD(cudaFree(rows[1].p));
    GOOD(cudaFreeHost(rows[2].p));
}

CASE(arrays) {
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
    THAT(format.x == 16 && format.y == 16 && format.z == 0 && format.f == cudaChannelFormatKindSigned);
    FAILS(cudaErrorInvalidValue, cudaMallocArray(null<cudaArray_t>(), &format, 4, 4));
    FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 4, 4, 0x1000));
    FAILS(cudaErrorMemoryAllocation, cudaMallocArray(&array, &format, 65536, 65536));
    FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 65537, 4));
    const cudaExtent extent = make_cudaExtent(4, 3, 2);
    FAILS(cudaErrorInvalidValue, cudaMalloc3DArray(null<cudaArray_t>(), &format, extent));
    FAILS(cudaErrorInvalidValue, cudaMalloc3DArray(&array, null<cudaChannelFormatDesc>(), extent));
    FAILS(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 0, 2)));
    GOOD(cudaMalloc3DArray(&array, &format, extent));
    cudaExtent found = {};
    cudaChannelFormatDesc found_format = {};
    GOOD(cudaArrayGetInfo(null<cudaChannelFormatDesc>(), &found, null<unsigned>(), array));
    THAT(found.width == 4 && found.height == 3 && found.depth == 2);
    GOOD(cudaGetChannelDesc(&found_format, array));
    THAT(std::memcmp(&found_format, &format, sizeof format) == 0);
    FAILS(cudaErrorInvalidValue, cudaGetChannelDesc(null<cudaChannelFormatDesc>(), array));
    FAILS(cudaErrorInvalidValue, cudaFree(array));
    GOOD(cudaFreeArray(array));
    FAILS(cudaErrorInvalidResourceHandle,
          cudaArrayGetInfo(&found_format, &found, null<unsigned>(), array));
    FAILS(cudaErrorInvalidResourceHandle, cudaGetChannelDesc(&found_format, array));
}

CASE(pools) {
    cudaMemPool_t first = nullptr, now = nullptr, own = nullptr;
    const cudaMemPool_t none = (cudaMemPool_t)0x40;
    GOOD(cudaDeviceGetDefaultMemPool(&first, 0));
    GOOD(cudaDeviceGetMemPool(&now, 0));
    THAT(first != nullptr && now == first);
    cudaMemPoolProps wanted = {};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location = {cudaMemLocationTypeDevice, 0};
    GOOD(cudaMemPoolCreate(&own, &wanted));
    GOOD(cudaDeviceSetMemPool(0, own));
    GOOD(cudaDeviceGetMemPool(&now, 0));
    THAT(now == own);
    unsigned long long bytes = 1 << 20, found = 0;
    int reuse = 0;
    GOOD(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &bytes));
    GOOD(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReleaseThreshold, &found));
    THAT(found == bytes);
    GOOD(cudaMemPoolSetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
    reuse = 5;
    GOOD(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
    THAT(reuse == 0);
    void* p = nullptr;
    GOOD(cudaMallocFromPoolAsync(&p, 4096, own, 0));
    GOOD(cudaMemset(p, 1, 4096));
    GOOD(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &found));
    THAT(found >= 4096);
    GOOD(cudaFreeAsync(p, 0));
    GOOD(cudaMemPoolTrimTo(own, 0));
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    GOOD(cudaMemPoolSetAccess(own, &access, 1));
    GOOD(cudaMemPoolGetAccess(&flags, own, &access.location));
    THAT(flags == cudaMemAccessFlagsProtReadWrite);
    FAILS(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&p, 64, none, 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&now, 1));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetMemPool(&now, 1));
    FAILS(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, none));
    FAILS(cudaErrorInvalidValue, cudaMemPoolTrimTo(none, 0));
    FAILS(cudaErrorInvalidValue, cudaMemPoolGetAttribute(own, (cudaMemPoolAttr)9, &found));
    FAILS(cudaErrorInvalidValue, cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &bytes));
    access.flags = cudaMemAccessFlagsProtNone;
    FAILS(cudaErrorInvalidValue, cudaMemPoolSetAccess(own, &access, 1));
    access.location.id = 1;
    FAILS(cudaErrorInvalidDevice, cudaMemPoolGetAccess(&flags, own, &access.location));
    wanted.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    FAILS(cudaErrorNotSupported, cudaMemPoolCreate(&now, &wanted));
    GOOD(cudaMemPoolDestroy(own));
    GOOD(cudaDeviceGetMemPool(&now, 0));
    THAT(now == first);
    FAILS(cudaErrorInvalidValue, cudaMemPoolDestroy(own));
    FAILS(cudaErrorInvalidValue, cudaMemPoolDestroy(first));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
