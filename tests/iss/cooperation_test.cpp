// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <tuple>

#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::Each;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

launch_shape cooperative(std::uint32_t blocks, std::uint32_t threads) {
    launch_shape shape{{blocks}, {threads}};
    shape.cooperative = true;
    return shape;
}

/// By warp size, and whether resizing barriers ask.
class iss_cooperation : public testing::TestWithParam<std::tuple<unsigned, bool>> {
protected:
    machine_configuration machine() {
        machine_configuration machine = small_machine(std::get<0>(GetParam()));
        machine.iss.quantum = 16;
        machine.coop.query_barrier = std::get<1>(GetParam());
        return machine;
    }
    static words sums(std::uint32_t n, std::uint32_t rounds) {
        words all;
        for (std::uint32_t r = 0; r < rounds; ++r) all.push_back(n * (n - 1) / 2 + n * (1 + 3 * r));
        return all;
    }

    std::unique_ptr<functional_simulator> gpu = make_simulator("iss_cooperation", machine());
};
INSTANTIATE_TEST_SUITE_P(warps_of, iss_cooperation,
                         testing::Combine(testing::Values(8u, 32u, 64u), testing::Bool()));

TEST_P(iss_cooperation, starts_with_what_fits) {
    constexpr std::uint32_t rounds = 5;
    for (const std::uint32_t blocks : {1u, 3u, 4u, 9u}) {
        const device_buffer<std::uint32_t> total(*gpu, words(rounds), "total");
        const device_buffer<std::uint32_t> groups(*gpu, rounds, "groups");
        launch(*gpu, "coop_rounds", cooperative(blocks, 96), 1000u, rounds, total.get(),
               groups.get());
        EXPECT_EQ(total.read(), sums(1000, rounds));
        EXPECT_THAT(groups.read(), Each(std::min(blocks, 4u)));  // 2 SMXs of 2 blocks
    }
}

TEST_P(iss_cooperation, gives_blocks_to_a_launch_that_waits_and_gets_them_back) {
    constexpr std::uint32_t rounds = 40;
    const device_buffer<std::uint32_t> total(*gpu, words(rounds), "total");
    const device_buffer<std::uint32_t> groups(*gpu, rounds, "groups");
    const device_buffer<std::uint32_t> done(*gpu, words(1), "done");
    launch(*gpu, "coop_rounds", cooperative(9, 96), 1000u, rounds, total.get(), groups.get());
    launch_shape task{{3}, {64}};
    task.stream = gpu->create_stream();
    launch(*gpu, "coop_task", task, done.get());
    EXPECT_EQ(total.read(), sums(1000, rounds));
    EXPECT_THAT(done.read(), Each(3u));
    const words active = groups.read();
    EXPECT_EQ(active.front(), 4u);
    EXPECT_LT(*std::min_element(active.begin(), active.end()), 4u);
    EXPECT_EQ(active.back(), 4u);
    EXPECT_EQ(gpu->launches().size(), 0u);
}

TEST_P(iss_cooperation, query_gives_all_blocks_at_once) {
    constexpr std::uint32_t rounds = 40;
    const device_buffer<std::uint32_t> total(*gpu, words(rounds), "total");
    const device_buffer<std::uint32_t> groups(*gpu, rounds, "groups");
    const device_buffer<std::uint32_t> done(*gpu, words(1), "done");
    launch(*gpu, "coop_rounds", cooperative(4, 96), 1000u, rounds, total.get(), groups.get());
    launch_shape task{{8}, {64}};
    task.stream = gpu->create_stream();
    launch(*gpu, "coop_task", task, done.get());
    const words active = groups.read();
    const auto shrunk = std::find_if(active.begin(), active.end(), [](auto m) { return m < 4; });
    ASSERT_NE(shrunk, active.end());
    if (std::get<1>(GetParam())) {
        EXPECT_EQ(*shrunk, 1u);
    } else {
        EXPECT_GE(*shrunk, 1u);
    }
}

/// Of two kernels that offer a block in the same round, for a launch that needs one.
TEST_P(iss_cooperation, a_block_that_has_been_given_is_not_wanted_again) {
    struct workload {
        device_buffer<std::uint32_t> next, visits, started;
    };
    std::vector<workload> both;
    while (both.size() < 2) {
        both.push_back(
            {{*gpu, words(1), "next"}, {*gpu, words(500), "visits"}, {*gpu, words(2), "started"}});
    }
    const device_buffer<std::uint32_t> done(*gpu, words(1), "done");
    for (const workload& each : both) {
        launch_shape shape = cooperative(2, 64);
        shape.stream = gpu->create_stream();
        launch(*gpu, "coop_steal", shape, 500u, each.next.get(), each.visits.get(),
               each.started.get());
    }
    launch_shape task{{1}, {64}};
    task.stream = gpu->create_stream();
    launch(*gpu, "coop_task", task, done.get());
    EXPECT_THAT(done.read(), Each(1u));
    gpu->synchronize();
    for (const workload& each : both) EXPECT_THAT(each.visits.read(), Each(1u));
    EXPECT_EQ(both[0].started.read(), (words{1, 2})) << "gives a block and gets it back";
    EXPECT_EQ(both[1].started.read(), (words{1, 1}));
}

TEST_P(iss_cooperation, work_that_is_stolen_is_done_once) {
    constexpr std::uint32_t n = 3000;
    const device_buffer<std::uint32_t> next(*gpu, words(1), "next");
    const device_buffer<std::uint32_t> visits(*gpu, words(n), "visits");
    const device_buffer<std::uint32_t> started(*gpu, words(9), "started");
    const device_buffer<std::uint32_t> done(*gpu, words(1), "done");
    launch(*gpu, "coop_steal", cooperative(9, 64), n, next.get(), visits.get(), started.get());
    std::uint64_t time = 0;
    const stream_id stream = gpu->create_stream();
    const event_id all = gpu->record(stream_id(0));
    std::uint32_t tasks = 0;
    while (!gpu->finished(all)) {
        launch_shape task{{2}, {64}};
        task.stream = stream;
        launch(*gpu, "coop_task", task, done.get());
        gpu->wait(gpu->record(stream));
        ++tasks;
        time = gpu->wait_until(time + 4000);
    }
    EXPECT_GT(tasks, 3u);
    EXPECT_THAT(visits.read(), Each(1u));
    EXPECT_THAT(done.read(), Each(2 * tasks));
    const words starts = started.read();
    EXPECT_EQ(starts[0], 1u);
    EXPECT_GT(starts[3], 1u);
}

TEST_P(iss_cooperation, a_mutex_goes_round_all_active_blocks) {
    const device_buffer<std::uint32_t> turn(*gpu, words(1), "turn");
    const device_buffer<std::uint32_t> count(*gpu, words(1), "count");
    launch(*gpu, "coop_hand_on", cooperative(50, 32), 20u, turn.get(), count.get());
    EXPECT_THAT(count.read(), Each(80u));
}

TEST_P(iss_cooperation, stores_are_seen_behind_the_barrier) {
    const device_buffer<std::uint32_t> values(*gpu, words(9 * 96), "values");
    const device_buffer<std::uint32_t> wrong(*gpu, words(1), "wrong");
    launch(*gpu, "coop_exchange", cooperative(9, 96), 20u, values.get(), wrong.get());
    EXPECT_THAT(wrong.read(), Each(0u));
}

TEST_P(iss_cooperation, a_wait_for_an_event_leaves_other_streams_alone) {
    const device_buffer<std::uint32_t> total(*gpu, words(400), "total");
    const device_buffer<std::uint32_t> groups(*gpu, 400, "groups");
    const device_buffer<std::uint32_t> done(*gpu, words(1), "done");
    launch(*gpu, "coop_rounds", cooperative(9, 96), 1000u, 400u, total.get(), groups.get());
    const event_id rounds = gpu->record(stream_id(0));
    launch_shape task{{3}, {64}};
    task.stream = gpu->create_stream();
    launch(*gpu, "coop_task", task, done.get());
    gpu->wait(gpu->record(task.stream));
    EXPECT_FALSE(gpu->finished(rounds));
    gpu->wait(rounds);
    EXPECT_TRUE(gpu->finished(rounds));
}

TEST_P(iss_cooperation, a_higher_priority_goes_first) {
    const device_buffer<std::uint32_t> done(*gpu, words(3), "done");
    const device_buffer<std::uint32_t> late(*gpu, words(1), "late");
    // One stream each, so that all may run.
    launch_shape low{{200}, {64}};
    low.stream = gpu->create_stream();
    launch_shape high{{200}, {64}};
    high.stream = gpu->create_stream();
    high.priority = 1;
    launch(*gpu, "coop_task", low, late.get());
    launch(*gpu, "coop_task", high, done.get());
    const event_id first = gpu->record(high.stream);
    const event_id second = gpu->record(low.stream);
    gpu->wait(first);
    EXPECT_FALSE(gpu->finished(second));
    gpu->synchronize();
}

class iss_cooperation_fault : public testing::Test {
protected:
    run_error fault_of(const char* kernel, std::uint32_t blocks, std::uint32_t threads,
                       bool is_cooperative = true, bool enabled = true) {
        machine_configuration machine = small_machine();
        machine.coop.enabled = enabled;
        const auto gpu = make_simulator("iss_cooperation", machine);
        const device_buffer<std::uint32_t> out(*gpu, 256, "out");
        launch_shape shape = cooperative(blocks, threads);
        shape.cooperative = is_cooperative;
        return error_of([&] {
            launch(*gpu, kernel, shape, out.get());
            gpu->synchronize();
        });
    }
};

TEST_F(iss_cooperation_fault, names_what_is_wrong) {
    EXPECT_THAT(fault_of("coop_divergent", 1, 32).what(),
                HasSubstr("divergent coop.offer_kill: 3 of the warp's 32 threads arrive"));
    EXPECT_THAT(fault_of("coop_split", 1, 128).what(), HasSubstr("divergent "));
    EXPECT_THAT(fault_of("coop_headless", 1, 33).what(),
                HasSubstr("thread 0 of the block has ended"));
    EXPECT_THAT(fault_of("coop_mixed", 2, 32).what(),
                HasSubstr("blocks wait at the global barrier, others at the resizing one"));
    EXPECT_THAT(fault_of("coop_divergent", 1, 32, false).what(),
                HasSubstr("the launch is not a cooperative one"));
}

TEST_F(iss_cooperation_fault, more_blocks_than_places_wait_for_ever_without_cooperation) {
    machine_configuration machine = small_machine();
    machine.coop.enabled = false;
    const auto gpu = make_simulator("iss_cooperation", machine);
    const device_buffer<std::uint32_t> values(*gpu, words(9 * 96), "values");
    const device_buffer<std::uint32_t> wrong(*gpu, words(1), "wrong");
    launch(*gpu, "coop_exchange", cooperative(4, 96), 20u, values.get(), wrong.get());
    EXPECT_THAT(wrong.read(), Each(0u));
    launch(*gpu, "coop_exchange", cooperative(9, 96), 20u, values.get(), wrong.get());
    const run_error stuck = error_of([&] { gpu->synchronize(); });
    EXPECT_EQ(stuck.kind(), error_kind::no_progress);
    EXPECT_THAT(stuck.what(), HasSubstr("4 of 9 blocks wait at the global barrier, 5 have not "
                                        "started because the others hold their places"));
}

}  // namespace
}  // namespace heddle::iss
