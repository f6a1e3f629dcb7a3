// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Blocks that wait for their children on the whole machine, in lock step with the functional
// simulator and with checked links, and equal to it.
#include <gmock/gmock.h>

#include <algorithm>

#include "models/iss/simulator.h"
#include "tests/hw/top/machine_case.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

class suspended_block : public testing::TestWithParam<machine_case> {
protected:
    suspended_block()
        : configuration_(configuration_of(GetParam().configuration, GetParam().changes)) {}

    /// `program` gives results. They are equal on machine and functional simulator, and nothing is
    /// left on the machine.
    words run_on_both(const std::function<words(device&)>& program) {
        machine_.emplace(configuration_);
        words timed;
        machine_->run_well([&](device& gpu) {
            gpu.load(kernels_of("suspended_block"));
            timed = program(gpu);
            auto& base = dynamic_cast<basic_device&>(gpu);
            EXPECT_EQ(base.launches().size(), 0U);
            EXPECT_EQ(base.runtime().pool().used_bytes(), 0U);
        });
        iss::functional_simulator simulator(configuration_.machine);
        simulator.load(kernels_of("suspended_block"));
        EXPECT_EQ(timed, program(simulator));
        return timed;
    }

    /// Launches of so many blocks at once, all of which meet after their children, in two rounds.
    void meet(const words& launches, std::uint32_t groups = 0) {
        for (const words& out : meeting_results(launches, groups)) {
            const auto n = static_cast<std::uint32_t>(out.size());
            EXPECT_THAT(out, testing::Each(32 * n + 64 * n));
        }
    }
    std::vector<words> meeting_results(const words& launches, std::uint32_t groups) {
        std::vector<words> results;
        const words all = run_on_both([&](device& gpu) {
            std::vector<device_buffer<std::uint32_t>> counts;
            std::vector<device_buffer<std::uint32_t>> outs;
            for (const std::uint32_t n : launches) {
                counts.emplace_back(gpu, words(2 * n), "counts");
                outs.emplace_back(gpu, words(n), "out");
                launch_shape shape{{n}, {32}};
                shape.cooperative = true;
                shape.stream = gpu.create_stream();
                shape.priority = static_cast<std::uint32_t>(outs.size() % 2);
                launch(gpu, "meet_after_children", shape, 2U, n, groups, counts.back().get(),
                       outs.back().get());
            }
            words joined;
            results.clear();
            for (const auto& out : outs) {
                results.push_back(out.read());
                joined.insert(joined.end(), results.back().begin(), results.back().end());
            }
            return joined;
        });
        return results;
    }

    gpu_configuration configuration_;
    std::optional<timed_machine> machine_;
};

/// Cooperative blocks that wait for their children, on machines with few and many entries.
class meeting_blocks : public suspended_block {
protected:
    /// As many as there are places.
    [[nodiscard]] std::uint32_t places() const {
        const smx_limits& smx = configuration_.machine.smx;
        return configuration_.machine.smx_count *
               std::min(smx.max_blocks, smx.max_threads / configuration_.machine.warp_size);
    }
};

INSTANTIATE_TEST_SUITE_P(
    machines, meeting_blocks,
    testing::Values(
        machine_case{"tiny", "tiny", {}}, machine_case{"tiny_eight", "tiny", {"smx.max_blocks=8"}},
        machine_case{"tiny_three_entries",
                     "tiny",
                     {"kernel_distributor.entries=3", "kmu.queues=4", "smx.max_blocks=6"}},
        machine_case{"tiny_alone", "tiny", {"coop.enabled=false", "smx.max_blocks=8"}},
        machine_case{"tiny_dwf", "tiny", {"smx.formation=dwf", "smx.max_blocks=4"}},
        machine_case{"tiny_mimd", "tiny", {"smx.formation=mimd", "smx.max_blocks=4"}},
        machine_case{"tiny_dwf_preempting",
                     "tiny",
                     {"coop.preempt=true", "smx.max_blocks=4", "smx.formation=dwf"}},
        machine_case{"tiny_preempting", "tiny", {"coop.preempt=true", "smx.max_blocks=4"}},
        machine_case{"tiny_arrival", "tiny", {"coop.query_barrier=false", "smx.max_blocks=4"}},
        machine_case{"gk110", "gk110", {"launch.ideal=true"}},
        machine_case{"gk110_alone", "gk110", {"launch.ideal=true", "coop.enabled=false"}},
        machine_case{"gk110_preempting", "gk110", {"launch.ideal=true", "coop.preempt=true"}}),
    name_of);

/// Each block that comes back stands at the global barrier until the last one has come back, and
/// there are more of them than entries of the kernel distributor.
TEST_P(meeting_blocks, come_back_where_one_more_than_entries_wait) {
    const std::uint32_t blocks = std::min(places(), 33U);
    meet({blocks});
    EXPECT_GE(machine_->count("launch.suspended.blocks"), blocks);
}

TEST_P(meeting_blocks, come_back_where_many_more_than_entries_wait) {
    const std::uint32_t blocks = std::min(places(), 70U);
    meet({blocks});
    EXPECT_GE(machine_->count("launch.suspended.blocks"), blocks);
}

TEST_P(meeting_blocks, wait_for_groups) {
    meet({std::min(places(), 40U)}, 1);
}

TEST_P(meeting_blocks, of_several_launches_meet_beside_each_other) {
    const std::uint32_t third = std::min(places() / 3, 40U);
    meet({third, third, third});
}

/// Together they want more room than there is.
TEST_P(meeting_blocks, of_launches_that_do_not_fit_together_meet_all_the_same) {
    if (!configuration_.machine.coop.enabled) return;
    const std::uint32_t most = std::min(places(), 40U);
    meet({most, most, most});
}

INSTANTIATE_TEST_SUITE_P(
    machines, suspended_block,
    testing::Values(machine_case{"tiny", "tiny", {}},
                    machine_case{"tiny_one_entry", "tiny", {"kernel_distributor.entries=1"}},
                    machine_case{"tiny_ideal", "tiny", {"launch.ideal=true"}},
                    machine_case{"tiny_narrow", "tiny", {"gpu.warp_size=8", "smx.max_threads=256"}},
                    machine_case{"tiny_nrec", "tiny", {"smx.formation=nrec"}},
                    machine_case{"tiny_dwf", "tiny", {"smx.formation=dwf"}},
                    machine_case{"tiny_dwf_shared",
                                 "tiny",
                                 {"smx.formation=dwf", "dwf.pools=shared", "dwf.swizzling=rotate"}},
                    machine_case{"tiny_mimd", "tiny", {"smx.formation=mimd"}},
                    machine_case{"gk110_dwf", "gk110", {"smx.formation=dwf"}},
                    machine_case{"gk110", "gk110", {}},
                    machine_case{"tiny_written_back",
                                 "tiny",
                                 {"l1d.cache_global=true", "l1d.write_policy=back"}},
                    machine_case{"gk110_ideal", "gk110", {"launch.ideal=true"}}),
    name_of);

/// More parents than the machine has block slots: without suspension no child would ever run.
TEST_P(suspended_block, parents_in_all_slots_make_room_for_their_children) {
    const std::uint32_t slots =
        configuration_.machine.smx_count * configuration_.machine.smx.max_blocks;
    constexpr std::uint32_t fan = 3;
    const words sums = run_on_both([&](device& gpu) {
        const device_buffer<std::uint32_t> device_sums(gpu, words(3), "sums");
        launch(gpu, "wait_for_tree", {{slots + 5}, {64}}, device_sums.get(), 2U, fan);
        return device_sums.read();
    });
    EXPECT_EQ(sums, (words{(slots + 5) * fan * fan, (slots + 5) * fan, slots + 5}));
    EXPECT_GE(machine_->count("launch.suspended.blocks"), slots);
    EXPECT_GE(machine_->count("launch.suspended.peak"), 1U);
    EXPECT_GT(machine_->count("launch.suspended.bytes"), slots * 2 * 31 * 32 * 4);
}

TEST_P(suspended_block, waits_nest_to_the_limit_of_depth) {
    const words counts = run_on_both([](device& gpu) {
        const device_buffer<std::uint32_t> device_counts(gpu, words(32), "counts");
        const device_buffer<std::uint32_t> errors(gpu, words(32), "errors");
        launch(gpu, "wait_for_chain", {{1}, {40}}, device_counts.get(), 0U, errors.get());
        EXPECT_EQ(errors.read()[23], 0U);
        EXPECT_EQ(errors.read()[24], 65U);
        return device_counts.read();
    });
    for (std::uint32_t level = 0; level <= 24; ++level) EXPECT_EQ(counts[level], 25 - level);
    EXPECT_EQ(machine_->count("launch.suspended.peak"), 24U);
}

TEST_P(suspended_block, a_wait_without_launches_ends_at_once) {
    const words out = run_on_both([](device& gpu) {
        const device_buffer<std::uint32_t> device_out(gpu, words(128), "out");
        launch(gpu, "wait_for_nothing", {{2}, {64}}, device_out.get());
        return device_out.read();
    });
    for (std::uint32_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i % 64);
    EXPECT_EQ(machine_->collected().find("launch.suspended.blocks"), nullptr);
}

TEST_P(suspended_block, comes_back_with_all_that_it_had) {
    constexpr std::uint32_t blocks = 40;
    const words out = run_on_both([](device& gpu) {
        const device_buffer<std::uint32_t> device_out(gpu, words(blocks * 160), "out");
        const device_buffer<std::uint32_t> counts(gpu, words(2 * blocks), "counts");
        launch(gpu, "keep_state", {{blocks}, {160}}, device_out.get(), counts.get());
        for (std::uint32_t b = 0; b < blocks; ++b) EXPECT_EQ(counts.read()[2 * b], 96U);
        return device_out.read();
    });
    EXPECT_EQ(out[3], 0U);
    EXPECT_NE(out[0], 0U);
    EXPECT_GE(machine_->count("launch.suspended.blocks"), blocks / 2);
}

TEST_P(suspended_block, may_wait_again_for_groups) {
    constexpr std::uint32_t blocks = 20;
    const words out = run_on_both([](device& gpu) {
        const device_buffer<std::uint32_t> device_out(gpu, words(blocks * 32), "out");
        const device_buffer<std::uint32_t> counts(gpu, words(2 * blocks), "counts");
        launch(gpu, "wait_twice", {{blocks}, {32}}, device_out.get(), counts.get());
        return device_out.read();
    });
    EXPECT_THAT(out, testing::Each(64'192U));
    EXPECT_GT(machine_->count("launch.suspended.blocks"), blocks);
}

TEST_P(suspended_block, waits_for_what_its_groups_have_launched) {
    const words out = run_on_both([](device& gpu) {
        const device_buffer<std::uint32_t> device_out(gpu, words(10 * 8), "out");
        const device_buffer<std::uint32_t> counts(gpu, words(20), "counts");
        launch(gpu, "wait_for_grandchildren", {{10}, {8}}, device_out.get(), counts.get());
        return device_out.read();
    });
    EXPECT_THAT(out, testing::Each(96U));
}

TEST(suspended_blocks, leave_the_place_of_a_fault_in_their_child) {
    timed_machine machine(configuration_of("tiny"));
    EXPECT_EQ(machine.run([](device& gpu) {
        gpu.load(kernels_of("suspended_block"));
        const device_buffer<std::uint32_t> out(gpu, words(64), "out");
        launch(gpu, "wait_for_fault", {{1}, {64}}, out.get());
        gpu.synchronize();
    }),
              error_kind::kernel_fault);
    EXPECT_THAT(machine.status().text(),
                AllOf(HasSubstr("store_to_nowhere"), HasSubstr("suspended_block_kernel.cpp:")));
}

TEST(suspended_blocks, are_part_of_the_report_of_a_run_that_gets_nowhere) {
    timed_machine machine(configuration_of("tiny", {"gpu.watchdog=20000"}));
    EXPECT_EQ(machine.run([](device& gpu) {
        gpu.load(kernels_of("suspended_block"));
        const device_buffer<std::uint32_t> out(gpu, words(64), "out");
        launch(gpu, "wait_for_ever", {{1}, {64}}, out.get());
        gpu.synchronize();
    }),
              error_kind::no_progress);
    EXPECT_THAT(machine.status().text(), HasSubstr("1 blocks suspended"));
}

}  // namespace
}  // namespace heddle
