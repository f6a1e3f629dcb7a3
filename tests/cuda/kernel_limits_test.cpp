// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// What sources and `heddle nvcc` say of a kernel's threads and registers.
#include <gmock/gmock.h>

#include "command/nvcc/nvcc_command.h"
#include "command/nvcc/nvcc_options.h"
#include "models/base/error.h"
#include "tests/cuda/cuda_kernels.h"
#include "tests/program/compiled_program.h"

namespace heddle::cuda::test {
namespace {

using testing::HasSubstr;

const char* const bounded =
    "template <int n> struct shape { static const int threads = n * 3; };\n"
    "template <typename S> __global__ void __launch_bounds__(S::threads, 2) scaled(int* out) {"
    " out[threadIdx.x] = S::threads; }\n"
    "template __global__ void scaled<shape<12>>(int*);\n"
    "extern \"C\" __global__ void __launch_bounds__(64) k(int* out) { out[threadIdx.x] = 1; }\n"
    "extern \"C\" __launch_bounds__(128, 4, 1) __global__ void m(int* out) { out[0] = 1; }\n"
    "extern \"C\" __global__ void no_bound(int* out) { out[0] = 1; }\n";

TEST(cuda_kernel_limits, launch_bounds_are_in_the_kernel_table) {
    const auto image = compile_device(bounded);
    EXPECT_EQ(image->get_kernel("_Z6scaledI5shapeILi12EEEvPi").most_threads, 36U);
    EXPECT_EQ(image->get_kernel("k").most_threads, 64U);
    EXPECT_EQ(image->get_kernel("m").most_threads, 128U);
    EXPECT_EQ(image->get_kernel("no_bound").most_threads, std::nullopt);
}

TEST(cuda_kernel_limits, a_larger_block_than_its_bound_is_refused) {
    cuda_kernels kernels(bounded);
    const device_buffer<int> out(kernels.gpu(), std::vector<int>(64, 0), "out");
    kernels.run("k", {{1}, {64}}, out.get());
    EXPECT_EQ(out.read()[63], 1);
    try {
        kernels.run("k", {{1}, {65}}, out.get());
        FAIL() << "65 threads are taken";
    } catch (const run_error& refused) {
        EXPECT_THAT(refused.what(), HasSubstr("has 65 threads; its source allows 64"));
    }
}

TEST(cuda_kernel_limits, bounds_of_several_files_reach_the_linked_program) {
    namespace p = program::test;
    const std::string one = p::write_source("one.cu", bounded), object = p::scratch_file("one.o");
    const std::string linked = p::scratch_file("linked.o");
    ASSERT_EQ(command::nvcc({"-dc", one, "-o", object}), 0);
    testing::internal::CaptureStderr();
    ASSERT_EQ(command::nvcc({"-dlink", "-Xptxas", "-v", object, "-o", linked}), 0);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("at most 64 threads"));
}

/// Many values that are alive at once, and functions of math.h.
const char* const busy =
    "extern \"C\" __global__ void k(float* out, const float* in) { float v[24];"
    " for (int i = 0; i < 24; ++i) v[i] = in[i * 7 + threadIdx.x];"
    " for (int turn = 0; turn < 3; ++turn) for (int i = 0; i < 24; ++i)"
    "  v[i] = v[i] * v[(i + 7) % 24] + v[(i * 5 + 3) % 24];"
    " float sum = sinf(v[0]) + expf(v[1]); for (int i = 0; i < 24; ++i) sum += v[i];"
    " out[threadIdx.x] = sum; }\n";

std::vector<float> result_of(cuda_kernels& kernels) {
    std::vector<float> in;
    for (int i = 0; i < 24 * 7 + 32; ++i) in.push_back(1.0F / static_cast<float>(i + 1));
    const device_buffer<float> input(kernels.gpu(), in, "in");
    const device_buffer<float> out(kernels.gpu(), 32, "out");
    kernels.run("k", {{1}, {32}}, out.get(), input.get());
    return out.read();
}

TEST(cuda_kernel_limits, registers_of_a_compilation_are_limited) {
    cuda_kernels all(busy), few(busy, {"-maxrregcount=20"}), enough(busy, {"-maxrregcount", "64"});
    EXPECT_GT(all.image().get_kernel("k").registers, 24U);
    EXPECT_LE(few.image().get_kernel("k").registers, 20U);
    EXPECT_EQ(enough.image().get_kernel("k").registers, all.image().get_kernel("k").registers);
    EXPECT_EQ(result_of(few), result_of(all));
}

TEST(cuda_kernel_limits, registers_of_a_kernel_are_limited) {
    std::string text = busy;
    text.insert(text.find("k("), "__maxnreg__(22) ");
    cuda_kernels all(busy), few(text);
    EXPECT_LE(few.image().get_kernel("k").registers, 22U);
    EXPECT_EQ(result_of(few), result_of(all));
}

TEST(cuda_kernel_limits, numbers_of_registers_are_checked) {
    EXPECT_THAT(command::read_nvcc_options({"-maxrregcount=16", "a.cu"}).warnings,
                testing::ElementsAre(HasSubstr("-maxrregcount=16 is taken as 18")));
    EXPECT_EQ(command::read_nvcc_options({"--maxrregcount", "0", "a.cu"}).most_registers, 0U);
    try {
        static_cast<void>(command::read_nvcc_options({"-maxrregcount=many", "a.cu"}));
        FAIL() << "it is taken";
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("-maxrregcount=many; legal: a number of registers"));
    }
}

}  // namespace
}  // namespace heddle::cuda::test
