// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The functional simulator's own test kernels on the whole machine: every byte is the same, on
// every configuration. Not among them are those that use what they have not written: its value is
// undefined, and the check in step says so.
#include <gmock/gmock.h>

#include "models/base/random.h"
#include "models/iss/simulator.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

struct kernel_case {
    const char* program;
    const char* kernel;
    launch_shape shape;
    unsigned inputs;   ///< words of the first buffer, filled at random; 0: there is none
    settings buffers;  ///< names of the others
    unsigned words;    ///< of each of those
};

void PrintTo(const kernel_case& c, std::ostream* out) {
    *out << c.kernel;
}

const kernel_case cases[] = {
    {"iss_memory", "widths", {{4}, {64}}, 64, {"out"}, 1280},
    {"iss_memory", "byte_stores", {{4}, {25}}, 0, {"out"}, 25},
    {"iss_memory", "globals", {{1}, {70}}, 0, {"out"}, 70},
    {"iss_memory", "private_arrays", {{40}, {96}}, 0, {"out"}, 3840},
    {"iss_memory", "dead_reload", {{4}, {64}}, 0, {"out"}, 256},
    {"iss_memory", "mixed_windows", {{3}, {64}}, 192, {"out"}, 192},
    {"iss_memory", "same_place", {{1}, {32}}, 0, {"out"}, 1},
    {"iss_memory", "atomic_order", {{1}, {32}}, 0, {"counter", "seen", "sum"}, 32},
    {"iss_memory", "reserved_increments", {{3}, {32}}, 0, {"counter"}, 1},
    {"iss_memory", "broken_reservation", {{1}, {2}}, 0, {"word", "result"}, 2},
    {"iss_memory", "shared_layout", {{30}, {64}, 400}, 0, {"out"}, 30},
    {"iss_control", "reverse", {{5}, {256}}, 1280, {"out"}, 1280},
    {"iss_control", "early_exit_barrier", {{1}, {256}}, 0, {"out"}, 64},
    {"iss_control", "half_warp_barrier", {{1}, {64}}, 0, {"out"}, 64},
    {"iss_control", "rounding", {{1}, {32}}, 0, {"out"}, 32},
    {"iss_control", "ids", {{2, 2, 2}, {2, 3, 2}}, 0, {"out"}, 96},
};

using words = std::vector<std::uint32_t>;

/// Launches the kernel and returns what is in its buffers then.
std::vector<words> results(device& gpu, const kernel_case& c) {
    gpu.load(kernels_of(c.program));
    words contents(c.inputs);
    random_stream random(1, c.kernel);
    for (std::uint32_t& word : contents) word = static_cast<std::uint32_t>(random.next());
    std::vector<device_buffer<std::uint32_t>> buffers;
    if (c.inputs != 0) buffers.emplace_back(gpu, contents, "in");
    for (const std::string& name : c.buffers) buffers.emplace_back(gpu, c.words, name);
    words addresses;
    for (const auto& buffer : buffers) addresses.push_back(buffer.get().address);
    std::vector<launch_argument> arguments;
    for (const std::uint32_t& address : addresses) {
        arguments.push_back({launch_argument::kind::pointer, sizeof address, &address});
    }
    const program::kernel& kernel = find_kernel(gpu, c.kernel);
    launch_shape shape = c.shape;
    const auto packed = pack_arguments(kernel, shape, arguments.data(), arguments.size());
    gpu.launch(kernel, shape, packed);
    std::vector<words> all;
    for (const auto& buffer : buffers) all.push_back(buffer.read());
    return all;
}

class kernel_on : public testing::TestWithParam<std::tuple<kernel_case, std::string>> {};

TEST_P(kernel_on, leaves_the_bytes_of_the_functional_simulator) {
    const auto& [c, name] = GetParam();
    const gpu_configuration configuration = configuration_of(name);
    iss::functional_simulator simulator(configuration.machine);
    const std::vector<words> expected = results(simulator, c);
    timed_machine machine(configuration);
    std::vector<words> found;
    machine.run_well([&, &kernel = c](device& gpu) { found = results(gpu, kernel); });
    EXPECT_EQ(found, expected);
}

class undefined_value : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(undefined_value, is_named_where_it_is_used) {
    const auto& [kernel, use] = GetParam();
    timed_machine machine(configuration_of("tiny"));
    const kernel_case c{"iss_memory", kernel, {{1}, {64}}, 0, {"out"}, 64};
    EXPECT_EQ(machine.run([&](device& gpu) { results(gpu, c); }), error_kind::kernel_fault);
    EXPECT_THAT(
        machine.status().text(),
        testing::AllOf(
            testing::HasSubstr("undefined value at cycle "), testing::HasSubstr(use),
            testing::HasSubstr("whose value comes from private memory that this "
                               "thread has never written"),
            testing::HasSubstr(std::string("kernel '") + kernel + "', block (0,0,0), thread"),
            testing::HasSubstr("\n  loaded at 0x"), testing::HasSubstr("memory_kernel.cpp:")));
}
INSTANTIATE_TEST_SUITE_P(uses, undefined_value,
                         testing::Values(std::pair("stale_stack", "' gives other threads "),
                                         std::pair("undefined_branch", "' depends on "),
                                         std::pair("undefined_address", "' uses the address in ")));

INSTANTIATE_TEST_SUITE_P(all, kernel_on,
                         testing::Combine(testing::ValuesIn(cases),
                                          testing::Values("tiny", "g80", "gf100", "gk110", "si",
                                                          "iris6100")),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param).kernel) + "_on_" +
                                    std::get<1>(info.param);
                         });

}  // namespace
}  // namespace heddle
