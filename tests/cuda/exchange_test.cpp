// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Votes, shuffles, reductions and groups of the lanes of a warp.
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/cuda/cuda_kernels.h"

namespace heddle::cuda::test {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 lanes = 32;

/// What a thread of a warp reads with a shuffle.
u32 source(char kind, u32 lane, u32 operand, u32 width) {
    const u32 first = lane & ~(width - 1), last = first + width - 1;
    switch (kind) {
        case 'i':
            return first + (operand & (width - 1));
        case 'u':
            return lane - first < operand ? lane : lane - operand;
        case 'd':
            return lane + operand > last ? lane : lane + operand;
        default:
            return (lane ^ operand) > last ? lane : lane ^ operand;
    }
}

TEST(cuda_exchange, shuffles_of_all_widths_and_sizes) {
    std::string text;
    struct shuffle {
        const char *old_name, *name;
        char kind;
        u32 operand;
    };
    const shuffle shuffles[] = {{"__shfl", "__shfl_sync", 'i', 5},
                                {"__shfl_up", "__shfl_up_sync", 'u', 3},
                                {"__shfl_down", "__shfl_down_sync", 'd', 3},
                                {"__shfl_xor", "__shfl_xor_sync", 'x', 6}};
    const u32 widths[] = {2, 4, 8, 16, 32};
    std::string body;
    for (const shuffle& s : shuffles) {
        for (const u32 width : widths) {
            const std::string rest =
                ", " + std::to_string(s.operand) + ", " + std::to_string(width) + ")";
            body += std::string("*out++ = ") + s.name + "(~0u, wide" + rest + ";";
            body += std::string("*out++ = ") + s.old_name + "(t" + rest + ";";
            body +=
                std::string("*out++ = (unsigned long long)") + s.name + "(~0u, real" + rest + ";";
            body += std::string("*out++ = (unsigned long long)") + s.name +
                    "(~0u, (short)(t - 100)" + rest + " + 100;";
        }
    }
    text =
        "extern \"C\" __global__ void k(unsigned long long* out) { unsigned t = threadIdx.x;"
        " unsigned long long wide = (unsigned long long)t << 32 | (t + 7); double real = t * 1.0;"
        " out += t * 80;" +
        body + "}";
    cuda_kernels kernels(text);
    const device_buffer<u64> out(kernels.gpu(), lanes * 80, "out");
    kernels.run("k", {{1}, {lanes}}, out.get());
    const std::vector<u64> found = out.read();
    for (u32 lane = 0; lane < lanes; ++lane) {
        std::size_t at = lane * 80;
        for (const shuffle& s : shuffles) {
            for (const u32 width : widths) {
                const u32 from = source(s.kind, lane, s.operand, width);
                const std::string what = std::string(s.name) + " width " + std::to_string(width) +
                                         " lane " + std::to_string(lane);
                EXPECT_EQ(found[at++], u64{from} << 32 | (from + 7)) << what << ", 8 bytes";
                EXPECT_EQ(found[at++], from) << what << ", old name";
                EXPECT_EQ(found[at++], from) << what << ", double";
                EXPECT_EQ(found[at++], from) << what << ", short";
            }
        }
    }
}

TEST(cuda_exchange, votes_matches_and_reductions) {
    cuda_kernels kernels(R"(
extern "C" __global__ void k(unsigned* out) {
    unsigned t = threadIdx.x, n = 0;
    unsigned* o = out + t * 32;
    o[n++] = __ballot_sync(0xffffffff, t % 3 == 0);
    o[n++] = __ballot_sync(0x00ff00ff, t % 3 == 0);
    o[n++] = __any_sync(0x0000000f, t == 9);
    o[n++] = __any_sync(0xffffffff, t == 9);
    o[n++] = __all_sync(0x0000000f, t < 9);
    o[n++] = __all_sync(0xffffffff, t < 9);
    o[n++] = __ballot(t & 1);
    o[n++] = __any(t == 40) + 2 * __all(t < 40);
    o[n++] = __match_any_sync(0xffffffff, t / 5);
    int same = 7;
    o[n++] = __match_all_sync(0xffffffff, t / 32, &same);
    o[n++] = same;
    o[n++] = __match_all_sync(0xffffffff, (unsigned long long)t << 33, &same);
    o[n++] = same;
    o[n++] = __reduce_add_sync(0xffffffff, t);
    o[n++] = (unsigned)__reduce_min_sync(0xffffffff, (int)t - 5);
    o[n++] = __reduce_max_sync(0xffffffff, t * 3);
    o[n++] = __reduce_xor_sync(0xffffffff, t + 1);
    if (t % 4 == 1) {
        o[n] = __activemask();
        o[n + 1] = __reduce_add_sync(__activemask(), t);
        o[n + 2] = __match_any_sync(__activemask(), t / 8);
    }
})");
    const device_buffer<u32> out(kernels.gpu(), lanes * 32, "out");
    kernels.run("k", {{1}, {lanes}}, out.get());
    const std::vector<u32> found = out.read();
    u32 thirds = 0, odd = 0, all_xor = 0;
    for (u32 t = 0; t < lanes; ++t) {
        if (t % 3 == 0) thirds |= 1U << t;
        if (t % 2 == 1) odd |= 1U << t;
        all_xor ^= t + 1;
    }
    for (u32 t = 0; t < lanes; ++t) {
        u32 fifth = 0, quarter_of_eighth = 0;
        for (u32 other = 0; other < lanes; ++other) {
            if (other / 5 == t / 5) fifth |= 1U << other;
            if (other % 4 == 1 && other / 8 == t / 8) quarter_of_eighth |= 1U << other;
        }
        const std::vector<u32> exact{
            thirds, thirds & 0x00ff00ff,  0,  1,      1, 0, odd, 2, fifth, 0xffffffff, 1, 0, 0,
            496,    static_cast<u32>(-5), 93, all_xor};
        for (std::size_t n = 0; n < exact.size(); ++n) {
            EXPECT_EQ(found[t * 32 + n], exact[n]) << "lane " << t << ", value " << n;
        }
        if (t % 4 != 1) continue;
        EXPECT_EQ(found[t * 32 + 17], 0x22222222U);
        EXPECT_EQ(found[t * 32 + 18], 8 * 1U + 4 * 28);
        EXPECT_EQ(found[t * 32 + 19], quarter_of_eighth);
    }
}

TEST(cuda_exchange, matches_compare_bits) {
    cuda_kernels kernels(R"(
extern "C" __global__ void k(unsigned* out) {
    const float values[] = {nanf(""), 0.0f, -0.0f, 1.0f};
    int all;
    out[threadIdx.x] = __match_any_sync(~0u, values[threadIdx.x % 4]);
    out[threadIdx.x + 32] = __match_all_sync(~0u, nan(""), &all) & 1u | all << 1;
})");
    const device_buffer<u32> out(kernels.gpu(), 64, "out");
    kernels.run("k", {{1}, {lanes}}, out.get());
    const std::vector<u32> found = out.read();
    for (u32 t = 0; t < lanes; ++t) {
        EXPECT_EQ(found[t], 0x11111111U << t % 4);
        EXPECT_EQ(found[t + 32], 3U);
    }
}

const char* const barriers = R"(
extern "C" __global__ void k(int* out) {
    int t = threadIdx.x;
    for (int round = 0; round < 4; ++round) {
        int n = __syncthreads_count(t % 3 == round);
        int any = __syncthreads_or(t == 50 + round * 100);
        int all = __syncthreads_and(t < 150 + round);
        out[(blockIdx.x * blockDim.x + t) * 4 + round] = n * 100 + any * 10 + all;
    }
})";

class cuda_barriers : public testing::TestWithParam<unsigned> {};

TEST_P(cuda_barriers, count_predicates_of_the_block) {
    constexpr u32 threads = 152;  // the last warp is not full
    cuda_kernels kernels(barriers, {}, GetParam());
    const device_buffer<int> out(kernels.gpu(), 3 * threads * 4, "out");
    kernels.run("k", {{3}, {threads}}, out.get());
    const std::vector<int> found = out.read();
    const int exact[] = {51 * 100 + 10, 51 * 100 + 10, 50 * 100 + 1, 1};
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], exact[i % 4]) << i;
}
INSTANTIATE_TEST_SUITE_P(lanes, cuda_barriers, testing::Values(8U, 32U, 64U));

TEST(cuda_exchange, cooperative_groups) {
    cuda_kernels kernels(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank(), n = 0, *o = out + t * 16;
    o[n++] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
    o[n++] = tile.shfl(t, 3);
    o[n++] = tile.shfl_down(t, 1);
    o[n++] = tile.ballot(t % 3 == 0);
    o[n++] = tile.any(t == 12) + 2 * tile.all(t >= 8);
    o[n++] = cg::reduce(tile, t, cg::plus<int>());
    o[n++] = cg::reduce(warp, t, cg::greater<int>());
    o[n++] = block.size() + cg::group_size(warp);
    cg::thread_group quarter = cg::tiled_partition(block, 4);
    o[n++] = quarter.thread_rank() * 10 + quarter.size();
    auto part = cg::tiled_partition<8>(warp);
    o[13] = part.meta_group_rank() * 10 + part.meta_group_size();
    if (t % 5 == 2) {
        cg::coalesced_group active = cg::coalesced_threads();
        o[n] = active.size() * 100 + active.thread_rank();
        o[n + 1] = active.shfl(t, 1);
        o[n + 2] = active.ballot(t % 2 == 0);
        o[n + 3] = cg::reduce(active, t, cg::plus<int>());
    }
    block.sync();
})");
    const device_buffer<int> out(kernels.gpu(), 64 * 16, "out");
    kernels.run("k", {{1}, {64}}, out.get());
    const std::vector<int> found = out.read();
    for (int t = 0; t < 64; ++t) {
        const int* const o = found.data() + t * 16;
        const int first = t / 8 * 8;
        int third = 0;
        for (int i = 0; i < 8; ++i) third |= ((first + i) % 3 == 0) << i;
        const std::vector<int> exact{t % 8 + 100 * (t / 8) + 10000 * 8,
                                     first + 3,
                                     t % 8 == 7 ? t : t + 1,
                                     third,
                                     (first == 8 ? 1 : 0) + (first >= 8 ? 2 : 0),
                                     8 * first + 28,
                                     t < 32 ? 31 : 63,
                                     96,
                                     t % 4 * 10 + 4};
        for (std::size_t n = 0; n < exact.size(); ++n) EXPECT_EQ(o[n], exact[n]) << t << ", " << n;
        EXPECT_EQ(o[13], t % 32 / 8 * 10 + 4);
        if (t % 5 != 2) continue;
        std::vector<int> active;
        for (int i = t / 32 * 32; i < t / 32 * 32 + 32; ++i) {
            if (i % 5 == 2) active.push_back(i);
        }
        int rank = 0, even = 0, sum = 0;
        for (std::size_t i = 0; i < active.size(); ++i) {
            rank += active[i] < t;
            even |= (active[i] % 2 == 0) << i;
            sum += active[i];
        }
        EXPECT_EQ(o[9], static_cast<int>(active.size()) * 100 + rank);
        EXPECT_EQ(o[10], active[1]);
        EXPECT_EQ(o[11], even);
        EXPECT_EQ(o[12], sum);
    }
}

}  // namespace
}  // namespace heddle::cuda::test
