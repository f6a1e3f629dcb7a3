// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Launches by kernels on the whole machine, in lock step with the functional simulator and with
// checked links: kernels and groups, with tables so small that everything overflows.
#include <gmock/gmock.h>

#include "models/device/basic_device.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;
using words = std::vector<std::uint32_t>;

/// Nothing is left of any launch.
void expect_nothing_left(basic_device& gpu) {
    EXPECT_EQ(gpu.launches().size(), 0U);
    EXPECT_EQ(gpu.runtime().pool().used_bytes(), 0U);
    EXPECT_EQ(gpu.runtime().pending(), 0U);
    EXPECT_EQ(gpu.runtime().footprint(), 0U);
}

struct spread_case {
    const char* name;
    const char* configuration;
    const char* kernel;
    settings changes;
};

std::ostream& operator<<(std::ostream& out, const spread_case& one) {
    return out << one.name;
}

class spreading : public testing::TestWithParam<spread_case> {};

TEST_P(spreading, every_block_runs_once) {
    const spread_case& one = GetParam();
    constexpr std::uint32_t levels = 3;
    constexpr std::uint32_t fan = 6;
    timed_machine machine(configuration_of(one.configuration, one.changes));
    const bool unmatched = std::string(one.kernel) == "spread_unmatched";
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        words marks(1 + fan + fan * fan + fan * fan * fan);
        marks[0] = 1;
        const device_buffer<std::uint32_t> device_marks(gpu, marks, "marks");
        const device_buffer<std::uint32_t> counts(gpu, words(16), "counts");
        launch(gpu, one.kernel, {{2}, {40}}, counts.get(), device_marks.get(), levels, fan, 0U);
        const words found = counts.read();
        std::uint32_t launches = 1;
        for (std::uint32_t level = levels + 1; level-- > 0; launches *= fan) {
            const std::uint32_t blocks = unmatched && level != levels ? 1 : 2;
            EXPECT_EQ(found[level], launches * blocks * 40) << level;
        }
        EXPECT_EQ(found[14], 0U);  // launches that answered an error
        EXPECT_EQ(found[15], 0U);  // blocks that did not see their parent's mark
        const words after = device_marks.read();
        for (std::uint32_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i], i + 1);
        expect_nothing_left(dynamic_cast<basic_device&>(gpu));
    });
    constexpr std::uint64_t children = fan + fan * fan + fan * fan * fan;
    const bool groups = std::string(one.kernel) != "spread_kernels";
    EXPECT_EQ(machine.count("launch.host.count"), 1U);
    EXPECT_EQ(machine.count("launch.kernel.count"), groups ? 0 : children);
    EXPECT_EQ(machine.count("launch.group.count"), groups ? children : 0);
    EXPECT_EQ(machine.count("launch.group.joined") + machine.count("launch.group.refused"),
              groups ? children : 0);
    if (std::string(one.kernel) == "spread_groups") {
        // All are groups of the kernel that runs.
        EXPECT_EQ(machine.count("launch.group.refused"), 0U);
        // Each parent launches from the same few threads of its SMX: entries collide everywhere.
        EXPECT_NE(machine.count("launch.group.spilled"), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(
    machines, spreading,
    testing::Values(
        spread_case{"tiny_kernels", "tiny", "spread_kernels", {}},
        spread_case{"tiny_one_entry", "tiny", "spread_kernels", {"kernel_distributor.entries=1"}},
        spread_case{"tiny_groups", "tiny", "spread_groups", {}},
        spread_case{"tiny_table_of_one", "tiny", "spread_groups", {"agt.entries=1"}},
        spread_case{"tiny_ideal", "tiny", "spread_groups", {"launch.ideal=true", "agt.entries=2"}},
        spread_case{"tiny_unmatched", "tiny", "spread_unmatched", {"kernel_distributor.entries=1"}},
        spread_case{"tiny_fallback", "tiny", "spread_unmatched", {"launch.fallback_latency=500"}},
        spread_case{"gk110_kernels", "gk110", "spread_kernels", {}},
        spread_case{"gk110_written_back",
                    "gk110",
                    "spread_kernels",
                    {"l1d.cache_global=true", "l1d.write_policy=back"}},
        spread_case{"gk110_groups", "gk110", "spread_groups", {}},
        spread_case{
            "gk110_ideal", "gk110", "spread_groups", {"launch.ideal=true", "agt.entries=2"}},
        spread_case{"gk110_unmatched", "gk110", "spread_unmatched", {}}),
    [](const auto& one) { return std::string(one.param.name); });

/// Wang et al., ISCA 2015, Table 3: b + A x.
TEST(device_launch, calls_take_the_time_of_the_paper) {
    timed_machine machine(configuration_of("gk110"));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        for (const std::uint32_t threads : {1U, 8U, 32U}) {
            const device_buffer<std::uint32_t> cycles(gpu, 3, "cycles");
            launch(gpu, "time_calls", {{1}, {32}}, cycles.get(), threads);
            const words found = cycles.read();
            const words expected{7165, 8023 + 129 * threads, 12187 + 1592 * threads};
            for (int i = 0; i < 3; ++i) {
                EXPECT_GE(found[i], expected[i]) << threads;
                // The instructions around the call; the records, and a cycle for each kernel on the
                // link.
                EXPECT_LE(found[i], expected[i] + (i == 2 ? 100 + 3 * threads : 20)) << threads;
            }
        }
    });
}

TEST(device_launch, ideal_calls_take_no_time_of_their_own) {
    timed_machine machine(configuration_of("gk110", {"launch.ideal=true"}));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        const device_buffer<std::uint32_t> cycles(gpu, 3, "cycles");
        launch(gpu, "time_calls", {{1}, {32}}, cycles.get(), 32U);
        const words found = cycles.read();
        EXPECT_LE(found[0], 20U);
        EXPECT_LE(found[1], 20U);
        EXPECT_LE(found[2], 1000U);  // stores and records go to memory
    });
}

/// Cycles of a group's launch beyond those of one that finds its kernel in the first entry, when it
/// finds none in any.
int search_cycles(const settings& changes) {
    timed_machine machine(configuration_of("gk110", changes));
    words cycles;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        const device_buffer<std::uint32_t> buffer(gpu, 2, "cycles");
        launch(gpu, "time_groups", {{1}, {1}}, buffer.get());
        cycles = buffer.read();
    });
    return static_cast<int>(cycles[1]) - static_cast<int>(cycles[0]);
}

TEST(device_launch, search_for_a_kernel_is_done_while_buffers_are_allocated) {
    EXPECT_EQ(search_cycles({"kernel_distributor.entries=32"}), 0);
}

TEST(device_launch, search_for_a_kernel_takes_its_cycles_where_buffers_take_none) {
    EXPECT_EQ(search_cycles({"kernel_distributor.entries=32", "launch.buffer_latency=0",
                             "launch.buffer_thread_latency=0"}),
              31);
}

/// The SMX sleeps until the first of two calls is over, not the last.
TEST(device_launch, calls_of_two_warps_end_each_in_its_time) {
    timed_machine machine(configuration_of("gk110"));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        const device_buffer<std::uint32_t> cycles(gpu, 2, "cycles");
        launch(gpu, "time_streams", {{1}, {64}}, cycles.get());
        EXPECT_THAT(cycles.read(), Each(AllOf(Ge(7165U), Le(7185U))));
    });
}

/// The entry of a group is that of its thread in the SMX: those of eight warps have one each.
TEST(device_launch, groups_of_all_warps_find_an_entry) {
    timed_machine machine(configuration_of("gk110"));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        const device_buffer<std::uint32_t> count(gpu, 1, "count");
        launch(gpu, "launch_from_each_warp", {{1}, {256}}, count.get(), true);
        gpu.synchronize();
    });
    EXPECT_EQ(machine.count("launch.group.joined"), 8U);
    EXPECT_EQ(machine.count("launch.group.spilled"), 0U);
}

/// Stores that L1D keeps, of warps that launch nothing.
TEST(device_launch, child_sees_what_other_warps_stored_before_the_barrier) {
    timed_machine machine(configuration_of(
        "gk110", {"l1d.cache_global=true", "l1d.write_policy=back", "gpu.smx_count=2"}));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        constexpr std::uint32_t blocks = 4;
        const device_buffer<std::uint32_t> stored(gpu, words(128), "words");
        const device_buffer<std::uint32_t> counts(gpu, words(2), "counts");
        launch(gpu, "launch_for_all", {{1}, {128}}, stored.get(), counts.get(), blocks);
        const words found = counts.read();
        EXPECT_EQ(found[0], blocks * 128);
        EXPECT_EQ(found[1], 0U) << "words that were stale";
    });
}

TEST(device_launch, waiting_time_begins_with_the_first_call) {
    timed_machine machine(configuration_of("gk110"));
    words at;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        const device_buffer<std::uint32_t> cycles(gpu, 3, "cycles");
        launch(gpu, "time_launch", {{1}, {1}}, cycles.get());
        at = cycles.read();
    });
    const statistics collected = machine.collected();
    const auto mean = [&](const std::string& name) {
        return std::get<histogram>(collected.find(name)->value).mean();
    };
    const double waiting = mean("launch.kernel.waiting_time");
    const double calls = mean("launch.kernel.call_time");
    // The kernels' clocks are read a few instructions beside the calls.
    EXPECT_THAT(at[2] - at[0] - waiting, AllOf(Ge(0), Le(20)));
    EXPECT_THAT(at[1] - at[0] - calls, AllOf(Ge(0), Le(20)));
    // Wang et al., Table 3: 7165 + 8152 + 13779, and 283 from there to the Kernel Distributor.
    EXPECT_GE(calls, 29096);
    EXPECT_GE(waiting - calls, 283);
}

TEST(device_launch, launches_of_the_functional_simulators_tests_run_in_lock_step) {
    timed_machine machine(configuration_of("tiny"));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_launch"));
        const device_buffer<std::uint32_t> out(gpu, words(6400), "out");
        const device_buffer<std::uint32_t> errors(gpu, words(100), "errors");
        launch(gpu, "launch_as_cuda", {{2}, {50}}, out.get(), errors.get());
        EXPECT_THAT(errors.read(), Each(0U));
        const words found = out.read();
        for (std::uint32_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(found[i], i / 64 % 2 == 1 ? i / 64 + 1 : 0);
        }
        const device_buffer<std::uint32_t> list(gpu, words(64), "list");
        launch(gpu, "launch_in_order", {{2}, {1}}, list.get(), 20U);
        const words order = list.read();
        ASSERT_EQ(order[0], 40U);
        std::uint32_t next[2] = {0, 0};
        for (std::uint32_t i = 1; i <= 40; ++i) ASSERT_EQ(order[i] % 100, next[order[i] / 100]++);
        const device_buffer<std::uint32_t> depth(gpu, words(32), "depth");
        const device_buffer<std::uint32_t> answers(gpu, words(32), "answers");
        launch(gpu, "descend", {{1}, {32}}, depth.get(), 0U, answers.get());
        EXPECT_EQ(answers.read()[24], 65U);
        EXPECT_EQ(depth.read()[24], 1U);
        EXPECT_EQ(depth.read()[25], 0U);
        expect_nothing_left(dynamic_cast<basic_device&>(gpu));
    });
}

struct fault_case {
    const char* kernel;
    const char* text;
};

class wrong_launch : public testing::TestWithParam<fault_case> {};

TEST_P(wrong_launch, is_a_fault_with_its_place) {
    timed_machine machine(configuration_of("tiny"));
    EXPECT_EQ(machine.run([&](device& gpu) {
        gpu.load(kernels_of("iss_launch"));
        const device_buffer<std::uint32_t> out(gpu, words(64), "out");
        launch(gpu, GetParam().kernel, {{1}, {1}}, out.get());
        gpu.synchronize();
    }),
              error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(), testing::HasSubstr(GetParam().text));
    EXPECT_THAT(machine.status().text(), testing::HasSubstr("launch_kernel.cpp:"));
}

INSTANTIATE_TEST_SUITE_P(
    kernels, wrong_launch,
    testing::Values(fault_case{"launch_twice", "which has been launched already"},
                    fault_case{"write_launched", "read-only once it has been launched"},
                    fault_case{"read_beside", "no parameter buffer of a launch is there"}),
    [](const auto& one) { return std::string(one.param.kernel); });

TEST(device_launch, is_refused_where_it_is_not_enabled) {
    timed_machine machine(configuration_of("gf100"));
    EXPECT_EQ(machine.run([&](device& gpu) {
        gpu.load(kernels_of("device_launch"));
        const device_buffer<std::uint32_t> cycles(gpu, 3, "cycles");
        launch(gpu, "time_calls", {{1}, {32}}, cycles.get(), 1U);
        gpu.synchronize();
    }),
              error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(),
                testing::HasSubstr("launch of kernel 'time_calls': it launches kernels (at PC 0x"));
    EXPECT_EQ(machine.count("gpu.cycles"), 0U) << "refused at the launch";
}

}  // namespace
}  // namespace heddle
