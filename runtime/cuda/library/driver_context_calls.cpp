// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <set>

#include "runtime/cuda/library/driver.h"
#include "runtime/cuda/library/properties.h"

/// A context of the driver API: a name for the process's device.
struct CUctx_st {
    unsigned flags = 0;
};

namespace heddle::cuda {
namespace {

/// Of all threads. Calls use it under the library's lock.
struct context_table {
    bool initialized = false;
    std::set<CUcontext> all;  ///< that the program has created
    CUctx_st primary;
    unsigned primary_users = 0;
};

context_table& the_contexts() {
    static auto* const table = new context_table;
    return *table;
}

std::vector<CUcontext>& current_contexts() {
    thread_local std::vector<CUcontext> stack;
    return stack;
}

/// The runtime's calls make a context for all threads. Questions to a device make none.
bool runtime_has_device() {
    const auto& device = the_library().device;
    return device != nullptr && device->of_runtime;
}

bool is_alive(CUcontext context) {
    const context_table& table = the_contexts();
    return table.all.count(context) != 0 ||
           (context == &table.primary && (table.primary_users != 0 || runtime_has_device()));
}

void require_alive(CUcontext context) {
    require(is_alive(context), cudaErrorDeviceUninitialized);
}

CUcontext current() {
    const auto& stack = current_contexts();
    if (!stack.empty()) return stack.back();
    return runtime_has_device() ? &the_contexts().primary : nullptr;
}

/// The device ends with its last user.
cudaError_t reset_if_unused() {
    bool used = !the_contexts().all.empty() || the_contexts().primary_users != 0;
    const cudaError_t code = code_of([&] {
        // The runtime's calls go on.
        used = used || the_library().device == nullptr || runtime_has_device();
    });
    return used ? code : cudaDeviceReset();
}

void check_flags(unsigned flags) {
    require((flags & ~0x1fu) == 0, cudaErrorInvalidValue);
}

}  // namespace

void require_initialized() {
    require(the_contexts().initialized, cudaErrorInitializationError);
}

void require_device(CUdevice device) {
    require_initialized();
    require(device == 0, cudaErrorInvalidDevice);
}

void require_context() {
    require_initialized();
    const CUcontext now = current();
    require(now != nullptr, cudaErrorDeviceUninitialized);
    require(is_alive(now), cudaErrorContextIsDestroyed);
}

CUresult driver_code(cudaError_t code) noexcept {
    switch (code) {
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidHostPointer:
        case cudaErrorInvalidDevicePointer:
        case cudaErrorInvalidMemcpyDirection:
            return CUDA_ERROR_INVALID_VALUE;
        case cudaErrorInvalidSymbol:
            return CUDA_ERROR_NOT_FOUND;
        case cudaErrorInvalidDeviceFunction:
            return CUDA_ERROR_INVALID_HANDLE;
        default:
            return static_cast<CUresult>(code);
    }
}

}  // namespace heddle::cuda

namespace {

using namespace heddle::cuda;

cudaError_t destroy(CUcontext ctx) {
    const cudaError_t code = code_of([&] {
        require_initialized();
        require(the_contexts().all.erase(ctx) != 0, cudaErrorDeviceUninitialized);
        auto& stack = current_contexts();
        if (!stack.empty() && stack.back() == ctx) stack.pop_back();
        delete ctx;
    });
    return code == cudaSuccess ? reset_if_unused() : code;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int flags) {
    return driver_result([&] {
        return code_of([&] {
            require(flags == 0, cudaErrorInvalidValue);
            the_contexts().initialized = true;
        });
    });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
    return for_device(dev, [&] {
        return code_of([&] {
            require(pctx != nullptr, cudaErrorInvalidValue);
            (void)the_device();
            ++the_contexts().primary_users;
            *pctx = &the_contexts().primary;
        });
    });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev) {
    return for_device(dev, [&] {
        const cudaError_t code = code_of([&] {
            require(the_contexts().primary_users != 0, cudaErrorDeviceUninitialized);
            --the_contexts().primary_users;
        });
        return code == cudaSuccess ? reset_if_unused() : code;
    });
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev) {
    return for_device(dev, [&] { return cudaDeviceReset(); });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
    return for_device(dev, [&] {
        return code_of([&] {
            put(flags, the_contexts().primary.flags);
            put(active, is_alive(&the_contexts().primary) ? 1 : 0);
        });
    });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
    return for_device(dev, [&] {
        return code_of([&] {
            check_flags(flags);
            the_contexts().primary.flags = flags;
        });
    });
}

CUresult cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev) {
    return for_device(dev, [&] {
        return code_of([&] {
            require(pctx != nullptr, cudaErrorInvalidValue);
            check_flags(flags);
            (void)the_device();
            auto made = std::make_unique<CUctx_st>();
            made->flags = flags;
            the_contexts().all.insert(made.get());
            current_contexts().push_back(made.get());
            *pctx = made.release();
        });
    });
}

CUresult cuCtxDestroy(CUcontext ctx) {
    return driver_result([&] { return destroy(ctx); });
}

CUresult cuCtxDetach(CUcontext ctx) {
    return driver_result([&] { return destroy(ctx); });
}

CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags) {
    return in_context([&] {
        return code_of([&] {
            require(flags == 0, cudaErrorInvalidValue);
            put(pctx, current());
        });
    });
}

CUresult cuCtxPushCurrent(CUcontext ctx) {
    return for_device(0, [&] {
        return code_of([&] {
            require_alive(ctx);
            current_contexts().push_back(ctx);
        });
    });
}

CUresult cuCtxPopCurrent(CUcontext* pctx) {
    return for_device(0, [&] {
        return code_of([&] {
            auto& stack = current_contexts();
            require(!stack.empty(), cudaErrorDeviceUninitialized);
            if (pctx != nullptr) *pctx = stack.back();
            stack.pop_back();
        });
    });
}

CUresult cuCtxSetCurrent(CUcontext ctx) {
    return for_device(0, [&] {
        return code_of([&] {
            auto& stack = current_contexts();
            if (ctx != nullptr) require_alive(ctx);
            if (!stack.empty()) stack.pop_back();
            if (ctx != nullptr) stack.push_back(ctx);
        });
    });
}

CUresult cuCtxGetCurrent(CUcontext* pctx) {
    return for_device(0, [&] { return code_of([&] { put(pctx, current()); }); });
}

CUresult cuCtxGetDevice(CUdevice* device) {
    return in_context([&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
    return in_context([&] { return code_of([&] { put(flags, current()->flags); }); });
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
    return for_device(0, [&] {
        return code_of([&] {
            if (ctx != nullptr) require_alive(ctx);
            put(version, cuda_version);
        });
    });
}

CUresult cuCtxSynchronize() {
    return in_context([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
    return in_context([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    return in_context([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
    return in_context([&] {
        cudaFuncCache found{};
        const cudaError_t code = cudaDeviceGetCacheConfig(config == nullptr ? nullptr : &found);
        if (code == cudaSuccess) *config = static_cast<CUfunc_cache>(found);
        return code;
    });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    return in_context([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
    return in_context([&] {
        cudaSharedMemConfig found{};
        const cudaError_t code = cudaDeviceGetSharedMemConfig(config == nullptr ? nullptr : &found);
        if (code == cudaSuccess) *config = static_cast<CUsharedconfig>(found);
        return code;
    });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
    return in_context(
        [&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority) {
    return in_context(
        [&] { return cudaDeviceGetStreamPriorityRange(leastPriority, greatestPriority); });
}

CUresult cuProfilerStart() {
    return in_context([] { return cudaProfilerStart(); });
}

CUresult cuProfilerStop() {
    return in_context([] { return cudaProfilerStop(); });
}

}  // extern "C"
