// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Vector addition by the driver API. The module's file is the first argument.
#include <cuda.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CU(call)                                                                     \
    do {                                                                             \
        CUresult status = (call);                                                    \
        if (status != CUDA_SUCCESS) {                                                \
            const char* text = NULL;                                                 \
            cuGetErrorString(status, &text);                                         \
            fprintf(stderr, "%s:%d: %s: %d %s\n", __FILE__, __LINE__, #call, status, \
                    text ? text : "?");                                              \
            exit(EXIT_FAILURE);                                                      \
        }                                                                            \
    } while (0)

int main(int argc, char** argv) {
    const char* file = argc > 1 ? argv[1] : "vectorAdd_kernel.fatbin";
    int N = argc > 2 ? atoi(argv[2]) : 3000;

    CU(cuInit(0));
    int count = 0, major = 0, minor = 0;
    CU(cuDeviceGetCount(&count));
    if (count == 0) return EXIT_FAILURE;
    CUdevice device;
    CU(cuDeviceGet(&device, 0));
    char name[100];
    CU(cuDeviceGetName(name, sizeof name, device));
    CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CU(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    printf("device 0: %s, %d.%d\n", name, major, minor);
    CUcontext context;
    CU(cuCtxCreate(&context, 0, device));
    CUmodule module;
    CU(cuModuleLoad(&module, file));
    CUfunction vecAdd, countFrom, none;
    CU(cuModuleGetFunction(&vecAdd, module, "VecAdd_kernel"));
    CU(cuModuleGetFunction(&countFrom, module, "CountFrom"));
    bool right = cuModuleGetFunction(&none, module, "NoSuchKernel") == CUDA_ERROR_NOT_FOUND;

    std::vector<float> A(N), B(N), C(N);
    for (int i = 0; i < N; ++i) {
        A[i] = rand() / (float)RAND_MAX;
        B[i] = rand() / (float)RAND_MAX;
    }
    size_t bytes = N * sizeof(float);
    CUdeviceptr dA, dB, dC;
    CU(cuMemAlloc(&dA, bytes));
    CU(cuMemAlloc(&dB, bytes));
    CU(cuMemAlloc(&dC, bytes));
    CU(cuMemcpyHtoD(dA, A.data(), bytes));
    CU(cuMemcpyHtoD(dB, B.data(), bytes));
    void* args[] = {&dA, &dB, &dC, &N};
    CU(cuLaunchKernel(vecAdd, (N + 255) / 256, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    CU(cuCtxSynchronize());
    CU(cuMemcpyDtoH(C.data(), dC, bytes));
    for (int i = 0; i < N; ++i) right = right && fabs(A[i] + B[i] - C[i]) < 1e-6f;

    // Variables of a module, parameters of several sizes, dynamic shared memory.
    CUdeviceptr offsets, counter;
    size_t size = 0;
    CU(cuModuleGetGlobal(&offsets, &size, module, "offsets"));
    right = right && size == 16;
    CU(cuModuleGetGlobal(&counter, &size, module, "counter"));
    right = right && size == 4;
    int table[4] = {100, 200, 300, 400};
    CU(cuMemcpyHtoD(offsets, table, sizeof table));
    CU(cuMemsetD32(counter, 7, 1));
    char byte = -3;
    short half = 1000;
    long long wide = 5LL << 32;
    void* more[] = {&dC, &byte, &half, &wide};
    CU(cuLaunchKernel(countFrom, 1, 1, 1, 64, 1, 1, 64 * sizeof(int), NULL, more, NULL));
    int out[64], counted = 0;
    CU(cuMemcpyDtoH(out, dC, sizeof out));
    CU(cuMemcpyDtoH(&counted, counter, sizeof counted));
    for (int i = 0; i < 64; ++i) right = right && out[i] == table[(63 - i) % 4] - 3 + 1000 + 5;
    right = right && counted == 71;

    CU(cuMemFree(dA));
    CU(cuMemFree(dB));
    CU(cuMemFree(dC));
    CU(cuModuleUnload(module));
    CU(cuCtxDestroy(context));
    printf("%s\n", right ? "PASSED" : "FAILED");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
