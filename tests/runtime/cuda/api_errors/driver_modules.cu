// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The driver API's programs and launches. The argument names a file with driver_module.cu's.
#include <cuda.h>

#include <fstream>
#include <iterator>

#include "tests/runtime/cuda/kit.h"

static const char* file;
static CUmodule module;
static CUfunction scale;
static const CUfunction no_function = (CUfunction)0x40;
static const CUmodule no_module = (CUmodule)0x40;

CASE(modules) {
    CUcontext context = nullptr;
    CUmodule others[3] = {};
    CUdeviceptr factor = 0;
    size_t bytes = 0;
    GOOD(cuInit(0));
    GOOD(cuCtxCreate(&context, 0, 0));
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> image{std::istreambuf_iterator<char>(in), {}};
    const char garbage[64] = "no program";
    GOOD(cuModuleLoad(&module, file));
    GOOD(cuModuleLoadData(&others[0], image.data()));
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    void* value = (void*)32;
    GOOD(cuModuleLoadDataEx(&others[1], image.data(), 1, &option, &value));
    GOOD(cuModuleLoadFatBinary(&others[2], image.data()));
    for (const CUmodule each : others) {
        GOOD(cuModuleGetFunction(&scale, each, "scale"));
        GOOD(cuModuleUnload(each));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(each));
        GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunch(scale));  // gone with it
    }
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoad(nullptr, file));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoad(&others[0], nullptr));
    GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&others[0], "/nowhere"));
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&others[0], "/dev/null"));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(nullptr, image.data()));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadData(&others[0], nullptr));
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&others[0], garbage));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadDataEx(nullptr, image.data(), 0, nullptr, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuModuleLoadDataEx(&others[0], image.data(), 1, nullptr, nullptr));
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadDataEx(&others[0], garbage, 0, nullptr, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleLoadFatBinary(&others[0], nullptr));
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadFatBinary(&others[0], garbage));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(no_module));
    GOOD(cuModuleGetFunction(&scale, module, "scale"));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(nullptr, module, "scale"));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetFunction(&scale, module, nullptr));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&scale, module, "factor"));
    GOOD(cuModuleGetGlobal(&factor, nullptr, module, "factor"));
    GOOD(cuModuleGetGlobal(nullptr, &bytes, module, "factor"));
    THAT(factor != 0 && bytes == 4);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuModuleGetGlobal(&factor, &bytes, module, nullptr));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&factor, &bytes, module, "scale"));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetGlobal(&factor, &bytes, no_module, "factor"));
}

CASE(functions) {
    int value = 0;
    const char* name = nullptr;
    GOOD(cuFuncGetName(&name, scale));
    THAT(std::strcmp(name, "scale") == 0);
    GOOD(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2000));
    GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, scale));
    THAT(value == 2000);
    GOOD(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50));
    GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, scale));
    THAT(value == 50);
    GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_BINARY_VERSION, scale));
    THAT(value == 61);
    GOOD(cuFuncSetCacheConfig(scale, CU_FUNC_CACHE_PREFER_EQUAL));
    GOOD(cuFuncSetSharedMemConfig(scale, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetName(nullptr, scale));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncGetName(&name, no_function));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&value, (CUfunction_attribute)-1, scale));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, no_function));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_NUM_REGS, 8));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuFuncSetAttribute(no_function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetCacheConfig(scale, (CUfunc_cache)4));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncSetCacheConfig(no_function, CU_FUNC_CACHE_PREFER_L1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetSharedMemConfig(scale, (CUsharedconfig)3));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuFuncSetSharedMemConfig(no_function, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
}

static size_t four_a_thread(int threads) {
    return 4 * (size_t)threads;
}

CASE(occupancy) {
    int blocks = 0, same = 0, grid = 0, block = 0;
    GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 64, 0));
    GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, scale, 64, 0, 1));
    THAT(blocks > 0 && same == blocks);
    GOOD(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, scale, four_a_thread, 0, 64, 0));
    THAT(block == 64 && grid > 0 && grid % blocks == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, scale, 64, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 0, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, no_function, 64, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, scale, 64, 0, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxPotentialBlockSize(nullptr, &block, scale, nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxPotentialBlockSize(&grid, nullptr, scale, nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuOccupancyMaxPotentialBlockSize(&grid, &block, no_function, nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, scale, nullptr, 0, 0, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, scale, nullptr, 0, -1, 0));
}

static void set_true(void* done) {
    *(bool*)done = true;
}

CASE(launches) {
    CUdeviceptr d = 0;
    int n = 1;
    float plus = 2, h = 0;
    bool done = false;
    void* arguments[] = {&d, &n, &plus};
    void* wrong_extra[] = {(void*)7, &n, CU_LAUNCH_PARAM_END};
    void* half_extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &n, CU_LAUNCH_PARAM_END};
    const CUstream no = (CUstream)0x1234;
    GOOD(cuMemAlloc(&d, 4));
    GOOD(cuMemsetD32(d, 0, 1));
    GOOD(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, arguments, nullptr));
    GOOD(cuLaunchCooperativeKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, arguments));
    GOOD(cuLaunchHostFunc(0, set_true, &done));
    GOOD(cuMemcpyDtoH(&h, d, 4));
    THAT(h == 4 && done);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, arguments, half_extra));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, wrong_extra));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, half_extra));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, 0, arguments, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 1, 1, 0, 0, 0, arguments, nullptr));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 1u << 30, 0, arguments, nullptr));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, no, arguments, nullptr));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuLaunchCooperativeKernel(no_function, 1, 1, 1, 32, 1, 1, 0, 0, arguments));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchCooperativeKernel(scale, 1, 1, 1, 0, 1, 1, 0, 0, arguments));
    GIVES(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(scale, 60000, 1, 1, 64, 1, 1, 0, 0, arguments));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchHostFunc(0, nullptr, nullptr));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchHostFunc(no, set_true, &done));
    GOOD(cuMemcpyDtoH(&h, d, 4));
    THAT(h == 4);
    GOOD(cuMemFree(d));
}

CASE(launches_of_the_old_kind) {
    CUdeviceptr d = 0;
    int n = 64;
    float h[64] = {};
    GOOD(cuMemAlloc(&d, sizeof h));
    GOOD(cuMemsetD32(d, 0, 64));
    GOOD(cuParamSetSize(scale, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunch(scale));  // without arguments
    GOOD(cuFuncSetBlockShape(scale, 32, 1, 1));
    GOOD(cuFuncSetSharedSize(scale, 64));
    GOOD(cuParamSeti(scale, 0, d));
    GOOD(cuParamSetv(scale, 4, &n, sizeof n));
    GOOD(cuParamSetf(scale, 8, 3));
    GOOD(cuLaunch(scale));
    GOOD(cuLaunchGridAsync(scale, 2, 1, 0));
    GOOD(cuMemcpyDtoH(h, d, sizeof h));
    THAT(h[0] == 6 && h[31] == 6 && h[32] == 3 && h[63] == 3);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(scale, 0, 1, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(scale, 1, 1, -1));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncSetBlockShape(no_function, 1, 1, 1));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuFuncSetSharedSize(no_function, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetSize(scale, 4097));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSeti(scale, -1, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSeti(scale, 4093, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetf(scale, -4, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetv(scale, 0, nullptr, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuParamSetv(scale, 4, &n, 4096));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunch(no_function));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(scale, 0, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchGrid(scale, 1, -1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchGridAsync(scale, 1, 0, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLaunchGridAsync(scale, 1, 1, (CUstream)0x1234));
    GOOD(cuFuncSetSharedSize(scale, 1u << 30));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunch(scale));
    GOOD(cuMemcpyDtoH(h, d, sizeof h));
    THAT(h[0] == 6 && h[63] == 3);
    GOOD(cuMemFree(d));
    GOOD(cudaGetLastError());  // the driver API has none
}

int main(int, char** argv) {
    file = argv[1];
    return file == nullptr ? 2 : run_cases("");
}
