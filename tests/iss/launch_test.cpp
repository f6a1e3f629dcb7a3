// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::Each;
using testing::HasSubstr;

class iss_launch : public testing::TestWithParam<unsigned> {
protected:
    static machine_configuration machine() {
        machine_configuration machine = small_machine(GetParam());
        machine.launch.enabled = true;
        machine.launch.pool_bytes = 1 << 16;
        return machine;
    }
    /// Runs a kernel that adds i + 1 to the 64 words of each thread i.
    void expect_sums(const char* kernel, std::uint32_t every = 1) {
        constexpr std::uint32_t threads = 100;
        const device_buffer<std::uint32_t> out(*gpu, 64 * threads, "out");
        const device_buffer<std::uint32_t> errors(*gpu, threads, "errors");
        launch(*gpu, kernel, {{2}, {threads / 2}}, out.get(), errors.get());
        const auto found = out.read();
        EXPECT_THAT(errors.read(), Each(0u));
        for (std::uint32_t i = 0; i < found.size(); ++i) {
            const std::uint32_t thread = i / 64;
            ASSERT_EQ(found[i], thread % every == every - 1 ? thread + 1 : 0) << i;
        }
        EXPECT_EQ(gpu->kernels().at("add").launches, threads / every);
        EXPECT_EQ(gpu->kernels().at("add").executed.blocks, 2 * threads / every);
        expect_nothing_left();
    }
    void expect_nothing_left() {
        EXPECT_EQ(gpu->launches().size(), 0U);
        EXPECT_EQ(gpu->runtime().pool().used_bytes(), 0U);
        EXPECT_EQ(gpu->runtime().pending(), 0U);
        EXPECT_EQ(gpu->runtime().footprint(), 0U);
    }
    run_error fault_of(const char* kernel) {
        const device_buffer<std::uint32_t> out(*gpu, 64, "out");
        return error_of([&] {
            launch(*gpu, kernel, {{1}, {1}}, out.get());
            gpu->synchronize();
        });
    }

    std::unique_ptr<functional_simulator> gpu = make_simulator("iss_launch", machine());
};
INSTANTIATE_TEST_SUITE_P(warps_of, iss_launch, testing::Values(8u, 32u, 64u));

TEST_P(iss_launch, each_thread_launches_a_kernel) {
    expect_sums("launch_kernels");
}

TEST_P(iss_launch, each_thread_launches_a_group) {
    expect_sums("launch_groups");
}

TEST_P(iss_launch, by_the_names_of_cuda) {
    expect_sums("launch_as_cuda", 2);
}

TEST_P(iss_launch, footprint_is_what_pending_launches_hold) {
    expect_sums("launch_groups");
    EXPECT_EQ(gpu->blocks_done(), gpu->blocks_launched());
    // 100 buffers of one granule each: 48 bytes of record and 8 of parameters. Some children may
    // have begun before the last thread allocated.
    EXPECT_GT(gpu->runtime().footprint_peak(), 0U);
    EXPECT_LE(gpu->runtime().footprint_peak(), 100U * 64);
    EXPECT_EQ(gpu->runtime().footprint_peak() % 64, 0U);
}

// Each level launches the next one before it ends.
TEST_P(iss_launch, footprint_may_count_larger_granules_until_the_end) {
    machine_configuration counted = machine();
    counted.launch.footprint_granule = 256;
    for (const auto& [until, launches] :
         {std::pair(launch_memory::start, 1U), std::pair(launch_memory::end, 2U)}) {
        counted.launch.footprint_until = until;
        gpu = make_simulator("iss_launch", counted);
        const device_buffer<std::uint32_t> out(*gpu, 32, "out");
        const device_buffer<std::uint32_t> errors(*gpu, 32, "errors");
        launch(*gpu, "descend", {{1}, {32}}, out.get(), 0u, errors.get());
        EXPECT_EQ(out.read()[24], 1U);
        EXPECT_EQ(gpu->runtime().footprint_peak(), launches * 256);
        expect_nothing_left();
    }
}

TEST_P(iss_launch, ends_at_the_limit_of_depth) {
    const device_buffer<std::uint32_t> out(*gpu, 32, "out");
    const device_buffer<std::uint32_t> errors(*gpu, 32, "errors");
    launch(*gpu, "descend", {{1}, {32}}, out.get(), 0u, errors.get());
    const auto reached = out.read();
    const auto found = errors.read();
    for (std::uint32_t level = 0; level <= 24; ++level) {
        EXPECT_EQ(reached[level], 1U) << level;
        EXPECT_EQ(found[level], level == 24 ? 65U : 0U) << level;
    }
    EXPECT_EQ(reached[25], 0U);
    expect_nothing_left();
}

TEST_P(iss_launch, launches_on_one_stream_run_in_order) {
    const device_buffer<std::uint32_t> list(*gpu, 64, "list");
    launch(*gpu, "launch_in_order", {{2}, {1}}, list.get(), 20u);
    const auto found = list.read();
    ASSERT_EQ(found[0], 40U);
    std::uint32_t next[2] = {0, 0};
    for (std::uint32_t i = 1; i <= 40; ++i) {
        ASSERT_EQ(found[i] % 100, next[found[i] / 100]++);
    }
}

TEST_P(iss_launch, the_next_launch_of_a_stream_waits_for_children) {
    const device_buffer<std::uint32_t> list(*gpu, 64, "list");
    launch(*gpu, "launch_in_order", {{1}, {1}}, list.get(), 20u);
    launch(*gpu, "append", {{1}, {1}}, list.get(), 999u);
    EXPECT_EQ(list.read()[21], 999U);
}

TEST_P(iss_launch, mistakes_answer_numbers_of_cuda) {
    const device_buffer<std::uint32_t> errors(*gpu, 8, "errors");
    const device_buffer<std::uint32_t> out(*gpu, 64, "out");
    launch(*gpu, "mistakes", {{1}, {1}}, errors.get(), out.get());
    const auto found = errors.read();
    EXPECT_EQ(found[0], 33U);  // no such stream
    EXPECT_EQ(found[1], 9U);   // no blocks
    EXPECT_EQ(found[2], 9U);   // too many threads
    EXPECT_EQ(found[3], 7U);   // too much shared memory
    EXPECT_EQ(found[4], 8U);   // no kernel
    EXPECT_EQ(found[5], 11U);  // too many parameters for the buffer
    EXPECT_EQ(found[6], 1U);   // a buffer that is too large
    EXPECT_THAT(out.read(), Each(0u));
}

TEST_P(iss_launch, an_empty_pool_and_the_limit_of_pending_launches_lose_nothing) {
    machine_configuration small = machine();
    small.launch.pool_bytes = 4096;
    small.launch.pending_limit = 20;
    gpu = make_simulator("iss_launch", small);
    constexpr std::uint32_t threads = 100;
    const device_buffer<std::uint32_t> out(*gpu, 64 * threads, "out");
    const device_buffer<std::uint32_t> errors(*gpu, threads, "errors");
    launch(*gpu, "launch_kernels", {{1}, {threads}}, out.get(), errors.get());
    const auto found = out.read();
    const auto answers = errors.read();
    for (std::uint32_t i = 0; i < threads; ++i) {
        EXPECT_EQ(found[64 * i], answers[i] == 0 ? i + 1 : 0) << i;
    }
    EXPECT_GT(std::count(answers.begin(), answers.end(), 0U), 0);
    EXPECT_GT(std::count_if(answers.begin(), answers.end(),
                            [](std::uint32_t e) { return e == 2 || e == 69; }),
              0);
    EXPECT_EQ(gpu->runtime().pending(), 0U);
}

TEST_P(iss_launch, faults_name_what_is_wrong) {
    EXPECT_THAT(fault_of("launch_twice").what(), HasSubstr("which has been launched already"));
    EXPECT_THAT(fault_of("write_launched").what(),
                HasSubstr("read-only once it has been launched"));
    EXPECT_THAT(fault_of("read_beside").what(),
                HasSubstr("no parameter buffer of a launch is there"));
    // The simulator can be used again.
    expect_sums("launch_kernels");
}

TEST_P(iss_launch, blocks_that_wait_for_children_make_room_for_them) {
    const device_buffer<std::uint32_t> sum(*gpu, 4, "sum");
    // 4 levels of 4 blocks each, 256 at the lowest: far more than the 4 that are resident.
    launch(*gpu, "wait_for_children", {{4}, {64}}, sum.get(), 3u);
    EXPECT_THAT(sum.read(), testing::ElementsAre(256U, 64U, 16U, 4U));
    expect_nothing_left();
}

TEST_P(iss_launch, is_a_fault_where_it_is_not_enabled) {
    gpu = make_simulator("iss_launch", small_machine(GetParam()));
    EXPECT_THAT(fault_of("launch_twice").what(),
                HasSubstr("launch of kernel 'launch_twice': it launches kernels (at PC 0x"));
}

}  // namespace
}  // namespace heddle::iss
