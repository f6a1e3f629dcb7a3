// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Launches that take the place of others of lower priority, on the whole machine, in lock step with
// the functional simulator and with checked links.
#include <gmock/gmock.h>

#include <optional>

#include "models/iss/simulator.h"
#include "tests/hw/top/machine_case.h"
#include "tests/hw/top/preempting.h"

namespace heddle {
namespace {

using testing::Each;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

class preempting : public testing::TestWithParam<machine_case> {
protected:
    preempting() {
        settings changes{"kernel_distributor.entries=4"};
        changes.insert(changes.end(), GetParam().changes.begin(), GetParam().changes.end());
        changes.emplace_back("coop.preempt=true");
        changes.emplace_back("kmu.queues=4");  // a stream has a queue of its own
        configuration_ = configuration_of(GetParam().configuration, changes);
        slots_ = configuration_.machine.smx_count * configuration_.machine.smx.max_blocks;
    }

    void run(const std::function<void(device&)>& program) {
        machine_.emplace(configuration_);
        machine_->run_well([&](device& gpu) {
            gpu.load(kernels_of("preemption"));
            program(gpu);
            EXPECT_EQ(dynamic_cast<basic_device&>(gpu).launches().size(), 0U);
        });
    }
    /// Time between two tasks in which all blocks come back, and go on.
    [[nodiscard]] std::uint64_t period() const noexcept { return 700 * std::uint64_t{slots_}; }
    /// What kernel `work` leaves.
    [[nodiscard]] words expected(std::uint32_t blocks, std::uint32_t rounds) const {
        iss::functional_simulator simulator(configuration_.machine);
        simulator.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(simulator, words(blocks * 96), "out");
        launch(simulator, "work", shape_of(blocks, 96), out.get(), rounds);
        return out.read();
    }

    gpu_configuration configuration_;
    std::uint32_t slots_ = 0;
    std::optional<timed_machine> machine_;
};

INSTANTIATE_TEST_SUITE_P(
    machines, preempting,
    testing::Values(machine_case{"tiny", "tiny", {}},
                    machine_case{"tiny_without_launches", "tiny", {"launch.enabled=false"}},
                    machine_case{"tiny_few_entries", "tiny", {"kernel_distributor.entries=3"}},
                    machine_case{"tiny_slow_link", "tiny", {"coop.latency=500"}},
                    machine_case{"tiny_narrow", "tiny", {"gpu.warp_size=8", "smx.max_threads=256"}},
                    machine_case{"tiny_cached", "tiny", {"l1d.cache_global=true"}},
                    machine_case{"tiny_nrec", "tiny", {"smx.formation=nrec"}},
                    machine_case{"tiny_dwf", "tiny", {"smx.formation=dwf"}},
                    machine_case{"tiny_dwf_shared",
                                 "tiny",
                                 {"smx.formation=dwf", "dwf.pools=shared", "dwf.swizzling=rotate"}},
                    machine_case{"tiny_mimd", "tiny", {"smx.formation=mimd"}},
                    machine_case{"gk110", "gk110", {"gpu.smx_count=2"}},
                    machine_case{"iris6100", "iris6100", {}}),
    name_of);

TEST_P(preempting, blocks_come_back_with_all_that_they_had) {
    const std::uint32_t blocks = slots_ + 3;
    constexpr std::uint32_t rounds = 60;
    words out;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> device_out(gpu, words(blocks * 96), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "work", shape_of(blocks, 96), device_out.get(), rounds);
        const std::uint32_t tasks = disturb(gpu, gpu.record(stream_id(0)), period(), slots_, done);
        EXPECT_THAT(done.read(), Each(tasks * slots_));
        out = device_out.read();
    });
    EXPECT_EQ(out, expected(blocks, rounds));
    EXPECT_GE(machine_->count("coop.preempt.launches"), 1U);
    EXPECT_GE(machine_->count("coop.preempt.blocks"), slots_);
    EXPECT_GT(machine_->count("coop.preempt.bytes"), slots_ * 3 * 31 * 32 * 4);
}

/// Blocks wait for blocks that are away: all have to come back.
TEST_P(preempting, blocks_at_a_global_barrier_leave_and_meet_again) {
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> values(gpu, words(500 * 96), "values");
        const device_buffer<std::uint32_t> wrong(gpu, words(1), "wrong");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "meet", shape_of(500, 96, true), 60U, values.get(), wrong.get());
        const std::uint32_t tasks = disturb(gpu, gpu.record(stream_id(0)), period(), slots_, done);
        EXPECT_THAT(done.read(), Each(tasks * slots_));
        EXPECT_THAT(wrong.read(), Each(0U));
    });
    EXPECT_GE(machine_->count("coop.preempt.launches"), 1U);
    EXPECT_EQ(machine_->count("coop.kills"), 0U);
}

/// Most blocks of the other one have not been distributed when the task comes.
/// Memory has no room for what blocks have: they go on where they are, and the task waits.
TEST_P(preempting, blocks_without_a_place_in_memory_stay) {
    run([&](device& gpu) {
        device_runtime& runtime = dynamic_cast<basic_device&>(gpu).runtime();
        for (std::uint32_t sm = 0; sm < configuration_.machine.smx_count; ++sm) {
            save_areas& areas = runtime.saved_states();
            while (areas.allocate(sm_id(sm), 1U << 16, 0) != 0) continue;
            while (areas.allocate(sm_id(sm), 1024, 0) != 0) continue;
        }
        const device_buffer<std::uint32_t> values(gpu, words(slots_ * 64), "values");
        const device_buffer<std::uint32_t> wrong(gpu, words(1), "wrong");
        const device_buffer<std::uint32_t> out(gpu, words(2 * slots_ * 96), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "meet", shape_of(slots_, 64, true), 10U, values.get(), wrong.get());
        EXPECT_GT(disturb(gpu, gpu.record(stream_id(0)), 500, 1, done), 0U);
        EXPECT_THAT(wrong.read(), Each(0U));
        launch(gpu, "work", shape_of(2 * slots_, 96), out.get(), 20U);
        EXPECT_GT(disturb(gpu, gpu.record(stream_id(0)), 500, 1, done), 0U);
        EXPECT_EQ(out.read(), expected(2 * slots_, 20));
    });
}

TEST_P(preempting, a_launch_of_higher_priority_does_not_wait_for_one_that_is_being_distributed) {
    const std::uint32_t blocks = 3 * slots_;
    words out;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> device_out(gpu, words(blocks * 96), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "work", shape_of(blocks, 96), device_out.get(), 15U);
        const event_id end = gpu.record(stream_id(0));
        (void)gpu.wait_until(3000);
        launch_shape shape = shape_of(slots_ + 1, 64);
        shape.priority = 1;
        shape.stream = gpu.create_stream();
        launch(gpu, "task", shape, done.get(), 20U);
        gpu.wait(gpu.record(shape.stream));
        EXPECT_FALSE(gpu.finished(end));
        EXPECT_THAT(done.read(), Each(slots_ + 1));
        out = device_out.read();
    });
    EXPECT_EQ(out, expected(blocks, 15));
    EXPECT_EQ(machine_->count("coop.preempt.launches"), 1U);
}

TEST_P(preempting, launches_of_the_same_priority_wait) {
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> out(gpu, words(slots_ * 96), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "work", shape_of(slots_, 96), out.get(), 20U);
        launch_shape shape = shape_of(slots_, 64);
        shape.stream = gpu.create_stream();
        launch(gpu, "task", shape, done.get(), 20U);
        EXPECT_THAT(done.read(), Each(slots_));
    });
    EXPECT_EQ(machine_->count("coop.preempt.launches"), 0U);
}

/// Each takes the place of the one before it.
TEST_P(preempting, three_priorities_nest) {
    std::array<words, 3> outs;
    run([&](device& gpu) {
        std::vector<device_buffer<std::uint32_t>> buffers;
        std::vector<event_id> ends;
        for (unsigned i = 0; i < 3; ++i) buffers.emplace_back(gpu, words(slots_ * 96), "out");
        for (std::uint32_t priority = 0; priority < 3; ++priority) {
            launch_shape shape = shape_of(slots_, 96);
            shape.priority = priority;
            shape.stream = gpu.create_stream();
            launch(gpu, "work", shape, buffers[priority].get(), 30U);
            ends.push_back(gpu.record(shape.stream));
            (void)gpu.wait_until(gpu.wait_until(0) + 300 * slots_);
        }
        gpu.wait(ends[2]);
        EXPECT_FALSE(gpu.finished(ends[1]));
        gpu.wait(ends[1]);
        EXPECT_FALSE(gpu.finished(ends[0]));
        for (std::size_t i = 0; i < 3; ++i) outs[i] = buffers[i].read();
    });
    const words right = expected(slots_, 30);
    for (const words& out : outs) EXPECT_EQ(out, right);
    EXPECT_GE(machine_->count("coop.preempt.launches"), 2U);
}

class preempting_transactions : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(formations, preempting_transactions,
                         testing::Values("pdom", "nrec", "dwf", "mimd"));

TEST_P(preempting_transactions, commit_first) {
    timed_machine machine(
        configuration_of("tiny", {"coop.preempt=true", "tm.enabled=true", "smx.max_blocks=2",
                                  std::string("smx.formation=") + GetParam()}));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(gpu, words(4 * 64), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "count_in_transactions", shape_of(4, 64), out.get(), 6U);
        const event_id end = gpu.record(stream_id(0));
        (void)disturb(gpu, end, 6000, 4, done);
        EXPECT_THAT(out.read(), Each(6 * 64));
    });
    EXPECT_GE(machine.count("coop.preempt.launches"), 2U);
}

/// What few kernels use: rounding modes other than the first, shared bytes behind the last word.
TEST(preemption, keeps_rounding_modes_and_the_last_shared_bytes) {
    timed_machine machine(configuration_of("tiny", {"coop.preempt=true"}));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> wrong(gpu, words(2), "wrong");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "rarely_used", shape_of(16, 96), wrong.get(), 200U);
        (void)disturb(gpu, gpu.record(stream_id(0)), 6000, 16, done);
        EXPECT_THAT(wrong.read(), Each(0U)) << "rounding modes, shared bytes";
    });
    EXPECT_GE(machine.count("coop.preempt.blocks"), 16U);
}

/// Blocks whose children run leave as if to wait for them, wherever they are.
TEST(preemption, of_parents) {
    // With an entry for each child the task comes while their parents still run.
    timed_machine machine(
        configuration_of("tiny", {"coop.preempt=true", "kernel_distributor.entries=32"}));
    machine.run_well([&](device& gpu) {
        constexpr std::uint32_t blocks = 20;
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(gpu, words(blocks * 64), "out");
        const device_buffer<std::uint32_t> counts(gpu, words(2 * blocks), "counts");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "parent", shape_of(blocks, 64), out.get(), counts.get(), 100U);
        const event_id end = gpu.record(stream_id(0));
        // The task runs on one SMX: blocks do not come back to where they were.
        (void)disturb(gpu, end, 3000, 1, done);
        EXPECT_THAT(out.read(), Each(64U));
    });
    EXPECT_GE(machine.count("coop.preempt.launches"), 2U);
}

/// They are told to make room while their state is on its way to memory: they come back when their
/// children have ended all the same, not as soon as there is room.
TEST(preemption, of_parents_that_leave_already) {
    timed_machine machine(
        configuration_of("tiny", {"coop.preempt=true", "kernel_distributor.entries=32"}));
    machine.run_well([&](device& gpu) {
        constexpr std::uint32_t blocks = 4;
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(gpu, words(blocks * 64), "out");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch_shape task = shape_of(4, 64);
        task.priority = 1;
        task.stream = gpu.create_stream();
        for (std::uint64_t delay = 200; delay < 1400; delay += 20) {
            const device_buffer<std::uint32_t> counts(gpu, words(2 * blocks), "counts");
            const std::uint64_t start = gpu.wait_until(0);
            launch(gpu, "parent", shape_of(blocks, 64), out.get(), counts.get(), 10U);
            (void)gpu.wait_until(start + delay);
            launch(gpu, "task", task, done.get(), 20U);
            gpu.synchronize();
            ASSERT_THAT(out.read(), Each(64U)) << delay;
        }
    });
    EXPECT_GE(machine.count("coop.preempt.launches"), 5U);
}

/// L1D of the other SMX may have words that the block has replaced since.
TEST(preemption, a_block_that_comes_back_sees_what_it_has_stored) {
    timed_machine machine(configuration_of("tiny", {"coop.preempt=true", "l1d.cache_global=true"}));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> values(gpu, words(4 * 32), "values");
        const device_buffer<std::uint32_t> wrong(gpu, words(1), "wrong");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "own_words", shape_of(4, 32), values.get(), wrong.get(), 100U);
        // The task runs on one SMX; nobody makes the other one forget its lines.
        (void)disturb(gpu, gpu.record(stream_id(0)), 2000, 1, done);
        EXPECT_THAT(wrong.read(), Each(0U));
    });
    EXPECT_GE(machine.count("coop.preempt.launches"), 4U);
}

/// Else they would wait for the blocks that have made room for the parent.
TEST(preemption, children_have_the_priority_of_their_parent) {
    timed_machine machine(configuration_of("tiny", {"coop.preempt=true"}));
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(gpu, words(16 * 96), "out");
        const device_buffer<std::uint32_t> results(gpu, words(6 * 64), "results");
        const device_buffer<std::uint32_t> counts(gpu, words(12), "counts");
        launch(gpu, "work", shape_of(16, 96), out.get(), 60U);
        const event_id end = gpu.record(stream_id(0));
        (void)gpu.wait_until(3000);
        launch_shape shape = shape_of(6, 64);
        shape.priority = 1;
        shape.stream = gpu.create_stream();
        launch(gpu, "parent", shape, results.get(), counts.get(), 30U);
        gpu.wait(gpu.record(shape.stream));
        EXPECT_FALSE(gpu.finished(end));
        EXPECT_THAT(results.read(), Each(64U));
    });
    EXPECT_GE(machine.count("coop.preempt.launches"), 1U);
}

/// A launch that waits for one of lower priority, whose blocks it keeps away.
TEST(preemption, is_part_of_the_report_of_a_run_that_gets_nowhere) {
    timed_machine machine(configuration_of("tiny", {"coop.preempt=true", "gpu.watchdog=20000"}));
    EXPECT_EQ(machine.run([&](device& gpu) {
        gpu.load(kernels_of("preemption"));
        const device_buffer<std::uint32_t> out(gpu, words(16 * 96), "out");
        launch(gpu, "work", shape_of(16, 96), out.get(), 1000U);
        (void)gpu.wait_until(1000);
        launch_shape shape = shape_of(16, 64);
        shape.priority = 1;
        shape.stream = gpu.create_stream();
        launch(gpu, "wait_for_word", shape, out.get());
        gpu.synchronize();
    }),
              error_kind::no_progress);
    EXPECT_THAT(machine.status().text(), HasSubstr("preempted blocks to come back"));
}

}  // namespace
}  // namespace heddle
