// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "runtime/cuda/library/device_objects.h"
#include "runtime/cuda/library/properties.h"

namespace {

using namespace heddle::cuda;

void check_device(int device) {
    require(device == 0, cudaErrorInvalidDevice);
}

cudaDeviceProp properties() {
    return properties_of(the_device().session.description());
}

constexpr unsigned legal_flags = cudaDeviceMask;

void check_flags(unsigned flags) {
    const unsigned schedule = flags & cudaDeviceScheduleMask;
    require((flags & ~legal_flags) == 0 && (schedule & (schedule - 1)) == 0, cudaErrorInvalidValue);
}

void check(cudaFuncCache config) {
    require(config >= cudaFuncCachePreferNone && config <= cudaFuncCachePreferEqual,
            cudaErrorInvalidValue);
}

/// The device with all that is on it; the next call that needs one begins another.
void reset() {
    library& all = the_library();
    all.failed = false;
    cudaError_t code = cudaSuccess;
    const std::shared_ptr<device_objects> gone = all.device;
    if (gone == nullptr) return;
    try {
        gone->session.wait_for_all();
    } catch (...) {
        // A device that is lost is what a reset is for.
        code = code_of_current_exception();
        if (gone->session.lost() != cudaSuccess) code = cudaSuccess;
    }
    gone->session.close();
    gone->memory.forget();
    gone->programs.forget_managed();
    if (all.device == gone) all.device = nullptr;
    // Kept: another thread may be waiting for it.
    new std::shared_ptr<device_objects>(gone);
    all.process.note_change();
    require(code == cudaSuccess, code);
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return code_of([&] { put(count, 1); });
}

cudaError_t cudaGetDevice(int* device) {
    return code_of([&] { put(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
    return code_of([&] { check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
    return code_of([&] {
        check_device(device);
        require((flags & ~1u) == 0, cudaErrorInvalidValue);
        if ((flags & 1u) != 0) {
            check_flags(deviceFlags);
            the_library().device_flags = deviceFlags;
        }
        (void)the_device();
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
    return code_of([&] {
        require(prop != nullptr, cudaErrorInvalidValue);
        check_device(device);
        *prop = properties();
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
    return code_of([&] {
        require(value != nullptr, cudaErrorInvalidValue);
        check_device(device);
        *value = attribute_of(properties(), attr);
    });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
    return code_of([&] {
        require(prop != nullptr, cudaErrorInvalidValue);
        put(device, 0);
    });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
    return code_of([&] {
        require(count >= 0 && (count == 0 || devices != nullptr), cudaErrorInvalidValue);
        for (int i = 0; i < count; ++i) check_device(devices[i]);
    });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    return code_of([&] {
        check_flags(flags);
        the_library().device_flags = flags;
    });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    return code_of([&] { put(flags, the_library().device_flags); });
}

cudaError_t cudaDeviceReset() {
    return code_of(reset);
}

cudaError_t cudaThreadExit() {
    return code_of(reset);
}

cudaError_t cudaDeviceSynchronize() {
    return code_of([] { the_device().session.wait_for_all(); });
}

cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return code_of([&] {
        const auto& limits = the_device().limits;
        const auto found = limits.find(limit);
        require(found != limits.end(), cudaErrorUnsupportedLimit);
        put(value, found->second);
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return code_of([&] {
        auto& limits = the_device().limits;
        const auto found = limits.find(limit);
        require(found != limits.end(), cudaErrorUnsupportedLimit);
        const size_t heap =
            limit == cudaLimitMallocHeapSize ? the_library().programs.heap_bytes() : 0;
        if (value > heap && heap != 0) {
            std::fprintf(
                stderr,
                "heddle: cudaLimitMallocHeapSize: found %zu, but the kernels were compiled "
                "with a heap of %zu bytes: add -DHEDDLE_HEAP_BYTES=%zu\n",
                value, heap, value);
        }
        found->second = heap != 0 ? heap : value;
    });
}

cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return code_of([&] { put(config, the_device().cache); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
    return code_of([&] {
        check(config);
        the_device().cache = config;
    });
}

cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
    return cudaDeviceGetCacheConfig(config);
}

cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return code_of([&] { put(config, the_device().banks); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
    return code_of([&] {
        require(config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte,
                cudaErrorInvalidValue);
        the_device().banks = config;
    });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
    return code_of([&] {
        if (leastPriority != nullptr) *leastPriority = 0;
        if (greatestPriority != nullptr) *greatestPriority = greatest_priority;
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
    return code_of([&] {
        check_device(device);
        require(pciBusId != nullptr && len > static_cast<int>(std::strlen(pci_bus_id)),
                cudaErrorInvalidValue);
        std::strcpy(pciBusId, pci_bus_id);
    });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
    return code_of([&] {
        require(pciBusId != nullptr, cudaErrorInvalidValue);
        require(std::strcmp(pciBusId, pci_bus_id) == 0, cudaErrorInvalidDevice);
        put(device, 0);
    });
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
    return code_of([&] {
        check_device(device);
        check_device(peerDevice);
        put(canAccessPeer, 0);
    });
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
    return code_of([&] {
        require(flags == 0, cudaErrorInvalidValue);
        check_device(peerDevice);
        throw error(cudaErrorInvalidDevice);  // a device is no peer of itself
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
    return code_of([&] {
        check_device(peerDevice);
        throw error(cudaErrorPeerAccessNotEnabled);
    });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
    return code_of([] { (void)the_device(); });
}

cudaError_t cudaProfilerStart() {
    return code_of([] { (void)the_device(); });
}

cudaError_t cudaProfilerStop() {
    return code_of([] { (void)the_device(); });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* driverStatus) {
    return code_of([&] {
        require(symbol != nullptr && funcPtr != nullptr && flags <= 2, cudaErrorInvalidValue);
        // Only functions of the driver API: this library has no other names that begin so.
        const bool driver =
            std::strncmp(symbol, "cu", 2) == 0 && std::strncmp(symbol, "cuda", 4) != 0;
        *funcPtr = driver ? ::dlsym(RTLD_DEFAULT, symbol) : nullptr;
        if (driverStatus != nullptr) {
            *driverStatus = *funcPtr != nullptr ? cudaDriverEntryPointSuccess
                                                : cudaDriverEntryPointSymbolNotFound;
        }
    });
}

}  // extern "C"
