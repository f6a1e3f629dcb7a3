// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Illegal doings of kernels and launches on the whole machine: the functional simulator's words.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "models/iss/simulator.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::HasSubstr;

struct fault_case {
    const char* kernel;
    const char* program;
    launch_shape shape;
    /// What differs between the devices: which of several threads is found first.
    bool any_thread;
    std::function<void(device&, const launch_shape&)> launch_it;
};

void PrintTo(const fault_case& c, std::ostream* out) {
    *out << c.kernel;
}

template <class T = std::uint32_t>
device_ptr<T> memory(device& gpu, std::uint32_t count, const char* name = "out") {
    return {gpu.allocate(count * sizeof(T), name)};
}

/// A kernel whose only parameter is a buffer of `count` words.
fault_case with_output(const char* kernel, const char* program, launch_shape shape,
                       std::uint32_t count, bool any_thread = false) {
    return {kernel, program, shape, any_thread, [=](device& gpu, const launch_shape& s) {
                launch(gpu, kernel, s, memory(gpu, count));
            }};
}

fault_case without_arguments(const char* kernel) {
    return {kernel, "iss_fault", {{1}, {1}}, false, [=](device& gpu, const launch_shape& s) {
                launch(gpu, kernel, s);
            }};
}

const fault_case cases[] = {
    {"read_past_the_end",
     "iss_fault",
     {{20}, {64}},
     true,
     [](device& gpu, const launch_shape& s) {
         const auto in = memory(gpu, 1000, "values");
         launch(gpu, "read_past_the_end", s, in, memory(gpu, 2000));
     }},
    with_output("write_past_the_end", "iss_fault", {{1}, {34}}, 33),
    {"null_pointer",
     "iss_fault",
     {{1}, {32}},
     false,
     [](device& gpu, const launch_shape& s) {
         launch(gpu, "null_pointer", s, device_ptr<std::uint32_t>{});
     }},
    {"misaligned",
     "iss_fault",
     {{1}, {32}},
     false,
     [](device& gpu, const launch_shape& s) {
         launch(gpu, "misaligned", s, memory<std::uint8_t>(gpu, 100));
     }},
    {"write_read_only",
     "iss_fault",
     {{1}, {1}},
     false,
     [](device& gpu, const launch_shape& s) { launch(gpu, "write_read_only", s, 0U); }},
    {"shared_overrun",
     "iss_fault",
     {{1}, {4}},
     false,
     [](device& gpu, const launch_shape& s) {
         launch(gpu, "shared_overrun", s, memory(gpu, 1), 6U);
     }},
    with_output("stack_overflow", "iss_fault", {{1}, {1}}, 1),
    with_output("trap", "iss_fault", {{1}, {32}}, 32),
    without_arguments("environment_call"),
    without_arguments("illegal_instruction"),
    without_arguments("unknown_register"),
    without_arguments("write_parameters"),
    without_arguments("write_code"),
    without_arguments("private_overrun"),
    without_arguments("no_window"),
    {"misaligned_atomic",
     "iss_fault",
     {{1}, {2}},
     false,
     [](device& gpu, const launch_shape& s) {
         launch(gpu, "misaligned_atomic", s, memory<std::uint8_t>(gpu, 100));
     }},
    {"jump_into_data",
     "iss_fault",
     {{1}, {1}},
     false,
     [](device& gpu, const launch_shape& s) { launch(gpu, "jump_into_data", s, 0x40000000U); }},
    with_output("atomic_past_the_end", "iss_fault", {{1}, {4}}, 3),
    with_output("divergent_barrier", "iss_control", {{1}, {32}}, 32),
    {"bad_rounding",
     "iss_control",
     {{1}, {32}},
     false,
     [](device& gpu, const launch_shape& s) {
         launch(gpu, "bad_rounding", s, memory<float>(gpu, 32));
     }},
    // Launches over the limits: no kernel starts.
    with_output("half_warp_barrier", "iss_control", {{1}, {2048}}, 1),
    with_output("half_warp_barrier", "iss_control", {{0}, {32}}, 1),
    with_output("half_warp_barrier", "iss_control", {{0x10000, 0x8000}, {32}}, 1),
    with_output("divergent_barrier", "iss_control", {{1}, {32}, 1U << 20}, 1),
};

/// The part of a message that both devices must share.
std::string common_part(std::string text, bool any_thread) {
    if (!any_thread) return text;
    // Which address that thread accesses follows from which thread it is.
    static const std::regex thread("block \\([0-9,]*\\), thread \\([0-9,]*\\)");
    static const std::regex place("0x400[0-9a-f]*: out of bounds: [0-9]* bytes");
    return std::regex_replace(std::regex_replace(text, thread, "block B, thread T"), place, "A");
}

class fault : public testing::TestWithParam<fault_case> {};

TEST_P(fault, has_the_words_of_the_functional_simulator) {
    const fault_case& c = GetParam();
    const gpu_configuration configuration = configuration_of("tiny");
    const auto image = kernels_of(c.program);
    const auto program = [&](device& gpu) {
        gpu.load(image);
        c.launch_it(gpu, c.shape);
        gpu.synchronize();
    };
    std::string expected;
    iss::functional_simulator simulator(configuration.machine);
    try {
        program(simulator);
    } catch (const run_error& error) {
        EXPECT_EQ(error.kind(), error_kind::kernel_fault);
        expected = error.what();
    }
    ASSERT_NE(expected, "");
    timed_machine machine(configuration);
    EXPECT_EQ(machine.run(program), error_kind::kernel_fault) << machine.status().text();
    ASSERT_FALSE(machine.status().messages().empty());
    std::string found = machine.status().messages().front();
    // Where time is known, a line with the cycle follows.
    found.erase(std::min(found.find("\n  in cycle "), found.size()));
    const std::string own = "the timed model";
    if (const auto at = found.find(own); at != std::string::npos) {
        found.replace(at, own.size(), "the functional simulator");
    }
    EXPECT_EQ(common_part(found, c.any_thread), common_part(expected, c.any_thread));
}

INSTANTIATE_TEST_SUITE_P(kernels, fault, testing::ValuesIn(cases));

TEST(fault, leaves_what_was_measured_until_then) {
    timed_machine machine(configuration_of("tiny"));
    const error_kind kind = machine.run([](device& gpu) {
        gpu.load(kernels_of("iss_fault"));
        launch(gpu, "write_past_the_end", {{1}, {64}}, memory(gpu, 40));
        gpu.synchronize();
        ADD_FAILURE() << "the host program must not go on";
    });
    EXPECT_EQ(kind, error_kind::kernel_fault);
    EXPECT_GT(machine.count("gpu.warp_instructions"), 0U);
    EXPECT_GT(machine.count("gpu.cycles"), 0U);
}

}  // namespace
}  // namespace heddle
