// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Rows of odd lengths: pitched allocations, 2-D copies between all sides, part of rows, device to device.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) { printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line); exit(EXIT_FAILURE); }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

template <typename T> __global__ void negate(T *data, size_t pitch, int width, int height)
{
    for (int r = blockIdx.x; r < height; r += gridDim.x)
    {
        T *row = (T *)((char *)data + r * pitch);
        for (int c = threadIdx.x; c < width; c += blockDim.x) row[c] = -row[c];
    }
}

template <typename T> int test(int width, int height)
{
    std::vector<T> in(width * height), out(width * height, T(99)), window(9 * 3, T(77));
    for (int i = 0; i < width * height; ++i) in[i] = T(i % 120 + 1);
    T *a, *b;
    size_t pitchA, pitchB;
    HANDLE_ERROR(cudaMallocPitch(&a, &pitchA, width * sizeof(T), height));
    HANDLE_ERROR(cudaMallocPitch(&b, &pitchB, (width + 100) * sizeof(T), height));
    int wrong = pitchA < width * sizeof(T) || pitchB < pitchA || pitchA % 32 != 0;
    HANDLE_ERROR(cudaMemset2D(b, pitchB, 0x01, (width + 100) * sizeof(T), height));
    HANDLE_ERROR(cudaMemcpy2D(a, pitchA, in.data(), width * sizeof(T), width * sizeof(T), height, cudaMemcpyHostToDevice));
    negate<<<2, 32>>>(a, pitchA, width, height);
    HANDLE_ERROR(cudaMemcpy2D(b, pitchB, a, pitchA, width * sizeof(T), height, cudaMemcpyDeviceToDevice));
    HANDLE_ERROR(cudaMemcpy2DAsync(out.data(), width * sizeof(T), b, pitchB, width * sizeof(T), height, cudaMemcpyDeviceToHost, 0));
    // Into pageable memory, such a copy has been made when the call returns.
    for (int i = 0; i < width * height; ++i) wrong += out[i] != T(-in[i]);
    HANDLE_ERROR(cudaDeviceSynchronize());
    // A window of five by three from row 2, column 4, into rows of nine.
    HANDLE_ERROR(cudaMemcpy2D(window.data(), 9 * sizeof(T), (char *)b + 2 * pitchB + 4 * sizeof(T), pitchB, 5 * sizeof(T), 3, cudaMemcpyDefault));
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 9; ++x) wrong += window[y * 9 + x] != (x < 5 ? T(-in[(y + 2) * width + x + 4]) : T(77));
    // What the copy did not touch.
    unsigned char rest[100];
    HANDLE_ERROR(cudaMemcpy(rest, (char *)b + pitchB + width * sizeof(T), 100, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 100; ++i) wrong += rest[i] != 1;
    // Wider than the pitch: an error that does no harm.
    wrong += cudaMemcpy2D(out.data(), 4, a, pitchA, width * sizeof(T), height, cudaMemcpyDeviceToHost) != cudaErrorInvalidPitchValue;
    wrong += cudaGetLastError() != cudaErrorInvalidPitchValue || cudaGetLastError() != cudaSuccess;
    HANDLE_ERROR(cudaFree(a));
    HANDLE_ERROR(cudaFree(b));
    printf("%d bytes each, %d by %d, pitch %d: %d wrong\n", (int)sizeof(T), width, height, (int)pitchA, wrong);
    return wrong;
}

int main()
{
    int wrong = test<float>(37, 9) + test<signed char>(131, 7) + test<short>(61, 6) + test<double>(21, 5);
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
