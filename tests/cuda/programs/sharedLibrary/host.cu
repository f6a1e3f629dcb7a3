// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Opens the library as a plug-in, again and again; the device and what is on it stay.
#include <cstdio>
#include <cuda_runtime.h>
#include <dlfcn.h>

__global__ void fill(float* numbers) { numbers[threadIdx.x] = threadIdx.x; }

int main(int, char** arguments)
{
    float host[64], *numbers;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&numbers, sizeof host);
    fill<<<1, 64, 0, stream>>>(numbers);
    int wrong = 0;
    for (int i = 0; i < 3; i++) {
        void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            printf("%s\n", dlerror());
            return 1;
        }
        void (*set)(float) = (void (*)(float))dlsym(library, "setOffset");
        void (*add)(float*, int, void*) = (void (*)(float*, int, void*))dlsym(library, "addOffset");
        add(numbers, 64, stream);  // its own value, that of a new library
        cudaStreamSynchronize(stream);
        set(100);
        add(numbers, 64, stream);
        cudaStreamSynchronize(stream);
        dlclose(library);
    }
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) wrong += host[i] != i + 303;
    fill<<<1, 64, 0, stream>>>(numbers);
    cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) wrong += host[i] != i;
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
