// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The driver API, with a program from the file that the argument names.
#include <cuda.h>

#include "kit.h"

static CUmodule module_of_file;

static void contexts(const char* file) {
    CUdevice device = 9;
    CUcontext context = nullptr, found = nullptr;
    CUdeviceptr p = 0;
    int n = 0;
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&n));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuInit(1));
    GOOD(cuInit(0));
    GOOD(cuDeviceGetCount(&n));
    THAT(n == 1);
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    GOOD(cuDeviceGet(&device, 0));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    char name[64];
    GOOD(cuDeviceGetName(name, sizeof name, device));
    THAT(std::strncmp(name, "Heddle ", 7) == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetName(name, 0, device));
    size_t bytes = 0;
    GOOD(cuDeviceTotalMem(&bytes, device));
    THAT(bytes >= 1u << 30);
    GOOD(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    THAT(n == 32);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&n, (CUdevice_attribute)999, device));
    int major = 0, minor = 0;
    GOOD(cuDeviceComputeCapability(&major, &minor, device));
    THAT(major == 6 && minor == 1);
    CUdevprop text;
    GOOD(cuDeviceGetProperties(&text, device));
    THAT(text.SIMDWidth == 32 && text.clockRate > 0);
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&context, 0, 4));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuCtxCreate(nullptr, 0, device));
    GOOD(cuCtxCreate(&context, CU_CTX_SCHED_SPIN, device));
    GOOD(cuCtxGetCurrent(&found));
    THAT(found == context);
    unsigned flags = 0;
    GOOD(cuCtxGetFlags(&flags));
    THAT(flags == CU_CTX_SCHED_SPIN);
    GOOD(cuCtxPopCurrent(&found));
    THAT(found == context);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&found));
    GOOD(cuCtxPushCurrent(context));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)64));
    GOOD(cuCtxSynchronize());
    const char* words = nullptr;
    GOOD(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &words));
    THAT(std::strcmp(words, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
    GOOD(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &words));
    THAT(std::strcmp(words, "invalid argument") == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGetErrorName((CUresult)12345, &words));
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuGraphCreate(nullptr, 0));
    GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module_of_file, "/nowhere"));
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&module_of_file, "/proc/self/exe"));
    GOOD(cuModuleLoad(&module_of_file, file));
}

static void programs() {
    CUfunction scale = nullptr;
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&scale, module_of_file, "none"));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&scale, (CUmodule)64, "scale"));
    GOOD(cuModuleGetFunction(&scale, module_of_file, "scale"));
    CUdeviceptr factor = 0, d = 0;
    size_t bytes = 0;
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&factor, &bytes, module_of_file, "none"));
    GOOD(cuModuleGetGlobal(&factor, &bytes, module_of_file, "factor"));
    THAT(bytes == 4);
    const float two = 2;
    GOOD(cuMemcpyHtoD(factor, &two, 4));
    float h[64];
    for (int i = 0; i < 64; ++i) h[i] = (float)i;
    GOOD(cuMemAlloc(&d, sizeof h));
    GOOD(cuMemcpyHtoD(d, h, sizeof h));
    int n = 64;
    float plus = 0.5f;
    void* arguments[] = {&d, &n, &plus};
    GOOD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, 0, arguments, nullptr));
    GOOD(cuMemcpyDtoH(h, d, sizeof h));
    THAT(h[0] == 0.5f && h[63] == 126.5f);
    // Arguments in one buffer, as older programs have them.
    struct {
        CUdeviceptr d;
        int n;
        float plus;
    } packed = {d, 1, 1.f};
    size_t size = sizeof packed;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    GOOD(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, extra));
    size = 8;
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, 0, nullptr, extra));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuLaunchKernel(scale, 1, 1, 1, 4096, 1, 1, 0, 0, arguments, nullptr));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuLaunchKernel((CUfunction)64, 1, 1, 1, 32, 1, 1, 0, 0, arguments, nullptr));
    GOOD(cuFuncSetBlockShape(scale, 32, 1, 1));
    GOOD(cuParamSeti(scale, 0, d));
    GOOD(cuParamSeti(scale, 4, 2));
    GOOD(cuParamSetf(scale, 8, 10.f));
    GOOD(cuParamSetSize(scale, 12));
    GOOD(cuLaunchGrid(scale, 1, 1));
    GOOD(cuMemcpyDtoH(h, d, 8));
    THAT(h[0] == 14.f && h[1] == 15.f);  // (0.5 · 2 + 1) · 2 + 10, 2.5 · 2 + 10
    GOOD(cuFuncGetAttribute(&n, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
    THAT(n > 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuFuncGetAttribute(&n, (CUfunction_attribute)99, scale));
    int grid = 0, block = 0, blocks = 0;
    GOOD(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, nullptr, 0, 0));
    GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, block, 0));
    THAT(grid % blocks == 0 && block % 32 == 0 && blocks > 0);
    GOOD(cuMemFree(d));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(d));
}

/// A program in memory, several times: each has a place of its own.
static void loads_from_memory(const char* file) {
    std::vector<char> text;
    FILE* const in = std::fopen(file, "rb");
    for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) text.push_back((char)c);
    std::fclose(in);
    CUmodule all[2];
    CUdeviceptr factors[2] = {};
    for (int i = 0; i < 2; ++i) {
        GOOD(cuModuleLoadData(&all[i], text.data()));
        GOOD(cuModuleGetGlobal(&factors[i], nullptr, all[i], "factor"));
    }
    THAT(factors[0] != factors[1]);
    for (CUmodule each : all) GOOD(cuModuleUnload(each));
    // A head that promises more than there is.
    const std::string shorter = std::string(file) + ".short";
    FILE* const out = std::fopen(shorter.c_str(), "wb");
    const unsigned kind_and_bytes[] = {1, 1u << 30};
    std::fwrite("HEDDLECU", 1, 8, out);
    std::fwrite(kind_and_bytes, 1, 8, out);
    std::fwrite(text.data(), 1, 100, out);
    std::fclose(out);
    GIVES(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&all[0], shorter.c_str()));
    std::remove(shorter.c_str());
}

static void memory() {
    CUdeviceptr d = 0, base = 0;
    size_t size = 0, pitch = 0;
    unsigned h[12] = {};
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&d, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&d, &pitch, 12, 4, 3));
    GOOD(cuMemAllocPitch(&d, &pitch, 12, 4, 4));
    GOOD(cuMemGetAddressRange(&base, &size, d + 20));
    THAT(base == d && size == pitch * 4);
    GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&base, &size, 64));
    GOOD(cuMemsetD2D32(d, pitch, 0x01020304, 3, 4));
    GOOD(cuMemsetD16(d + 4, 0x0506, 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD16(d + 1, 0x0506, 2));
    GOOD(cuMemsetD8(d + 8, 7, 4));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = d;
    copy.srcPitch = pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = h;
    copy.dstPitch = 12;
    copy.WidthInBytes = 12;
    copy.Height = 4;
    GOOD(cuMemcpy2D(&copy));
    THAT(h[0] == 0x01020304 && h[1] == 0x05060506 && h[2] == 0x07070707 && h[11] == 0x01020304);
    copy.Height = 5;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
    CUevent first, last;
    CUstream stream;
    float ms = -1;
    GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    GOOD(cuEventCreate(&first, 0));
    GOOD(cuEventCreate(&last, 0));
    GOOD(cuEventRecord(first, stream));
    GOOD(cuEventRecord(last, stream));
    GOOD(cuStreamSynchronize(stream));
    GOOD(cuEventElapsedTime(&ms, first, last));
    THAT(ms == 0);
    GOOD(cuStreamDestroy(stream));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(stream));
    GOOD(cuMemFree(d));
    GOOD(cudaGetLastError());  // the driver API has none
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    contexts(argv[1]);
    programs();
    loads_from_memory(argv[1]);
    memory();
    CUcontext context = nullptr;
    GOOD(cuModuleUnload(module_of_file));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module_of_file));
    GOOD(cuCtxGetCurrent(&context));
    GOOD(cuCtxDestroy(context));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(context));
    std::printf("%d failures\n", failures());
    return failures() != 0;
}
