// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the parameters of a kernel cost: 8 or 12 make a vector addition no slower than 4.
#include "tests/hw/base/child_process.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using words = std::vector<std::uint32_t>;

/// Cycles of an addition of `n` elements with as many parameters.
std::uint64_t add(const std::string& name, unsigned parameters, std::uint32_t n) {
    const process_result result = run_in_child([&](std::string& output) {
        timed_machine machine(configuration_of(name));
        words found;
        machine.run_well([&](device& gpu) {
            gpu.load(kernels_of("parameters"));
            const device_buffer<std::uint32_t> a(gpu, words(n, 1), "a");
            const device_buffer<std::uint32_t> b(gpu, words(n, 2), "b");
            const device_buffer<std::uint32_t> c(gpu, n, "c");
            const launch_shape shape{{n / 256}, {256}};
            if (parameters == 4) launch(gpu, "add_4", shape, n, a.get(), b.get(), c.get());
            if (parameters == 8) {
                launch(gpu, "add_8", shape, n, a.get(), b.get(), c.get(), 1u, 1u, 1u, 1u);
            }
            if (parameters == 12) {
                launch(gpu, "add_12", shape, n, a.get(), b.get(), c.get(), 1u, 1u, 1u, 1u, 1u, 1u,
                       1u, 1u);
            }
            found = c.read();
        });
        output = std::to_string(machine.count("gpu.cycles"));
        return found == words(n, 3) ? 0 : 1;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return std::stoull("0" + result.output);
}

class parameters : public testing::TestWithParam<const char*> {};

TEST_P(parameters, do_not_slow_a_vector_addition_down) {
    // Long enough for the accidents of DRAM's order to cancel out: the arguments move the buffers.
    constexpr std::uint32_t n = 1 << 20;
    const auto cycles = [&](unsigned count) {
        return static_cast<double>(add(GetParam(), count, n));
    };
    const double four = cycles(4);
    EXPECT_NEAR(cycles(8), four, 0.02 * four);
    EXPECT_NEAR(cycles(12), four, 0.02 * four);
}

INSTANTIATE_TEST_SUITE_P(machines, parameters, testing::Values("gf100", "gk110", "si"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace heddle
