// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Variables of CUDA's memories, and what C++ makes of kernels.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "models/base/error.h"
#include "models/device/kernel_fault.h"
#include "models/program/address_map.h"
#include "tests/cuda/cuda_kernels.h"

namespace heddle::cuda::test {
namespace {

using testing::HasSubstr;

TEST(cuda_variables, lie_in_their_memories) {
    const auto image = compile_device(R"(
struct pair { int a; float b; };
__device__ int counter = 5;
__device__ int unused_by_kernels;
__constant__ float table[4] = {1, 2, 3, 4};
template <typename T> __global__ void sum(T* out) {
    __shared__ T part[64];
    __shared__ pair pairs[8];
    part[threadIdx.x] = out[threadIdx.x];
    pairs[threadIdx.x % 8].a = counter;
    __syncthreads();
    out[threadIdx.x] = part[63 - threadIdx.x] + (T)table[threadIdx.x % 4] + pairs[3].a;
}
template __global__ void sum<float>(float*);
template __global__ void sum<double>(double*);
)");
    const auto window = [&](const char* name) {
        const program::symbol* const found = image->find_symbol(name);
        return found == nullptr ? "nowhere" : program::find_window(found->address)->name;
    };
    EXPECT_STREQ(window("counter"), "heap");
    EXPECT_STREQ(window("unused_by_kernels"), "heap");  // the host may know it
    EXPECT_STREQ(window("table"), "code");
    EXPECT_EQ(image->get_kernel("_Z3sumIfEvPT_").static_shared_bytes, 64 * 4 + 8 * 8U);
    EXPECT_EQ(image->get_kernel("_Z3sumIdEvPT_").static_shared_bytes, 64 * 8 + 8 * 8U);
    const auto& segments = image->segments();
    const auto of_table = std::find_if(segments.begin(), segments.end(), [&](const auto& each) {
        return each.address <= image->find_symbol("table")->address &&
               image->find_symbol("table")->address < each.address + each.size;
    });
    ASSERT_NE(of_table, segments.end());
    EXPECT_TRUE(of_table->constant);
}

TEST(cuda_variables, that_the_host_sets_are_read) {
    cuda_kernels kernels(R"(
extern "C" { __constant__ int constant = 1; __device__ int variable = 2; }
extern "C" __global__ void k(int* out) { out[0] = constant * 100 + variable; }
)");
    const device_buffer<int> out(kernels.gpu(), 1, "out");
    kernels.run("k", {{1}, {1}}, out.get());
    EXPECT_EQ(out.read()[0], 102);
    const int three = 3, four = 4;
    write_symbol(kernels.gpu(), "constant", &three, 4);
    write_symbol(kernels.gpu(), "variable", &four, 4);
    kernels.run("k", {{1}, {1}}, out.get());
    EXPECT_EQ(out.read()[0], 304);
}

TEST(cuda_variables, volatile_loads_take_no_old_copy) {
    const auto image = compile_device(R"(
extern "C" __global__ void k(volatile int* flag, volatile double* real, int* out) {
    __shared__ volatile int own;
    own = 1;
    while (*flag == 0) {}
    *out = own + (int)*real;
})");
    const auto& code = image->get_kernel("k").code.instructions;
    const auto count = [&](isa::opcode op) {
        return std::count_if(code.begin(), code.end(), [&](const auto& i) { return i.op == op; });
    };
    // One and two words.
    EXPECT_EQ(count(isa::opcode::ldcv_w), 3);
    EXPECT_EQ(image->find_symbol("heddle_cuda_source"), nullptr);
}

TEST(cuda_variables, kernels_without_optimization_have_their_parameters) {
    cuda_kernels kernels(
        "extern \"C\" __global__ void k(int* out, int value) { *out = value + 1; }", {"-G"});
    EXPECT_EQ(kernels.image().get_kernel("k").parameters.size(), 2);
    const device_buffer<std::int32_t> out(kernels.gpu(), 1, "out");
    kernels.run("k", {{1}, {1}}, out.get(), 41);
    EXPECT_EQ(out.read()[0], 42);
}

TEST(cuda_variables, dynamic_shared_arrays_begin_at_one_place) {
    cuda_kernels kernels(R"(
extern __shared__ int words[];
extern __shared__ double reals[];
__device__ void put(int i, int v) { words[i] = v; }
extern "C" __global__ void k(int* out) {
    __shared__ int own[5];
    own[threadIdx.x % 5] = 77;
    put(threadIdx.x, threadIdx.x * 3);
    __syncthreads();
    long long both = __double_as_longlong(reals[threadIdx.x / 2]);
    out[threadIdx.x] = (int)(both >> (threadIdx.x % 2 * 32)) + own[4] - 77;
    int* behind = (int*)&reals[16];
    if (threadIdx.x == 0) out[32] = (int)((char*)behind - (char*)words);
})");
    const device_buffer<int> out(kernels.gpu(), 33, "out");
    launch_shape shape{{1}, {32}};
    shape.dynamic_shared_bytes = 128;
    kernels.run("k", shape, out.get());
    const std::vector<int> found = out.read();
    for (int t = 0; t < 32; ++t) EXPECT_EQ(found[static_cast<std::size_t>(t)], 3 * t);
    EXPECT_EQ(found[32], 128);
}

TEST(cuda_variables, kernels_have_structures_functors_and_virtual_functions) {
    cuda_kernels kernels(R"(
struct base { __device__ virtual int go(int x) const { return x; } __device__ virtual ~base() {} };
struct triple : base { __device__ int go(int x) const override { return 3 * x; } };
struct add { int n; __device__ int operator()(int x) const { return x + n; } };
struct big { char c; double d; short s[3]; long long l; };
template <typename F> __device__ int apply(F f, int x) { return f(x); }
extern "C" __global__ void k(big b, add f, int* out, char sign) {
    triple t;
    base plain;
    const base* one = out[0] > 5 ? (const base*)&t : &plain;
    out[0] = one->go(7);
    out[1] = apply(f, 10) + apply([=](int x) { return x * f.n; }, 2);
    out[2] = (int)b.d + b.s[2] + (int)(b.l >> 32) + b.c;
    out[3] = sign < 0;
    static_assert(sizeof(big) == 32 && alignof(big) == 8, "");
    const char text[] = "text";
    out[4] = text[out[4]];
})");
    struct big {
        char c;
        alignas(8) double d;
        short s[3];
        alignas(8) std::int64_t l;
    };
    const device_buffer<int> out(kernels.gpu(), std::vector<int>{6, 0, 0, 0, 2}, "out");
    struct add {
        int n;
    };
    const big b{-1, 2.5, {0, 0, 30}, std::int64_t{400} << 32};
    kernels.run("k", {{1}, {1}}, b, add{5}, out.get(), static_cast<signed char>(-1));
    EXPECT_EQ(out.read(), (std::vector<int>{21, 25, 431, 1, 'x'}));
}

TEST(cuda_variables, kernels_take_classes_that_the_host_has_copied) {
    const char* const text = R"(
struct view {
    int* p; int n;
    __host__ __device__ view(const view& o) : p(o.p), n(o.n + 1) {}
    __host__ __device__ ~view() {}
};
struct tag {};
extern "C" __global__ void k(int first, view v, tag, int last) {
    v.n += first;
    dim3 block(blockDim), grid = gridDim;
    uint3 thread = threadIdx;
    v.p[0] = v.n; v.p[1] = last; v.p[2] = block.x * 100 + grid.y * 10 + thread.x + warpSize;
})";
    for (const char* const option : {"-DX", "-G"}) {
        cuda_kernels kernels(text, {option});
        const device_buffer<int> out(kernels.gpu(), 3, "out");
        struct view {
            std::uint32_t p;
            int n;
        };
        struct tag {};
        kernels.run("k", {{1}, {2}}, 10, view{out.get().address, 5}, tag{}, 7);
        EXPECT_EQ(out.read(), (std::vector<int>{15, 7, 243})) << option;
    }
}

TEST(cuda_variables, a_failed_assertion_says_where) {
    cuda_kernels kernels(R"(
#include <cassert>
extern "C" __global__ void k(int n) { assert(threadIdx.x + 1 != n); }
)");
    std::string printed;
    kernels.gpu().print_to([&](std::string_view more) { printed += more; });
    std::string fault;
    try {
        kernels.run("k", {{1}, {4}}, 3);
    } catch (const kernel_fault& error) {
        fault = error.what();
    }
    EXPECT_THAT(fault, HasSubstr("in __assert_fail"));
    static_cast<iss::functional_simulator&>(kernels.gpu()).show_output();
    EXPECT_THAT(printed, HasSubstr("kernels.cu:3: "));
    EXPECT_THAT(printed,
                HasSubstr("block: [0,0,0], thread: [2,0,0] Assertion `threadIdx.x + 1 != n` "
                          "failed.\n"));
}

TEST(cuda_variables, what_kernels_cannot_have_is_named) {
    const auto said = [](const std::string& text) {
        testing::internal::CaptureStderr();
        bool good = true;
        try {
            compile_device(text);
        } catch (const std::exception&) {
            good = false;
        }
        const std::string error = testing::internal::GetCapturedStderr();
        EXPECT_FALSE(good) << text;
        return error;
    };
    EXPECT_THAT(said("__global__ void a() {} __global__ void k() { a<<<1, 1>>>(); }"),
                HasSubstr("heddle/launch.h"));
    EXPECT_THAT(said("#include <cub/cub.cuh>\n__global__ void k() {}"), HasSubstr("cub"));
}

TEST(cuda_variables, random_numbers_are_philoxs) {
    cuda_kernels kernels(R"(
#include <curand_kernel.h>
extern "C" __global__ void k(unsigned* out, float* means) {
    curandStatePhilox4_32_10_t p;
    curand_init(0, 0, 0, &p);
    for (int i = 0; i < 8; ++i) out[i] = curand(&p);
    curand_init(0, 0, 6, &p);
    out[8] = curand(&p);
    curand_init(0xffffffffffffffffull, 0xffffffffffffffffull, 0, &p);
    p.counter = make_uint4(0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu);
    skipahead(0ull, &p);
    out[9] = curand(&p);
    curandState s, t;
    curand_init(1234, threadIdx.x, 5, &s);
    curand_init(1234, threadIdx.x, 0, &t);
    for (int i = 0; i < 5; ++i) curand(&t);
    out[10] = curand(&s) == curand(&t);
    float uniform = 0, normal = 0, square = 0;
    for (int i = 0; i < 200; ++i) {
        uniform += curand_uniform(&s);
        const float x = curand_normal(&s);
        normal += x;
        square += x * x;
    }
    atomicAdd(&means[0], uniform / 200 / blockDim.x);
    atomicAdd(&means[1], normal / 200 / blockDim.x);
    atomicAdd(&means[2], square / 200 / blockDim.x);
    curand_init(99, threadIdx.x, 0, &p);
    atomicAdd(&means[3], curand_uniform4(&p).w / blockDim.x);
    atomicAdd(&means[4], curand_poisson(&s, 4.0) / (float)blockDim.x);
})");
    const device_buffer<std::uint32_t> out(kernels.gpu(), 11, "out");
    const device_buffer<float> means(kernels.gpu(), std::vector<float>(5), "means");
    kernels.run("k", {{1}, {128}}, out.get(), means.get());
    const auto found = out.read();
    // Known answers of the paper's own library.
    EXPECT_EQ(found[0], 0x6627e8d5U);
    EXPECT_EQ(found[1], 0xe169c58dU);
    EXPECT_EQ(found[2], 0xbc57ac4cU);
    EXPECT_EQ(found[3], 0x9b00dbd8U);
    EXPECT_EQ(found[8], found[6]);
    EXPECT_EQ(found[9], 0x408f276dU);
    EXPECT_EQ(found[10], 1U);
    const auto mean = means.read();
    EXPECT_NEAR(mean[0], 0.5, 0.01);
    EXPECT_NEAR(mean[1], 0, 0.03);
    EXPECT_NEAR(mean[2], 1, 0.05);
    EXPECT_NEAR(mean[3], 0.5, 0.1);
    EXPECT_NEAR(mean[4], 4, 0.6);
}

}  // namespace
}  // namespace heddle::cuda::test
