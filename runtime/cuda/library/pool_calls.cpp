// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Memory pools: names for the device's one heap, which has no need to keep anything back.
#include "runtime/cuda/library/device_objects.h"

namespace {

using namespace heddle::cuda;

heddle_cuda_memory_pool& pool_of(const device_objects& device, cudaMemPool_t handle) {
    if (handle == device.default_pool.get()) return *device.default_pool;
    const auto found = device.pools.find(handle);
    require(found != device.pools.end(), cudaErrorInvalidValue);
    return *found->second;
}

void check_device(int number) {
    require(number == 0, cudaErrorInvalidDevice);
}

bool is_threshold(cudaMemPoolAttr which) {
    return which == cudaMemPoolAttrReleaseThreshold;
}

void check(cudaMemPoolAttr which) {
    require(which >= cudaMemPoolReuseFollowEventDependencies && which <= cudaMemPoolAttrUsedMemHigh,
            cudaErrorInvalidValue);
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
    return code_of([&] {
        check_device(device);
        put(memPool, the_device().default_pool.get());
    });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
    return code_of([&] {
        check_device(device);
        const device_objects& all = the_device();
        put(memPool, all.current_pool != nullptr ? all.current_pool : all.default_pool.get());
    });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
    return code_of([&] {
        check_device(device);
        device_objects& all = the_device();
        (void)pool_of(all, memPool);
        all.current_pool = memPool;
    });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const cudaMemPoolProps* poolProps) {
    return code_of([&] {
        device_objects& all = the_device();
        require(memPool != nullptr && poolProps != nullptr &&
                    poolProps->allocType == cudaMemAllocationTypePinned,
                cudaErrorInvalidValue);
        require(poolProps->handleTypes == cudaMemHandleTypeNone, cudaErrorNotSupported);
        require(poolProps->location.type == cudaMemLocationTypeDevice, cudaErrorInvalidValue);
        check_device(poolProps->location.id);
        auto made = std::make_unique<heddle_cuda_memory_pool>();
        *memPool = made.get();
        all.pools[*memPool] = std::move(made);
    });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
    return code_of([&] {
        device_objects& all = the_device();
        // Its memory lives on, as CUDA has it.
        require(all.pools.erase(memPool) != 0, cudaErrorInvalidValue);
        if (all.current_pool == memPool) all.current_pool = nullptr;
    });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t) {
    return code_of([&] { (void)pool_of(the_device(), memPool); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
    return code_of([&] {
        const device_objects& all = the_device();
        const heddle_cuda_memory_pool& pool = pool_of(all, memPool);
        check(attr);
        require(value != nullptr, cudaErrorInvalidValue);
        if (attr < cudaMemPoolAttrReleaseThreshold) {
            *static_cast<int*>(value) = pool.reuse[attr];
        } else {
            *static_cast<unsigned long long*>(value) =
                is_threshold(attr) ? pool.threshold : all.memory.allocated();
        }
    });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
    return code_of([&] {
        heddle_cuda_memory_pool& pool = pool_of(the_device(), memPool);
        check(attr);
        require(value != nullptr, cudaErrorInvalidValue);
        if (attr < cudaMemPoolAttrReleaseThreshold) {
            pool.reuse[attr] = *static_cast<const int*>(value);
            return;
        }
        const auto wanted = *static_cast<const unsigned long long*>(value);
        // The others are figures of the pool; their highest ones may be set back.
        require(is_threshold(attr) || ((attr == cudaMemPoolAttrReservedMemHigh ||
                                        attr == cudaMemPoolAttrUsedMemHigh) &&
                                       wanted == 0),
                cudaErrorInvalidValue);
        if (is_threshold(attr)) pool.threshold = wanted;
    });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc* descList,
                                 size_t count) {
    return code_of([&] {
        (void)pool_of(the_device(), memPool);
        require(descList != nullptr || count == 0, cudaErrorInvalidValue);
        for (size_t i = 0; i < count; ++i) {
            check_device(descList[i].location.id);
            // The device itself can't be shut out.
            require(descList[i].flags == cudaMemAccessFlagsProtReadWrite, cudaErrorInvalidValue);
        }
    });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool,
                                 cudaMemLocation* location) {
    return code_of([&] {
        (void)pool_of(the_device(), memPool);
        require(location != nullptr, cudaErrorInvalidValue);
        check_device(location->id);
        put(flags, cudaMemAccessFlagsProtReadWrite);
    });
}

cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream) {
    const cudaError_t code = code_of([&] { (void)pool_of(the_device(), memPool); });
    return code == cudaSuccess ? cudaMallocAsync(ptr, size, stream) : code;
}

}  // extern "C"
