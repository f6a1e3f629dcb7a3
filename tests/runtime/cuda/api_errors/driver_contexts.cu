// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The driver API before cuInit, without a context and with one; its devices and contexts.
#include <cuda.h>

#include <thread>

#include "tests/runtime/cuda/kit.h"

static int number;
static unsigned flags;
static size_t bytes;
static char text[64];
static float ms;
static void* pointer;
static const char* words;
static CUdeviceptr address;
static CUcontext context;
static CUmodule module;
static CUfunction function = (CUfunction)0x40;
static CUstream stream;
static CUevent event;
static CUfunc_cache cache;
static CUsharedconfig banks;
static CUDA_MEMCPY2D copy;
static void nothing(void*) {}
static void no_callback(CUstream, CUresult, void*) {}

/// Of all calls that need a driver that has been initialized, but no context.
static void without_context(CUresult wanted) {
    CUuuid id;
    CUdevprop properties;
    GIVES(wanted, cuDeviceGet(&number, 0));
    GIVES(wanted, cuDeviceGetCount(&number));
    GIVES(wanted, cuDeviceGetName(text, sizeof text, 0));
    GIVES(wanted, cuDeviceGetUuid(&id, 0));
    GIVES(wanted, cuDeviceTotalMem(&bytes, 0));
    GIVES(wanted, cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    GIVES(wanted, cuDeviceGetProperties(&properties, 0));
    GIVES(wanted, cuDeviceComputeCapability(&number, &number, 0));
    GIVES(wanted, cuDeviceGetPCIBusId(text, sizeof text, 0));
    GIVES(wanted, cuDeviceGetByPCIBusId(&number, "0000:01:00.0"));
    GIVES(wanted, cuDeviceCanAccessPeer(&number, 0, 0));
    GIVES(wanted, cuDevicePrimaryCtxRetain(&context, 0));
    GIVES(wanted, cuDevicePrimaryCtxGetState(0, &flags, &number));
    GIVES(wanted, cuDevicePrimaryCtxSetFlags(0, 0));
    GIVES(wanted, cuDevicePrimaryCtxReset(0));
    GIVES(wanted, cuDevicePrimaryCtxRelease(0));
    GIVES(wanted, cuCtxGetCurrent(&context));
    GIVES(wanted, cuCtxSetCurrent(nullptr));
}

static void contexts_that_are_none(CUresult wanted) {
    GIVES(wanted, cuCtxPushCurrent((CUcontext)0x40));
    GIVES(wanted, cuCtxSetCurrent((CUcontext)0x40));
    GIVES(wanted, cuCtxPopCurrent(&context));
    GIVES(wanted, cuCtxDestroy((CUcontext)0x40));
    GIVES(wanted, cuCtxDestroy(nullptr));
    GIVES(wanted, cuCtxDetach((CUcontext)0x40));
    GIVES(wanted, cuCtxGetApiVersion((CUcontext)0x40, &flags));
    GIVES(wanted, cuDevicePrimaryCtxRelease(0));
}

/// Of all calls that need a context.
static void in_a_context(CUresult wanted) {
    GIVES(wanted, cuCtxAttach(&context, 0));
    GIVES(wanted, cuCtxGetDevice(&number));
    GIVES(wanted, cuCtxGetFlags(&flags));
    GIVES(wanted, cuCtxSynchronize());
    GIVES(wanted, cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
    GIVES(wanted, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024));
    GIVES(wanted, cuCtxGetCacheConfig(&cache));
    GIVES(wanted, cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE));
    GIVES(wanted, cuCtxGetSharedMemConfig(&banks));
    GIVES(wanted, cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
    GIVES(wanted, cuCtxGetStreamPriorityRange(&number, &number));
    GIVES(wanted, cuProfilerStart());
    GIVES(wanted, cuProfilerStop());
    GIVES(wanted, cuModuleLoad(&module, "/proc/self/exe"));
    GIVES(wanted, cuModuleLoadData(&module, text));
    GIVES(wanted, cuModuleLoadDataEx(&module, text, 0, nullptr, nullptr));
    GIVES(wanted, cuModuleLoadFatBinary(&module, text));
    GIVES(wanted, cuModuleUnload((CUmodule)0x40));
    GIVES(wanted, cuModuleGetFunction(&function, (CUmodule)0x40, "f"));
    GIVES(wanted, cuModuleGetGlobal(&address, &bytes, (CUmodule)0x40, "v"));
    GIVES(wanted, cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    GIVES(wanted, cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0));
    GIVES(wanted, cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));
    GIVES(wanted, cuFuncSetSharedMemConfig(function, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
    GIVES(wanted, cuFuncGetName(&words, function));
    GIVES(wanted, cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 32, 0));
    GIVES(wanted,
          cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, function, 32, 0, 0));
    GIVES(wanted, cuOccupancyMaxPotentialBlockSize(&number, &number, function, nullptr, 0, 0));
    GIVES(wanted,
          cuOccupancyMaxPotentialBlockSizeWithFlags(&number, &number, function, nullptr, 0, 0, 0));
    GIVES(wanted, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, &pointer, nullptr));
    GIVES(wanted, cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, &pointer));
    GIVES(wanted, cuLaunchHostFunc(stream, nothing, nullptr));
    GIVES(wanted, cuFuncSetBlockShape(function, 1, 1, 1));
    GIVES(wanted, cuFuncSetSharedSize(function, 0));
    GIVES(wanted, cuParamSetSize(function, 4));
    GIVES(wanted, cuParamSeti(function, 0, 1));
    GIVES(wanted, cuParamSetf(function, 0, 1));
    GIVES(wanted, cuParamSetv(function, 0, text, 4));
    GIVES(wanted, cuLaunch(function));
    GIVES(wanted, cuLaunchGrid(function, 1, 1));
    GIVES(wanted, cuLaunchGridAsync(function, 1, 1, stream));
    GIVES(wanted, cuMemGetInfo(&bytes, &bytes));
    GIVES(wanted, cuMemAlloc(&address, 4));
    GIVES(wanted, cuMemAllocPitch(&address, &bytes, 4, 4, 4));
    GIVES(wanted, cuMemAllocManaged(&address, 4, CU_MEM_ATTACH_GLOBAL));
    GIVES(wanted, cuMemFree(0x40));
    GIVES(wanted, cuMemGetAddressRange(&address, &bytes, 0x40));
    GIVES(wanted, cuMemAllocHost(&pointer, 4));
    GIVES(wanted, cuMemHostAlloc(&pointer, 4, 0));
    GIVES(wanted, cuMemFreeHost(text));
    GIVES(wanted, cuMemHostRegister(text, 4, 0));
    GIVES(wanted, cuMemHostUnregister(text));
    GIVES(wanted, cuMemHostGetDevicePointer(&address, text, 0));
    GIVES(wanted, cuMemHostGetFlags(&flags, text));
    GIVES(wanted, cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0x40));
    GIVES(wanted, cuMemcpy(0x40, 0x40, 4));
    GIVES(wanted, cuMemcpyAsync(0x40, 0x40, 4, stream));
    GIVES(wanted, cuMemcpyHtoD(0x40, text, 4));
    GIVES(wanted, cuMemcpyDtoH(text, 0x40, 4));
    GIVES(wanted, cuMemcpyDtoD(0x40, 0x40, 4));
    GIVES(wanted, cuMemcpyHtoDAsync(0x40, text, 4, stream));
    GIVES(wanted, cuMemcpyDtoHAsync(text, 0x40, 4, stream));
    GIVES(wanted, cuMemcpyDtoDAsync(0x40, 0x40, 4, stream));
    GIVES(wanted, cuMemcpy2D(&copy));
    GIVES(wanted, cuMemcpy2DUnaligned(&copy));
    GIVES(wanted, cuMemcpy2DAsync(&copy, stream));
    GIVES(wanted, cuMemsetD8(0x40, 1, 4));
    GIVES(wanted, cuMemsetD16(0x40, 1, 4));
    GIVES(wanted, cuMemsetD32(0x40, 1, 4));
    GIVES(wanted, cuMemsetD2D8(0x40, 4, 1, 4, 1));
    GIVES(wanted, cuMemsetD2D16(0x40, 8, 1, 4, 1));
    GIVES(wanted, cuMemsetD2D32(0x40, 16, 1, 4, 1));
    GIVES(wanted, cuMemsetD8Async(0x40, 1, 4, stream));
    GIVES(wanted, cuMemsetD16Async(0x40, 1, 4, stream));
    GIVES(wanted, cuMemsetD32Async(0x40, 1, 4, stream));
    GIVES(wanted, cuStreamCreate(&stream, 0));
    GIVES(wanted, cuStreamCreateWithPriority(&stream, 0, 0));
    GIVES(wanted, cuStreamDestroy(stream));
    GIVES(wanted, cuStreamSynchronize(stream));
    GIVES(wanted, cuStreamQuery(stream));
    GIVES(wanted, cuStreamWaitEvent(stream, event, 0));
    GIVES(wanted, cuStreamAddCallback(stream, no_callback, nullptr, 0));
    GIVES(wanted, cuStreamGetFlags(stream, &flags));
    GIVES(wanted, cuStreamGetPriority(stream, &number));
    GIVES(wanted, cuEventCreate(&event, 0));
    GIVES(wanted, cuEventRecord(event, stream));
    GIVES(wanted, cuEventQuery(event));
    GIVES(wanted, cuEventSynchronize(event));
    GIVES(wanted, cuEventElapsedTime(&ms, event, event));
    GIVES(wanted, cuEventDestroy(event));
}

CASE(before_the_driver_is_initialized) {
    GOOD(cuDriverGetVersion(&number));
    THAT(number == CUDA_VERSION);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDriverGetVersion(nullptr));
    without_context(CUDA_ERROR_NOT_INITIALIZED);
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuCtxCreate(&context, 0, 0));
    contexts_that_are_none(CUDA_ERROR_NOT_INITIALIZED);
    in_a_context(CUDA_ERROR_NOT_INITIALIZED);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&number));
    GOOD(cuInit(0));
    GOOD(cuInit(0));
}

CASE(without_a_context) {
    context = (CUcontext)0x40;
    GOOD(cuCtxGetCurrent(&context));
    THAT(context == nullptr);
    contexts_that_are_none(CUDA_ERROR_INVALID_CONTEXT);
    in_a_context(CUDA_ERROR_INVALID_CONTEXT);
    THAT(address == 0 && pointer == nullptr && module == nullptr);
}

CASE(names_of_errors) {
    GOOD(cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &words));
    THAT(std::strcmp(words, "CUDA_ERROR_INVALID_CONTEXT") == 0);
    GOOD(cuGetErrorString(CUDA_ERROR_INVALID_CONTEXT, &words));
    THAT(words[0] != 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)998, &words));
    THAT(words == nullptr);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorString((CUresult)998, &words));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorName(CUDA_SUCCESS, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorString(CUDA_SUCCESS, nullptr));
}

CASE(primary_contexts) {
    CUcontext again = nullptr;
    char name[64];
    // Questions make no context.
    GOOD(cuDeviceGetName(name, sizeof name, 0));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&address, 4));
    GOOD(cuDevicePrimaryCtxGetState(0, &flags, &number));
    THAT(number == 0);
    GOOD(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    GOOD(cuDevicePrimaryCtxRetain(&context, 0));
    GOOD(cuDevicePrimaryCtxRetain(&again, 0));
    THAT(context != nullptr && again == context);
    GOOD(cuDevicePrimaryCtxGetState(0, &flags, &number));
    THAT(flags == CU_CTX_SCHED_YIELD && number == 1);
    GOOD(cuCtxPushCurrent(context));
    GOOD(cuMemAlloc(&address, 4));
    GOOD(cuCtxPopCurrent(&again));
    THAT(again == context);
    GOOD(cuDevicePrimaryCtxRelease(0));
    GOOD(cuDevicePrimaryCtxRelease(0));
    GOOD(cuDevicePrimaryCtxGetState(0, &flags, &number));
    THAT(number == 0);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRelease(1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxRetain(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&again, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, nullptr, &number));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxGetState(0, &flags, nullptr));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxGetState(1, &flags, &number));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDevicePrimaryCtxSetFlags(0, 0x1000));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxSetFlags(1, 0));
    GOOD(cuDevicePrimaryCtxReset(0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxReset(1));
}

/// Functions of the program that a stream calls have no business with CUDA.
static void call_driver(void* done) {
    GIVES(CUDA_ERROR_NOT_PERMITTED, cuCtxSynchronize());
    GIVES(CUDA_ERROR_NOT_PERMITTED, cuCtxGetStreamPriorityRange(&number, &number));
    GIVES(CUDA_ERROR_NOT_PERMITTED, cuProfilerStart());
    GIVES(CUDA_ERROR_NOT_PERMITTED, cuProfilerStop());
    *(bool*)done = true;
}

CASE(contexts) {
    CUcontext first = nullptr, second = nullptr, found = nullptr;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(&first, 0x1000, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&first, 0, 1));
    GOOD(cuCtxCreate(&first, CU_CTX_SCHED_YIELD, 0));
    GOOD(cuCtxCreate(&second, CU_CTX_SCHED_SPIN, 0));
    GOOD(cuCtxGetFlags(&flags));
    THAT(flags == CU_CTX_SCHED_SPIN);
    GOOD(cuCtxAttach(&found, 0));
    THAT(found == second);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&found, 1));
    GOOD(cuCtxSetCurrent(first));
    GOOD(cuCtxGetFlags(&flags));
    THAT(flags == CU_CTX_SCHED_YIELD);
    number = 7;
    GOOD(cuCtxGetDevice(&number));
    THAT(number == 0);
    GOOD(cuCtxGetApiVersion(first, &flags));
    THAT(flags == CUDA_VERSION);
    GOOD(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 4000));
    GOOD(cuCtxGetLimit(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
    THAT(bytes == 4000);
    GOOD(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    GOOD(cuCtxGetCacheConfig(&cache));
    THAT(cache == CU_FUNC_CACHE_PREFER_L1);
    GOOD(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
    GOOD(cuCtxGetSharedMemConfig(&banks));
    THAT(banks == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
    int least = 9, greatest = 9;
    GOOD(cuCtxGetStreamPriorityRange(&least, &greatest));
    THAT(least == 0 && greatest < 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetCurrent(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetDevice(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetFlags(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetApiVersion(first, nullptr));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion((CUcontext)0x40, &flags));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
    GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&bytes, (CUlimit)77));
    GIVES(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit((CUlimit)77, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetCacheConfig(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxSetCacheConfig((CUfunc_cache)4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxGetSharedMemConfig(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxSetSharedMemConfig((CUsharedconfig)3));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent((CUcontext)0x40));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(nullptr));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)0x40));
    GOOD(cuCtxGetCurrent(&found));
    THAT(found == first);  // what failed has changed nothing
    bool done = false;
    GOOD(cuLaunchHostFunc(0, call_driver, &done));
    GOOD(cuCtxSynchronize());
    THAT(done);
    GOOD(cuProfilerStart());
    GOOD(cuProfilerStop());
    GOOD(cuCtxDetach(second));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(second));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(second));
    // Another thread ends what is current in this one.
    std::thread([&] { GOOD(cuCtxDestroy(first)); }).join();
    in_a_context(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    GIVES(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    GOOD(cuCtxSetCurrent(nullptr));
    GOOD(cuCtxPopCurrent(&found));  // the place that was the second's
    THAT(found == first);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(first));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
}

CASE(devices) {
    CUuuid id = {};
    CUdevprop properties = {};
    int major = 0, minor = 0;
    GOOD(cuDeviceGetUuid(&id, 0));
    THAT(std::memcmp(id.bytes, "heddle", 6) == 0);
    GOOD(cuDeviceGetPCIBusId(text, sizeof text, 0));
    number = 7;
    GOOD(cuDeviceGetByPCIBusId(&number, text));
    THAT(number == 0);
    number = 7;
    GOOD(cuDeviceCanAccessPeer(&number, 0, 0));
    THAT(number == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGet(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&number, -1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetCount(nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(nullptr, 64, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetName(text, 64, 1));
    GOOD(cuDeviceGetName(text, 4, 0));
    THAT(std::strcmp(text, "Hed") == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetUuid(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetUuid(&id, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceTotalMem(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem(&bytes, -1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetProperties(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetProperties(&properties, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceComputeCapability(nullptr, &minor, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceComputeCapability(&major, nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceComputeCapability(&major, &minor, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(nullptr, 32, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetPCIBusId(text, 12, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetPCIBusId(text, 32, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(nullptr, "0000:01:00.0"));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(&number, nullptr));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&number, "0000:77:00.0"));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceCanAccessPeer(nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&number, 1, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&number, 0, 1));
}

int main(int argc, char** argv) {
    return run_cases(argc > 1 ? argv[1] : "");
}
