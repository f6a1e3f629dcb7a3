// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Different kernels at the same time on one SMX behind pins.
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "hw/cosim/pins/block_rtl.h"
#include "models/program/compile.h"
#include "models/program/image.h"
#include "tests/base/temporary_directory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using images = std::vector<std::shared_ptr<const program::image>>;

const std::string shared_part = R"(
#include <heddle.h>
__shared__ unsigned pad_of_one[40], pad_of_other[168], part[256];
__device__ __attribute__((noinline)) unsigned turn(unsigned i, unsigned sum) {
    part[i] = sum;
    __syncthreads();
    sum = sum * 5 + part[i ^ 33];
    __syncthreads();
    return sum;
}
)";
const std::string kernel_one = R"(
__global__ void one(volatile unsigned* data) {
    const unsigned i = threadIdx.x;
    if (i < 40) pad_of_one[i] = 7;
    unsigned sum = i;
    for (unsigned k = 0; k < 50; ++k) sum = turn(i, sum);
    data[i] = sum + pad_of_one[i % 40];
}
)";
const std::string kernel_other = R"(
__global__ void other(volatile unsigned* data) {
    const unsigned i = threadIdx.x;
    if (i < 168) pad_of_other[i] = 9;
    unsigned sum = blockIdx.x;
    for (unsigned k = 0; k < 9; ++k) sum = turn(i, sum + i);
    data[blockIdx.x * 256 + i] = sum + pad_of_other[i % 168];
}
)";

std::shared_ptr<const program::image> image_of(const std::string& text,
                                               const program::program_place& place = {}) {
    const temporary_directory files;
    program::compile_options options;
    options.place = place;
    return std::make_shared<program::image>(
        *program::compile({files.write("k.cpp", text)}, files / "k.elf", options).program);
}

/// What both kernels leave, one launch beside the other.
std::string sums_on(const std::string& what, const images& programs) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of("tiny", {"slot.smx=" + what, "gpu.smx_count=1"}));
        machine.run_well([&](device& gpu) {
            for (const auto& each : programs) gpu.load(each);
            const device_buffer<std::uint32_t> a(gpu, 256, "a");
            const device_buffer<std::uint32_t> b(gpu, 2048, "b");
            launch_shape shape{{1}, {256}};
            shape.stream = gpu.create_stream();
            launch(gpu, "one", shape, a.get());
            shape.grid = {8};
            shape.stream = gpu.create_stream();
            launch(gpu, "other", shape, b.get());
            gpu.synchronize();
            for (const auto* each : {&a, &b}) {
                for (const std::uint32_t value : each->read()) {
                    output += std::to_string(value) + " ";
                }
            }
        });
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_EQ(result.exit_code, 0) << what << result.output;
    return result.output;
}

void compare(const images& programs) {
    const std::string expected = sums_on("tlm", programs);
    EXPECT_EQ(sums_on("pins", programs), expected);
    if (pins::has_block_rtl()) {
        EXPECT_EQ(sums_on("rtl", programs), expected);
    }
}

/// The instructions of the function differ by the places of shared variables.
TEST(smx_kernels, that_share_a_function) {
    compare({image_of(shared_part + kernel_one + kernel_other)});
}

TEST(smx_kernels, of_two_programs) {
    compare({image_of(shared_part + kernel_one),
             image_of(shared_part + kernel_other, {0x00020000, 0x80000000})});
}

}  // namespace
}  // namespace heddle
