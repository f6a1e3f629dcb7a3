// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// malloc(), free(), new and delete in kernels.
#include <gtest/gtest.h>

#include "tests/cuda/cuda_kernels.h"

namespace heddle::cuda::test {
namespace {

const char* const lists =
    "struct node { node* next; int value; };\n"
    "struct shape { __device__ virtual int area() const = 0; __device__ virtual ~shape() {} };\n"
    "struct square : shape { int side; __device__ square(int s) : side(s) {}"
    " __device__ int area() const override { return side * side; } };\n"
    "extern \"C\" __global__ void build(node** all, int length) { const int i = blockIdx.x * "
    "blockDim.x + threadIdx.x;"
    " node* first = 0; for (int k = 0; k < length; ++k) { node* n = (node*)malloc(sizeof(node) + i "
    "% 5 * 24);"
    "  n->next = first; n->value = 1000 * i + k; first = n; } all[i] = first; }\n"
    "extern \"C\" __global__ void take(node** all, int* sums) { const int i = blockIdx.x * "
    "blockDim.x + threadIdx.x;"
    " int sum = 0, count = 0; for (node* n = all[i]; n != 0; ++count) { node* next = n->next;"
    "  sum += n->value; if (count % 2 == 0) free(n); n = next; } sums[i] = sum; }\n"
    "extern \"C\" __global__ void measure(int* areas) { const int i = threadIdx.x; shape* s = new "
    "square(i);"
    " int* row = new int[i + 1]; for (int k = 0; k <= i; ++k) row[k] = k; areas[i] = s->area() + "
    "row[i];"
    " delete s; delete[] row; free(0); }\n"
    "extern \"C\" __global__ void exhaust(unsigned* out) { out[0] = malloc(HEDDLE_HEAP_BYTES) == 0;"
    " unsigned blocks = 0; void* last = 0; for (;;) { void* p = malloc(60000); if (p == 0) break; "
    "last = p; ++blocks; }"
    " out[1] = blocks; free(last); out[2] = malloc(60000) == last; out[3] = malloc(60000) == 0;"
    " out[4] = malloc(8) != 0; out[5] = ((unsigned)(size_t)last & 15) == 0; }\n"
    "extern \"C\" __global__ void again(char** kept) { char* p = (char*)malloc(40); "
    "kept[threadIdx.x] = p;"
    " for (int k = 0; k < 40; ++k) p[k] = (char)threadIdx.x; __syncthreads(); bool right = true;"
    " for (int k = 0; k < 40; ++k) right &= p[k] == (char)threadIdx.x; free(p); if (!right) "
    "kept[0] = 0; }\n";

TEST(cuda_heap, blocks_are_apart_and_come_back) {
    cuda_kernels kernels(lists, {"-DHEDDLE_HEAP_BYTES=1048576"});
    constexpr std::size_t threads = 256;
    const device_buffer<std::uint32_t> all(kernels.gpu(), threads, "all");
    const device_buffer<int> sums(kernels.gpu(), threads, "sums");
    for (int turn = 0; turn < 2; ++turn) {
        kernels.run("build", {{4}, {64}}, all.get(), 7);
        kernels.run("take", {{4}, {64}}, all.get(), sums.get());
        const std::vector<int> found = sums.read();
        for (int i = 0; i < static_cast<int>(threads); ++i) {
            EXPECT_EQ(found[static_cast<std::size_t>(i)], 7 * 1000 * i + 21);
        }
    }
    // The same blocks again and again: they would not fit otherwise.
    for (int turn = 0; turn < 120; ++turn) kernels.run("again", {{1}, {128}}, all.get());
    EXPECT_NE(all.read()[0], 0U);
}

TEST(cuda_heap, objects_are_made_and_deleted) {
    cuda_kernels kernels(lists);
    const device_buffer<int> areas(kernels.gpu(), 64, "areas");
    kernels.run("measure", {{1}, {64}}, areas.get());
    const std::vector<int> found = areas.read();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)], i * i + i);
}

TEST(cuda_heap, that_is_full_gives_none) {
    cuda_kernels kernels(lists, {"-DHEDDLE_HEAP_BYTES=1048576"});
    const device_buffer<std::uint32_t> out(kernels.gpu(), 6, "out");
    kernels.run("exhaust", {{1}, {1}}, out.get());
    // Blocks of 64 KiB.
    EXPECT_EQ(out.read(), (std::vector<std::uint32_t>{1, 15, 1, 1, 1, 1}));
}

TEST(cuda_heap, is_not_there_without_a_call) {
    const auto image = compile_device("extern \"C\" __global__ void k(int* x) { *x = 1; }");
    for (const program::segment& segment : image->segments()) EXPECT_LT(segment.size, 1U << 20);
}

}  // namespace
}  // namespace heddle::cuda::test
