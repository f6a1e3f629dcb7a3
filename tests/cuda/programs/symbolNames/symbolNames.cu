// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Symbols and texture references by their names in strings, as CUDA took them before version 5.
#include <cstdio>
#include <cstdlib>

__constant__ float c_sin_angle[16];
__constant__ float c_sin[16];
__constant__ float c_cos[16];
__device__ int counter;
__constant__ char text[8];
texture<float, 1, cudaReadModeElementType> samples;

__global__ void combine(float *out)
{
    int i = threadIdx.x;
    out[i] = c_sin[i] + 1000 * c_cos[i] + tex1Dfetch(samples, i) + text[i % 8] + c_sin_angle[i] * 0;
    atomicAdd(&counter, 1);
}

#define CHECK(call) if ((call) != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError())); return 1; }

int main()
{
    float sines[16], cosines[16], values[16], result[16], *out, *data;
    char letters[8];
    int start = 5, count = 0, wrong = 0;
    for (int i = 0; i < 16; ++i) { sines[i] = i; cosines[i] = 2 * i; values[i] = 100 * i; }
    for (int i = 0; i < 8; ++i) letters[i] = i + 1;
    CHECK(cudaMemcpyToSymbol("c_sin", sines, sizeof sines, 0, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol("c_cos", cosines, sizeof cosines));
    CHECK(cudaMemcpyToSymbol("counter", &start, sizeof start));
    // An array of characters is a symbol itself, and no name.
    CHECK(cudaMemcpyToSymbol(text, letters, sizeof letters));
    void *address, *by_name;
    size_t bytes;
    CHECK(cudaGetSymbolAddress(&address, c_sin));
    CHECK(cudaGetSymbolAddress(&by_name, "c_sin"));
    CHECK(cudaGetSymbolSize(&bytes, "c_sin_angle"));
    wrong += address != by_name || bytes != sizeof sines;
    CHECK(cudaMalloc((void **)&out, sizeof result));
    CHECK(cudaMalloc((void **)&data, sizeof values));
    CHECK(cudaMemcpy(data, values, sizeof values, cudaMemcpyHostToDevice));
    const textureReference *reference;
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    CHECK(cudaGetTextureReference(&reference, "samples"));
    CHECK(cudaBindTexture(0, reference, data, &channel, sizeof values));
    combine<<<1, 16>>>(out);
    CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, "counter", sizeof count));
    for (int i = 0; i < 16; ++i) wrong += result[i] != 2101 * i + i % 8 + 1;
    wrong += count != 21;
    wrong += cudaMemcpyToSymbol("c_si", sines, 4) != cudaErrorInvalidSymbol;
    wrong += cudaMemcpyToSymbol("no_such_symbol", sines, 4) != cudaErrorInvalidSymbol;
    wrong += cudaGetTextureReference(&reference, "c_sin") != cudaErrorInvalidTexture;
    cudaGetLastError();
    printf("%d wrong\n%s\n", wrong, wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
