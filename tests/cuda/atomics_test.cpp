// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Atomics of all types: in global and in shared memory, in warps that diverge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "tests/cuda/cuda_kernels.h"

namespace heddle::cuda::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 blocks = 3, threads = 100;

TEST(cuda_atomics, of_words) {
    cuda_kernels kernels(R"(
extern "C" __global__ void k(unsigned* u, int* i, float* f, unsigned* old) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&i[0], -(int)t); atomicSub(&i[1], (int)t); atomicMin(&i[2], 50 - (int)t);
    atomicMax(&i[3], (int)t - 50); atomicAnd(&i[4], ~(1 << t % 20)); atomicOr(&i[5], 1 << t % 20);
    atomicXor(&i[6], (int)t); atomicAdd_system(&i[7], 1);
    atomicAdd(&u[0], t); atomicMin(&u[1], 4000000000u - t); atomicMax(&u[2], 4000000000u + t);
    old[t] = atomicInc(&u[3], 6); atomicDec(&u[4], 9); atomicAdd_block(&u[5], 2u);
    atomicAdd(&f[0], 0.5f);
    for (bool done = false; !done;) {
        const float before = *(volatile float*)&f[1];
        const int found = atomicCAS((int*)&f[1], __float_as_int(before), __float_as_int(before + 2));
        done = found == __float_as_int(before);
    }
    if (t == 7) old[300] = __float_as_uint(atomicExch(&f[2], 4.0f));
})");
    device& gpu = kernels.gpu();
    const device_buffer<u32> u(gpu, std::vector<u32>{0, ~0U, 0, 0, 5, 0}, "u");
    const device_buffer<int> i(gpu, std::vector<int>{0, 0, 1000, -1000, -1, 0, 0, 0}, "i");
    const device_buffer<float> f(gpu, std::vector<float>{0, 0, 1.5F}, "f");
    const device_buffer<u32> old(gpu, 301, "old");
    kernels.run("k", {{blocks}, {threads}}, u.get(), i.get(), f.get(), old.get());
    constexpr int n = blocks * threads, sum = n * (n - 1) / 2;
    int all = 0;
    for (int t = 0; t < n; ++t) all ^= t;
    EXPECT_EQ(i.read(),
              (std::vector<int>{-sum, -sum, 50 - (n - 1), n - 1 - 50, ~0xfffff, 0xfffff, all, n}));
    EXPECT_EQ(u.read(), (std::vector<u32>{static_cast<u32>(sum), 4000000000U - (n - 1),
                                          4000000000U + n - 1, n % 7, (5 + 300 * 9) % 10, 2 * n}));
    EXPECT_EQ(f.read(), (std::vector<float>{n / 2, 2 * n, 4}));
    std::vector<u32> before = old.read();
    EXPECT_EQ(before.back(), 0x3fc00000U);
    before.pop_back();
    std::sort(before.begin(), before.end());
    EXPECT_EQ(before.front(), 0U);
    EXPECT_EQ(before.back(), 6U);
    EXPECT_EQ(std::count(before.begin(), before.end(), 3U), 43);
}

const char* const wide_kernel = R"(
__device__ double own_add(double* at, double value) {
    unsigned long long* bits = (unsigned long long*)at;
    unsigned long long before = *(volatile unsigned long long*)bits, expected;
    do {
        expected = before;
        before = atomicCAS(bits, expected,
                           (unsigned long long)__double_as_longlong(
                               value + __longlong_as_double((long long)expected)));
    } while (before != expected);
    return __longlong_as_double((long long)before);
}
extern "C" __global__ void k(unsigned long long* u, double* d, long long* i, unsigned* old) {
    __shared__ unsigned long long shared[2];
    __shared__ double sum;
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) { shared[0] = shared[1] = 0; sum = 0; }
    __syncthreads();
    old[t] = (unsigned)(atomicAdd(&u[0], 1ull << 32) >> 32);
    atomicAdd(&u[1], 1); atomicMax(&u[2], (unsigned long long)t << 33);
    atomicMin(&u[3], ~((unsigned long long)t << 33)); atomicOr(&u[4], 1ull << t % 64);
    atomicXor(&u[5], (unsigned long long)t << 20); atomicAnd(&u[6], ~(1ull << t % 50));
    atomicMin(&i[0], -((long long)t << 32)); atomicMax(&i[1], ((long long)t << 32) - 1);
    if (t % 3 == 0) atomicAdd(&d[0], 0.25);
    own_add(&d[1], 1.0);
    atomicAdd(&d[2 + t % 8], 1.0f);
    atomicAdd(&shared[0], 3ull); atomicAdd(&sum, 0.5);
    if (t == 17) atomicExch(&u[7], 0x123456789abcull);
    __syncthreads();
    if (threadIdx.x == 0) { atomicAdd(&u[8], shared[0]); atomicAdd(&d[10], sum); }
})";

class cuda_wide_atomics : public testing::TestWithParam<unsigned> {};

TEST_P(cuda_wide_atomics, are_one_operation) {
    cuda_kernels kernels(wide_kernel, {}, GetParam());
    device& gpu = kernels.gpu();
    std::vector<u64> start(9);
    start[3] = start[6] = ~u64{0};
    const device_buffer<u64> u(gpu, start, "u");
    const device_buffer<double> d(gpu, std::vector<double>(11), "d");
    const device_buffer<std::int64_t> i(gpu, std::vector<std::int64_t>(2), "i");
    const device_buffer<u32> old(gpu, blocks * threads, "old");
    kernels.run("k", {{blocks}, {threads}}, u.get(), d.get(), i.get(), old.get());
    constexpr u64 n = blocks * threads, last = n - 1;
    u64 all = 0;
    for (u64 t = 0; t < n; ++t) all ^= t << 20;
    EXPECT_EQ(u.read(), (std::vector<u64>{n << 32, n, last << 33, ~(last << 33), ~u64{0}, all,
                                          ~u64{0} << 50, 0x123456789abc, 3 * n}));
    EXPECT_EQ(d.read(), (std::vector<double>{25, 300, 38, 38, 38, 38, 37, 37, 37, 37, 150}));
    EXPECT_EQ(i.read(), (std::vector<std::int64_t>{-(static_cast<std::int64_t>(last) << 32),
                                                   (static_cast<std::int64_t>(last) << 32) - 1}));
    std::vector<u32> before = old.read();
    std::sort(before.begin(), before.end());
    for (u32 t = 0; t < n; ++t) ASSERT_EQ(before[t], t);
}
INSTANTIATE_TEST_SUITE_P(lanes, cuda_wide_atomics, testing::Values(8U, 32U, 64U));

}  // namespace
}  // namespace heddle::cuda::test
