// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Blocks that tell each other by flags when data is there, and signed 64-bit minima: all by PTX in asm statements.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        const cudaError_t error = (call);                                                  \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

const int threads = 64, patience = 20000;

__device__ __forceinline__ void storeRelease(unsigned *flag, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
__device__ __forceinline__ unsigned loadAcquire(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}
__device__ __forceinline__ unsigned load(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}
__device__ __forceinline__ void wait(int cycles) {
    const clock_t begin = clock();
    while (clock() - begin < cycles) {
    }
}

// Block 0 has read the data when it was old; block 1 makes it new and says so.
__global__ void publish(unsigned *data, unsigned *flags, unsigned *out) {
    const int t = threadIdx.x;
    if (blockIdx.x == 1) {
        wait(3000);
        data[t] = 1000 + t;
        storeRelease(flags + t, 1);
        return;
    }
    unsigned sum = data[t];
    for (int i = 0; i < patience && loadAcquire(flags + t) == 0; ++i) {
    }
    sum += data[t];
    out[t] = sum;
}

// One thread for all of its block.
__global__ void publishBlock(unsigned *data, unsigned *flag, unsigned *out) {
    const int t = threadIdx.x;
    if (blockIdx.x == 1) {
        wait(3000);
        data[t] = 5000 + t;
        __syncthreads();
        if (t == 0) storeRelease(flag, 1);
        return;
    }
    unsigned sum = data[t];
    if (t == 0) {
        for (int i = 0; i < patience && loadAcquire(flag) == 0; ++i) {
        }
    }
    __syncthreads();
    sum += data[t];
    out[t] = sum;
}

// A plain load in a loop reads again.
__global__ void poll(unsigned *flag, unsigned *out) {
    if (blockIdx.x == 1) {
        wait(3000);
        asm volatile("st.global.u32 [%0], %1;" ::"l"(flag), "r"(7) : "memory");
        return;
    }
    unsigned seen = 0;
    for (int i = 0; i < patience && seen == 0; ++i) seen = load(flag);
    *out = seen;
}

__global__ void bounds(const long long *in, long long *out) {
    const long long x = in[blockIdx.x * blockDim.x + threadIdx.x];
    long long old;
    asm volatile("atom.global.min.s64 %0, [%1], %2;" : "=l"(old) : "l"(out), "l"(x) : "memory");
    asm volatile("red.global.max.s64 [%0], %1;" ::"l"(out + 1), "l"(x) : "memory");
    asm volatile("{ .reg .s64 t; min.s64 t, %0, %1; mov.s64 %0, t; }" : "+l"(old) : "l"(x));
    if (old > x) out[2] = old;
}

int main() {
    unsigned *data, *flags, *out, found[threads], wrong = 0;
    CHECK(cudaMalloc(&data, threads * sizeof(unsigned)));
    CHECK(cudaMalloc(&flags, threads * sizeof(unsigned)));
    CHECK(cudaMalloc(&out, threads * sizeof(unsigned)));
    for (int kind = 0; kind < 2; ++kind) {
        CHECK(cudaMemset(data, 0, threads * sizeof(unsigned)));
        CHECK(cudaMemset(flags, 0, threads * sizeof(unsigned)));
        if (kind == 0) publish<<<2, threads>>>(data, flags, out);
        if (kind == 1) publishBlock<<<2, threads>>>(data, flags, out);
        CHECK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
        for (int i = 0; i < threads; ++i) wrong += found[i] != (kind == 0 ? 1000u : 5000u) + i;
        printf("kind %d: %u wrong\n", kind, wrong);
    }
    CHECK(cudaMemset(flags, 0, threads * sizeof(unsigned)));
    poll<<<2, 1>>>(flags, out);
    CHECK(cudaMemcpy(found, out, sizeof(unsigned), cudaMemcpyDeviceToHost));
    wrong += found[0] != 7;
    printf("polled %u\n", found[0]);

    const int n = 128;
    long long values[n], ends[3] = {0, 0, 0}, *in, *both, least = 0, most = 0;
    for (int i = 0; i < n; ++i) {
        values[i] = (i * 37LL % n - 50) * 10000000000LL;
        if (values[i] < least) least = values[i];
        if (values[i] > most) most = values[i];
    }
    CHECK(cudaMalloc(&in, sizeof values));
    CHECK(cudaMalloc(&both, sizeof ends));
    CHECK(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(both, ends, sizeof ends, cudaMemcpyHostToDevice));
    bounds<<<n / 32, 32>>>(in, both);
    CHECK(cudaMemcpy(ends, both, sizeof ends, cudaMemcpyDeviceToHost));
    wrong += ends[0] != least || ends[1] != most || ends[2] != 0;
    printf("from %lld to %lld\n%s\n", ends[0], ends[1], wrong == 0 ? "PASSED" : "FAILED");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
