// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Radix-2 transforms with float2 arithmetic by overloaded operators, twiddles by sincospif, in place in shared memory.
#include <cuda_runtime.h>
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

__host__ __device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__host__ __device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__host__ __device__ inline float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

template <int N, bool INVERSE> __global__ void fft(float2 *data)
{
    __shared__ float2 s[N];
    float2 *mine = data + blockIdx.x * N;
    int bits = 31 - __clz(N);
    for (int i = threadIdx.x; i < N; i += blockDim.x) s[__brev(i) >> (32 - bits)] = mine[i];
    __syncthreads();
    for (int half = 1; half < N; half *= 2)
    {
        int k = threadIdx.x & (half - 1), at = (threadIdx.x - k) * 2 + k;
        float2 w;
        sincospif((INVERSE ? 1.0f : -1.0f) * k / half, &w.y, &w.x);
        float2 a = s[at], b = s[at + half] * w;
        s[at] = a + b;
        s[at + half] = a - b;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < N; i += blockDim.x) mine[i] = INVERSE ? make_float2(s[i].x / N, s[i].y / N) : s[i];
}

int main()
{
    const int N = 128, batch = 3;
    std::vector<float2> in(N * batch), out(N * batch), back(N * batch);
    for (int i = 0; i < N * batch; i++) in[i] = make_float2(i * 29 % 37 / 37.0f, i * 13 % 41 / 41.0f);
    float2 *d;
    cudaMalloc(&d, N * batch * sizeof(float2));
    cudaMemcpy(d, in.data(), N * batch * sizeof(float2), cudaMemcpyHostToDevice);
    fft<N, false><<<batch, N / 2>>>(d);
    cudaMemcpy(out.data(), d, N * batch * sizeof(float2), cudaMemcpyDeviceToHost);
    fft<N, true><<<batch, N / 2>>>(d);
    cudaMemcpy(back.data(), d, N * batch * sizeof(float2), cudaMemcpyDeviceToHost);
    cudaFree(d);
    double worst = 0;
    for (int b = 0; b < batch; b++)
        for (int k = 0; k < N; k++)
        {
            std::complex<double> sum = 0;
            for (int i = 0; i < N; i++) sum += std::complex<double>(in[b * N + i].x, in[b * N + i].y) * std::polar(1.0, -2 * M_PI * i * k / N);
            double e = std::abs(sum - std::complex<double>(out[b * N + k].x, out[b * N + k].y)) / 10;
            e = fmax(e, fmax(fabs(back[b * N + k].x - in[b * N + k].x), fabs(back[b * N + k].y - in[b * N + k].y)));
            if (!(e <= worst)) worst = e;
        }
    bool right = worst < 1e-5 && cudaGetLastError() == cudaSuccess;
    printf("worst difference %g\n%s\n", worst, right ? "PASSED" : "FAILED");
    return !right;
}
