// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Illegal doings of kernels on the SMX: the functional simulator's words, to the letter.
#include <gmock/gmock.h>

#include <algorithm>

#include "models/iss/simulator.h"
#include "tb/kit/paths.h"
#include "tb/smx/smx_bench.h"
#include "tests/hw/base/child_process.h"

namespace heddle {
namespace {

struct fault_case {
    const char* kernel;
    std::function<void(device&)> launch_it;
};

void PrintTo(const fault_case& c, std::ostream* out) {
    *out << c.kernel;
}

device_ptr<unsigned> words(device& target, unsigned count) {
    return {target.allocate(4 * count, "out")};
}

fault_case with_output(const char* kernel, unsigned count, unsigned threads) {
    return {kernel, [=](device& target) {
                launch(target, kernel, {{1}, {threads}}, words(target, count));
            }};
}

fault_case without_arguments(const char* kernel) {
    return {kernel, [=](device& target) { launch(target, kernel, {{1}, {32}}); }};
}

class smx_fault : public testing::TestWithParam<fault_case> {
protected:
    void compare(const std::string& program) {
        testbench bench("smx_fault", {});
        smx_bench_configuration configuration;
        smx_bench device(bench, configuration);
        const auto image = std::make_shared<program::image>(
            program::image::load(build_path("kernels/") + program + ".elf"));
        std::string expected;
        iss::functional_simulator golden(configuration.machine);
        golden.load(image);
        GetParam().launch_it(golden);
        try {
            golden.synchronize();
        } catch (const run_error& error) {
            expected = error.what();
        }
        ASSERT_NE(expected, "") << "the functional simulator finds no fault";
        device.load(image);
        GetParam().launch_it(device);
        EXPECT_EQ(device.run(), error_kind::kernel_fault) << bench.status().text();
        ASSERT_FALSE(bench.status().messages().empty());
        std::string found = bench.status().messages().front();
        // Where time is known, a line with the cycle follows.
        found.erase(std::min(found.find("\n  in cycle "), found.size()));
        const std::string_view own = "the timed model";
        if (const auto at = found.find(own); at != std::string::npos) {
            found.replace(at, own.size(), "the functional simulator");
        }
        EXPECT_EQ(found, expected);
    }
};

TEST_P(smx_fault, has_the_words_of_the_functional_simulator) {
    compare("iss_fault");
}
INSTANTIATE_TEST_SUITE_P(
    kernels, smx_fault,
    testing::Values(
        fault_case{"read_past_the_end",
                   [](device& target) {
                       const device_ptr<unsigned> in{target.allocate(40, "in")};
                       launch(target, "read_past_the_end", {{1}, {32}}, in, words(target, 32));
                   }},
        with_output("write_past_the_end", 20, 32),
        fault_case{"null_pointer",
                   [](device& target) {
                       launch(target, "null_pointer", {{1}, {8}}, device_ptr<unsigned>{0});
                   }},
        fault_case{"misaligned",
                   [](device& target) {
                       launch(target, "misaligned", {{1}, {8}},
                              device_ptr<unsigned char>{words(target, 32).address});
                   }},
        fault_case{"write_read_only",
                   [](device& target) {
                       launch(target, "write_read_only", {{1}, {8}}, 1u);
                   }},
        fault_case{"shared_overrun",
                   [](device& target) {
                       launch(target, "shared_overrun", {{1}, {8}}, words(target, 1), 4u);
                   }},
        with_output("stack_overflow", 1, 1), with_output("trap", 32, 32),
        with_output("builtin_trap", 32, 32), without_arguments("environment_call"),
        without_arguments("illegal_instruction"), without_arguments("unknown_register"),
        without_arguments("write_parameters"),
        fault_case{"jump_into_data",
                   [](device& target) {
                       launch(target, "jump_into_data", {{1}, {8}}, words(target, 1).address);
                   }},
        with_output("atomic_past_the_end", 3, 8)));

class smx_control_fault : public smx_fault {};
TEST_P(smx_control_fault, has_the_words_of_the_functional_simulator) {
    compare("iss_control");
}
INSTANTIATE_TEST_SUITE_P(kernels, smx_control_fault,
                         testing::Values(with_output("divergent_barrier", 32, 32),
                                         fault_case{"bad_rounding", [](device& target) {
                                                        launch(target, "bad_rounding", {{1}, {32}},
                                                               device_ptr<float>{
                                                                   words(target, 32).address});
                                                    }}));

/// The first message of a run of `exchanges`, whose threads part, with so many entries of the
/// stack.
std::string end_with_entries(unsigned entries) {
    return run_in_child([&](std::string& output) {
               testbench bench("smx_stack", {});
               smx_bench_configuration configuration;
               configuration.smx.stack_entries = entries;
               smx_bench device(bench, configuration);
               device.load(std::make_shared<program::image>(
                   program::image::load(build_path("kernels/smx_tb.elf"))));
               const device_ptr<unsigned> in = words(device, 64);
               launch(device, "exchanges", {{1}, {64}}, 40U, in, words(device, 64));
               const error_kind end = device.run();
               if (!bench.status().messages().empty()) output = bench.status().messages().front();
               return static_cast<int>(end);
           })
        .output;
}

TEST(smx_stack, entries_that_a_warp_lacks_are_a_fault) {
    EXPECT_THAT(
        end_with_entries(1),
        testing::AllOf(testing::StartsWith("the warp's reconvergence stack is full: "
                                           "smx.stack_entries = 1; legal: more entries, or 0 for "
                                           "no limit\n  at kernel 'exchanges', block (0,0,0), "
                                           "thread (32,0,0), PC 0x"),
                       testing::HasSubstr(", warp slot 1")));
    EXPECT_EQ(end_with_entries(0), "");
    EXPECT_EQ(end_with_entries(64), "");
}

TEST(smx_dispatch, a_block_without_room_is_a_violated_invariant) {
    testbench bench("smx_dispatch", {});
    smx_bench_configuration configuration;
    smx_bench device(bench, configuration);
    device.load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_control.elf"))));
    pool<protocol::kernel_launch> launches("launches");
    pool<protocol::block_dispatch> dispatches("dispatches");
    const auto launch = launches.make();
    launch->kernel_number = 1000;
    const auto block = dispatches.make();
    block->kernel = launch;
    block->launch = protocol::launch_id(1);
    auto phase = protocol::block_phase::dispatch;
    (void)device.block().core().life().dispatch(*block, phase);
    EXPECT_EQ(device.run(), error_kind::wrong_result);
    EXPECT_THAT(bench.status().text(), testing::HasSubstr("kernel 1000 is in no program"));
}

}  // namespace
}  // namespace heddle
