// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tb/kit/paths.h"
#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::Each;
using testing::HasSubstr;

class iss_control : public testing::TestWithParam<unsigned> {
protected:
    std::unique_ptr<functional_simulator> gpu =
        make_simulator("iss_control", small_machine(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(warps_of, iss_control, testing::Values(8u, 16u, 32u, 64u));

TEST_P(iss_control, barrier_orders_the_warps_of_a_block) {
    for (const unsigned threads : {1u, 31u, 33u, 256u, 1000u}) {
        std::vector<std::uint32_t> values(7 * threads);
        std::iota(values.begin(), values.end(), 0);
        const device_buffer<std::uint32_t> in(*gpu, values, "in");
        const device_buffer<std::uint32_t> out(*gpu, values.size(), "out");
        launch(*gpu, "reverse", {{7}, {threads}}, in.get(), out.get());
        const auto found = out.read();
        for (unsigned i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i], i / threads * threads + threads - 1 - i % threads);
        }
    }
}

TEST_P(iss_control, barrier_does_not_wait_for_threads_that_ended) {
    const device_buffer<std::uint32_t> out(*gpu, 64, "out");
    launch(*gpu, "early_exit_barrier", {{1}, {256}}, out.get());
    EXPECT_THAT(out.read(), Each(1u));
    const device_buffer<std::uint32_t> half(*gpu, 64, "half");
    launch(*gpu, "half_warp_barrier", {{1}, {64}}, half.get());
    const auto found = half.read();
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(found[i], i % 2);
}

TEST_P(iss_control, divergent_barrier_is_a_fault) {
    const device_buffer<std::uint32_t> out(*gpu, 32, "out");
    const run_error error = error_of([&] {
        launch(*gpu, "divergent_barrier", {{1}, {32}}, out.get());
        gpu->synchronize();
    });
    EXPECT_EQ(error.kind(), error_kind::kernel_fault);
    EXPECT_THAT(error.what(),
                HasSubstr("divergent barrier: 5 of the warp's " +
                          std::to_string(std::min(GetParam(), 32u)) + " threads arrive"));
}

TEST_P(iss_control, resident_blocks_take_turns) {
    const device_buffer<std::uint32_t> flags(*gpu, 4, "flags");
    launch(*gpu, "chain", {{4}, {32}}, flags.get());  // as many as are resident
    EXPECT_THAT(flags.read(), Each(1u));
}

TEST_P(iss_control, waiting_for_a_block_that_is_not_resident_is_no_progress) {
    const device_buffer<std::uint32_t> flags(*gpu, 5, "flags");
    launch(*gpu, "chain", {{5}, {32}}, flags.get());
    const run_error error = error_of([&] { gpu->synchronize(); });
    EXPECT_EQ(error.kind(), error_kind::no_progress);
    EXPECT_THAT(error.what(), HasSubstr("kernel 'chain', block (0,0,0), warp 0:"));
    EXPECT_THAT(error.what(), HasSubstr("control_kernel.cpp:"));
}

TEST_P(iss_control, streams_share_the_machine_and_keep_their_order) {
    const device_buffer<std::uint32_t> flag(*gpu, 2, "flag");
    launch_shape shape{{1}, {1}};
    launch(*gpu, "wait_for_flag", shape, flag.get());
    shape.stream = gpu->create_stream();
    launch(*gpu, "set_flag", shape, flag.get());
    EXPECT_EQ(flag.read()[1], 1u);

    const device_buffer<std::uint32_t> other(*gpu, 2, "other");
    launch(*gpu, "wait_for_flag", shape, other.get());
    launch(*gpu, "set_flag", shape, other.get());  // the same stream: never starts
    EXPECT_EQ(error_of([&] { gpu->synchronize(); }).kind(), error_kind::no_progress);
}

TEST_P(iss_control, spin_lock_is_named_a_simt_deadlock) {
    const device_buffer<std::uint32_t> lock(*gpu, 1, "lock");
    launch(*gpu, "spin_lock", {{1}, {4}}, lock.get());
    const run_error error = error_of([&] { gpu->synchronize(); });
    EXPECT_EQ(error.kind(), error_kind::no_progress);
    EXPECT_THAT(error.what(), HasSubstr("SIMT deadlock? lanes 0xe spin at"));
    EXPECT_THAT(error.what(), HasSubstr("lanes 0x1 wait for them at"));
}

TEST_P(iss_control, value_changing_stores_are_progress) {
    const device_buffer<std::uint32_t> counter(*gpu, 1, "counter");
    launch(*gpu, "busy", {{1}, {1}}, counter.get(), 200'000u);
    gpu->synchronize();
    EXPECT_EQ(counter.read()[0], 199'999u);
    EXPECT_GT(gpu->total().warp_instructions, 3 * small_machine().iss.watchdog);
}

TEST_P(iss_control, stores_to_the_own_stack_are_no_progress) {
    const device_buffer<std::uint32_t> counter(*gpu, 1, "counter");
    launch(*gpu, "busy_alone", {{1}, {1}}, counter.get(), 200'000u);
    EXPECT_EQ(error_of([&] { gpu->synchronize(); }).kind(), error_kind::no_progress);
}

TEST_P(iss_control, each_lane_has_its_own_rounding_mode) {
    const device_buffer<float> out(*gpu, 64, "out");
    launch(*gpu, "rounding", {{1}, {64}}, out.get());
    const auto found = out.read();
    const float up = std::nextafter(1.0f, 2.0f);
    // 1 + 2^-24 lies half way: nearest even 1, toward zero 1, down 1, up, max magnitude up.
    const float expected[] = {1.0f, 1.0f, 1.0f, up, up};
    for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(found[i], expected[i % 5]) << i;
    const run_error error = error_of([&] {
        launch(*gpu, "bad_rounding", {{1}, {32}}, out.get());
        gpu->synchronize();
    });
    EXPECT_THAT(error.what(), HasSubstr("frm holds no rounding mode"));
    EXPECT_THAT(error.what(), HasSubstr("thread (3,0,0)"));
}

TEST_P(iss_control, clock_and_retired_instructions) {
    const device_buffer<std::uint32_t> out(*gpu, 2 * 6, "out");
    launch(*gpu, "clocks", {{6}, {32}}, out.get());
    const auto found = out.read();
    for (unsigned b = 0; b < 6; ++b) {
        EXPECT_EQ(found[2 * b], 3u);
        EXPECT_EQ(found[2 * b + 1], 1u);
    }
    EXPECT_EQ(gpu->executed(), gpu->total().warp_instructions);
}

TEST_P(iss_control, only_active_lanes_count_as_thread_instructions) {
    const device_buffer<std::uint32_t> out(*gpu, 2, "out");
    launch(*gpu, "clocks", {{1}, {1}}, out.get());
    gpu->synchronize();
    EXPECT_EQ(gpu->total().thread_instructions, gpu->total().warp_instructions);
}

TEST_P(iss_control, three_dimensional_ids) {
    constexpr unsigned n = 2 * 3 * 4 * 3 * 5 * 7;
    const device_buffer<std::uint32_t> out(*gpu, n, "out");
    launch(*gpu, "ids", {{2, 3, 4}, {3, 5, 7}}, out.get());
    const auto found = out.read();
    for (unsigned i = 0; i < n; ++i) ASSERT_EQ(found[i], i + 1);
}

TEST_P(iss_control, two_runs_count_the_same) {
    const auto run = [&] {
        const auto fresh = make_simulator("iss_control", small_machine(GetParam()));
        const device_buffer<std::uint32_t> flags(*fresh, 4, "flags");
        launch(*fresh, "chain", {{4}, {32}}, flags.get());
        fresh->synchronize();
        return fresh->total();
    };
    const execution_counts first = run();
    const execution_counts second = run();
    EXPECT_EQ(first.warp_instructions, second.warp_instructions);
    EXPECT_EQ(first.thread_instructions, second.thread_instructions);
    EXPECT_EQ(first.branches, second.branches);
}

TEST(iss_interrupt, ends_the_run) {
    unsigned polls = 0;
    functional_simulator gpu(small_machine(), [&] { return ++polls > 10; });
    gpu.load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_control.elf"))));
    const device_buffer<std::uint32_t> flag(gpu, 2, "flag");
    launch(gpu, "wait_for_flag", {{1}, {1}}, flag.get());
    EXPECT_EQ(error_of([&] { gpu.synchronize(); }).kind(), error_kind::interrupted);
    EXPECT_EQ(polls, 11u);
}

}  // namespace
}  // namespace heddle::iss
