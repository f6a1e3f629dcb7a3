// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Devices, errors, versions and the profiler; also what calls say that have no argument to be wrong.
#include "tests/runtime/cuda/kit.h"

CASE(what_is_kept_is_found) {
    unsigned flags = 9;
    GOOD(cudaInitDevice(0, cudaDeviceMapHost, 1));
    GOOD(cudaGetDeviceFlags(&flags));
    THAT(flags == cudaDeviceMapHost);
    GOOD(cudaInitDevice(0, cudaDeviceScheduleSpin, 0));  // without the flags
    GOOD(cudaGetDeviceFlags(&flags));
    THAT(flags == cudaDeviceMapHost);
    GOOD(cudaSetDeviceFlags(0));
    FAILS(cudaErrorInvalidValue, cudaInitDevice(0, 0x1000, 1));
    FAILS(cudaErrorInvalidDevice, cudaInitDevice(-1, 0, 0));
    FAILS(cudaErrorInvalidValue, cudaInitDevice(0, 0, 2));
    FAILS(cudaErrorInvalidValue, cudaGetDeviceFlags(null<unsigned>()));

    cudaFuncCache cache = cudaFuncCachePreferNone;
    GOOD(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
    GOOD(cudaDeviceGetCacheConfig(&cache));
    THAT(cache == cudaFuncCachePreferL1);
    GOOD(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual));
    GOOD(cudaThreadGetCacheConfig(&cache));
    THAT(cache == cudaFuncCachePreferEqual);
    FAILS(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(null<cudaFuncCache>()));
    FAILS(cudaErrorInvalidValue, cudaThreadGetCacheConfig(null<cudaFuncCache>()));
    FAILS(cudaErrorInvalidValue, cudaThreadSetCacheConfig((cudaFuncCache)4));
    FAILS(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((cudaFuncCache)-1));
    GOOD(cudaDeviceGetCacheConfig(&cache));
    THAT(cache == cudaFuncCachePreferEqual);  // what failed has changed nothing
    FAILS(cudaErrorInvalidValue, cudaDeviceGetSharedMemConfig(null<cudaSharedMemConfig>()));
    FAILS(cudaErrorInvalidValue, cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)3));

    size_t value = 0;
    GOOD(cudaThreadSetLimit(cudaLimitStackSize, 4096));
    GOOD(cudaThreadGetLimit(&value, cudaLimitStackSize));
    THAT(value == 4096);
    value = 0;
    GOOD(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    THAT(value == 4096);
    FAILS(cudaErrorUnsupportedLimit, cudaThreadSetLimit((cudaLimit)77, 1));
    FAILS(cudaErrorUnsupportedLimit, cudaThreadGetLimit(&value, (cudaLimit)77));
    FAILS(cudaErrorInvalidValue, cudaThreadGetLimit(null<size_t>(), cudaLimitStackSize));
}

CASE(devices_by_number_and_name) {
    int n = 7;
    char id[32] = "";
    cudaDeviceProp p;
    GOOD(cudaGetDeviceProperties(&p, 0));
    GOOD(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    THAT(std::strlen(id) == 12 && std::strncmp(id, "0000:", 5) == 0);
    const int enough = (int)std::strlen(id) + 1;
    GOOD(cudaDeviceGetPCIBusId(id, enough, 0));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(id, enough - 1, 0));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetPCIBusId(null<char>(), 32, 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(id, 32, 1));
    GOOD(cudaDeviceGetByPCIBusId(&n, id));
    THAT(n == 0);
    FAILS(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(null<int>(), id));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&n, null<char>()));
    FAILS(cudaErrorInvalidValue, cudaChooseDevice(null<int>(), &p));
    FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, -1));
    FAILS(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, -1));
    FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&n, (cudaDeviceAttr)0, 0));
    FAILS(cudaErrorInvalidValue, cudaDeviceCanAccessPeer(null<int>(), 0, 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&n, 1, 0));
    FAILS(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));  // no peer of itself
    FAILS(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(1));
    int one = 1;
    FAILS(cudaErrorInvalidDevice, cudaSetValidDevices(&one, 1));
    FAILS(cudaErrorInvalidValue, cudaSetValidDevices(&one, -1));
}

CASE(versions) {
    int runtime = 0, driver = 0;
    GOOD(cudaRuntimeGetVersion(&runtime));
    GOOD(cudaDriverGetVersion(&driver));
    THAT(runtime == CUDART_VERSION && driver >= runtime);
    FAILS(cudaErrorInvalidValue, cudaRuntimeGetVersion(null<int>()));
    FAILS(cudaErrorInvalidValue, cudaDriverGetVersion(null<int>()));
}

CASE(priorities_may_go_nowhere) {
    int least = 9, greatest = 9;
    GOOD(cudaDeviceGetStreamPriorityRange(&least, null<int>()));
    GOOD(cudaDeviceGetStreamPriorityRange(null<int>(), &greatest));
    THAT(least == 0 && greatest < 0);
}

/// Functions of the program that a stream calls have no business with CUDA.
static void call_cuda(void* done) {
    int n = 7;
    GIVES(cudaErrorNotPermitted, cudaDeviceSynchronize());
    GIVES(cudaErrorNotPermitted, cudaThreadSynchronize());
    GIVES(cudaErrorNotPermitted, cudaDeviceReset());
    GIVES(cudaErrorNotPermitted, cudaThreadExit());
    GIVES(cudaErrorNotPermitted, cudaProfilerStart());
    GIVES(cudaErrorNotPermitted, cudaProfilerStop());
    GIVES(cudaErrorNotPermitted, cudaCtxResetPersistingL2Cache());
    GIVES(cudaErrorNotPermitted, cudaDeviceGetStreamPriorityRange(&n, &n));
    GIVES(cudaErrorNotPermitted, cudaGetLastError());
    GIVES(cudaSuccess, cudaGetLastError());
    GIVES(cudaErrorNotPermitted, cudaGetDevice(&n));
    GIVES(cudaErrorNotPermitted, cudaPeekAtLastError());
    THAT(n == 7);
    *(bool*)done = true;
}

CASE(functions_of_streams_have_no_cuda) {
    bool done = false;
    GOOD(cudaLaunchHostFunc(0, call_cuda, &done));
    GOOD(cudaDeviceSynchronize());
    THAT(done);
    GOOD(cudaThreadSynchronize());
    GOOD(cudaPeekAtLastError());  // a thread has its own
    GOOD(cudaProfilerStart());
    GOOD(cudaProfilerStop());
    GOOD(cudaCtxResetPersistingL2Cache());
}

CASE(a_reset_takes_all) {
    void* p = nullptr;
    GOOD(cudaMalloc(&p, 64));
    GOOD(cudaThreadExit());
    FAILS(cudaErrorInvalidValue, cudaMemset(p, 0, 64));
    size_t value = 0;
    GOOD(cudaDeviceGetLimit(&value, cudaLimitStackSize));
    THAT(value == 1024);
}

CASE(functions_of_the_driver) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
    GOOD(cudaGetDriverEntryPoint("cuDeviceGetCount", &found, cudaEnableDefault, &status));
    THAT(status == cudaDriverEntryPointSuccess && found != nullptr);
    GOOD(cudaGetDriverEntryPoint("cudaMalloc", &found, cudaEnableDefault, &status));
    THAT(status == cudaDriverEntryPointSymbolNotFound && found == nullptr);
    FAILS(cudaErrorInvalidValue, cudaGetDriverEntryPoint(nullptr, &found, 0, &status));
    FAILS(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", null<void*>(), 0));
    FAILS(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuInit", &found, 3));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
