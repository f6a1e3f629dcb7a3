// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Particles in a box: operators of vectors (helper_math.h) in host and device code, positions stored
// as halves, and a sum of halves by atomics.
#include <cuda_fp16.h>
#include <helper_cuda.h>
#include <helper_math.h>

#include <cstdio>
#include <cstdlib>

struct Particle {
    float4 place;  // and mass
    float3 speed;
};

__host__ __device__ inline Particle moved(Particle p, float3 pull, float step) {
    float3 place = make_float3(p.place);
    const float3 toward = pull - place;
    if (length(toward) > 1e-3f) p.speed += step * normalize(toward) / (1.0f + dot(toward, toward));
    place += p.speed * step;
    // Walls reflect.
    if (place.x < 0 || place.x > 1) p.speed = reflect(p.speed, make_float3(1, 0, 0));
    place = clamp(place, make_float3(0.0f), make_float3(1.0f));
    p.speed = lerp(p.speed, cross(p.speed, make_float3(0, 0, 1)), 0.01f);
    p.place = make_float4(place, p.place.w);
    return p;
}

__global__ void move(Particle *particles, int n, float3 pull, float step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) particles[i] = moved(particles[i], pull, step);
}

__global__ void pack(const Particle *particles, half2 *packed, half2 *sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const half2 place = __floats2half2_rn(particles[i].place.x, particles[i].place.y);
    packed[i] = __hfma2(place, __float2half2_rn(2.0f), __float2half2_rn(-1.0f));
    // Quarters: their sums are exact.
    const half2 quarter = h2floor(__hmul2(place, __float2half2_rn(4.0f))) * __float2half2_rn(0.25f);
    atomicAdd(sum, quarter);
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 192, steps = 5;
    const float3 pull = make_float3(0.4f, 0.5f, 0.6f);
    Particle *host = new Particle[n], *device;
    srand(3);
    for (int i = 0; i < n; ++i) {
        const float3 r = make_float3(rand(), rand(), rand()) / (float)RAND_MAX;
        host[i].place = make_float4(r, 1.0f);
        host[i].speed = (r - 0.5f) * 0.25f;
    }
    half2 *packed, *sum;
    checkCudaErrors(cudaMalloc(&device, n * sizeof(Particle)));
    checkCudaErrors(cudaMalloc(&packed, n * sizeof(half2)));
    checkCudaErrors(cudaMalloc(&sum, sizeof(half2)));
    checkCudaErrors(cudaMemset(sum, 0, sizeof(half2)));
    checkCudaErrors(cudaMemcpy(device, host, n * sizeof(Particle), cudaMemcpyHostToDevice));
    for (int s = 0; s < steps; ++s) move<<<(n + 63) / 64, 64>>>(device, n, pull, 0.1f);
    pack<<<(n + 63) / 64, 64>>>(device, packed, sum, n);
    Particle *found = new Particle[n];
    half2 *halves = new half2[n], total;
    checkCudaErrors(cudaMemcpy(found, device, n * sizeof(Particle), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(halves, packed, n * sizeof(half2), cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaMemcpy(&total, sum, sizeof(half2), cudaMemcpyDeviceToHost));

    int wrong = 0;
    float2 quarters = make_float2(0.0f);
    for (int i = 0; i < n; ++i) {
        for (int s = 0; s < steps; ++s) host[i] = moved(host[i], pull, 0.1f);
        const float4 off = host[i].place - found[i].place;
        if (dot(off, off) > 1e-8f || length(host[i].speed - found[i].speed) > 1e-4f) ++wrong;
        const half2 place = __floats2half2_rn(found[i].place.x, found[i].place.y);
        const half2 exact = place * __float2half2_rn(2.0f) - __float2half2_rn(1.0f);
        if (!__hbeq2(halves[i], exact)) ++wrong;
        quarters += make_float2(floorf(__low2float(place) * 4.0f), floorf(__high2float(place) * 4.0f)) * 0.25f;
    }
    if (__low2float(total) != quarters.x || __high2float(total) != quarters.y) ++wrong;
    printf("%d particles, %d steps, quarters %g %g\n%s\n", n, steps, __low2float(total),
           __high2float(total), wrong == 0 ? "PASSED" : "FAILED");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
