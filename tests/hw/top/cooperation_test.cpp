// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Cooperative kernels on the whole machine, in lock step with the functional simulator and with
// checked links.
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "models/device/basic_device.h"
#include "tests/hw/top/machine_case.h"

namespace heddle {
namespace {

using testing::Each;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

launch_shape cooperative(std::uint32_t blocks, std::uint32_t threads) {
    launch_shape shape{{blocks}, {threads}};
    shape.cooperative = true;
    return shape;
}

class cooperation : public testing::TestWithParam<machine_case> {
protected:
    cooperation()
        : configuration_(configuration_of(GetParam().configuration, GetParam().changes)) {}

    void run(const std::function<void(device&)>& program) {
        machine_.emplace(configuration_);
        machine_->run_well([&](device& gpu) {
            gpu.load(kernels_of("iss_cooperation"));
            program(gpu);
            EXPECT_EQ(dynamic_cast<basic_device&>(gpu).launches().size(), 0U);
        });
    }
    /// Blocks of 96 threads that fit.
    [[nodiscard]] std::uint32_t places() const {
        const smx_limits& smx = configuration_.machine.smx;
        const std::uint32_t warps =
            (96 + configuration_.machine.warp_size - 1) / configuration_.machine.warp_size;
        const std::uint32_t threads = warps * configuration_.machine.warp_size;
        const std::uint32_t registers = threads * 32;
        return configuration_.machine.smx_count *
               std::min({smx.max_blocks, smx.max_threads / threads, smx.registers / registers});
    }
    [[nodiscard]] bool resizes() const { return configuration_.machine.coop.enabled; }
    static words sums(std::uint32_t n, std::uint32_t rounds) {
        words all;
        for (std::uint32_t r = 0; r < rounds; ++r) all.push_back(n * (n - 1) / 2 + n * (1 + 3 * r));
        return all;
    }

    gpu_configuration configuration_;
    std::optional<timed_machine> machine_;
};

INSTANTIATE_TEST_SUITE_P(
    machines, cooperation,
    testing::Values(
        machine_case{"tiny", "tiny", {}},
        machine_case{"tiny_arrival", "tiny", {"coop.query_barrier=false"}},
        machine_case{"tiny_slow_link", "tiny", {"coop.latency=500"}},
        machine_case{"tiny_fast_link", "tiny", {"coop.latency=1"}},
        machine_case{"tiny_narrow", "tiny", {"gpu.warp_size=8", "smx.max_threads=256"}},
        machine_case{"tiny_cached", "tiny", {"l1d.cache_global=true"}},
        machine_case{
            "tiny_written_back", "tiny", {"l1d.cache_global=true", "l1d.write_policy=back"}},
        machine_case{"tiny_nrec", "tiny", {"smx.formation=nrec"}},
        machine_case{"tiny_dwf", "tiny", {"smx.formation=dwf"}},
        machine_case{"tiny_dwf_shared", "tiny", {"smx.formation=dwf", "dwf.pools=shared"}},
        machine_case{"tiny_mimd", "tiny", {"smx.formation=mimd"}},
        machine_case{"iris6100", "iris6100", {}},
        machine_case{"iris6100_arrival", "iris6100", {"coop.query_barrier=false"}}),
    name_of);

TEST_P(cooperation, starts_with_what_fits) {
    constexpr std::uint32_t rounds = 5;
    run([&](device& gpu) {
        for (const std::uint32_t blocks : {2u, 3u, 500u}) {
            const device_buffer<std::uint32_t> total(gpu, words(rounds), "total");
            const device_buffer<std::uint32_t> groups(gpu, rounds, "groups");
            launch(gpu, "coop_rounds", cooperative(blocks, 96), 1000u, rounds, total.get(),
                   groups.get());
            EXPECT_EQ(total.read(), sums(1000, rounds));
            EXPECT_THAT(groups.read(), Each(groups.read().front()));
            EXPECT_LE(groups.read().front(), blocks);
            EXPECT_GE(groups.read().front(), std::min(blocks, places()));
        }
    });
    EXPECT_EQ(machine_->count("coop.launches"), 3U);
    EXPECT_EQ(machine_->count("coop.barriers"), 15U);
    EXPECT_EQ(machine_->count("coop.kills"), 0U);
}

TEST_P(cooperation, gives_blocks_to_a_launch_that_waits_and_gets_them_back) {
    constexpr std::uint32_t rounds = 60;
    words active;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> total(gpu, words(rounds), "total");
        const device_buffer<std::uint32_t> groups(gpu, rounds, "groups");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "coop_rounds", cooperative(500, 96), 2000u, rounds, total.get(), groups.get());
        launch_shape task{{3}, {64}};
        task.stream = gpu.create_stream();
        launch(gpu, "coop_task", task, done.get());
        EXPECT_EQ(total.read(), sums(2000, rounds));
        EXPECT_THAT(done.read(), Each(3u));
        active = groups.read();
    });
    if (!resizes()) {
        EXPECT_THAT(active, Each(active.front()));
        return;
    }
    EXPECT_LT(*std::min_element(active.begin(), active.end()), active.front());
    EXPECT_EQ(active.back(), active.front());
    EXPECT_EQ(machine_->count("coop.gathers"), 1U);
    EXPECT_EQ(machine_->count("coop.forks"), machine_->count("coop.kills"));
    EXPECT_LE(machine_->count("coop.kills"), 3U) << "the task has three blocks";
}

TEST_P(cooperation, work_that_is_stolen_is_done_once_beside_a_periodic_task) {
    constexpr std::uint32_t n = 1500;
    std::uint32_t tasks = 0;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> next(gpu, words(1), "next");
        const device_buffer<std::uint32_t> visits(gpu, words(n), "visits");
        const device_buffer<std::uint32_t> started(gpu, words(500), "started");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "coop_steal", cooperative(500, 64), n, next.get(), visits.get(), started.get());
        const event_id all = gpu.record(stream_id(0));
        const stream_id stream = gpu.create_stream();
        std::uint64_t time = gpu.wait_until(0);
        while (!gpu.finished(all)) {
            launch_shape task{{5}, {64}};
            task.stream = stream;
            launch(gpu, "coop_task", task, done.get());
            gpu.wait(gpu.record(stream));
            ++tasks;
            const std::uint64_t late = gpu.wait_until(time + 3000);
            EXPECT_GE(late, time + 3000);
            time = late;
        }
        EXPECT_THAT(visits.read(), Each(1u));
        EXPECT_THAT(done.read(), Each(5 * tasks));
    });
    EXPECT_GT(tasks, 0u);
    EXPECT_EQ(machine_->count("coop.kills") > 0, resizes());
    // Blocks of both launches take the same room: none ends that is not needed.
    EXPECT_LE(machine_->count("coop.kills"), 5 * tasks);
}

TEST_P(cooperation, no_more_blocks_end_than_are_wanted) {
    constexpr std::uint32_t n = 1500;
    words starts;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> next(gpu, words(1), "next");
        const device_buffer<std::uint32_t> visits(gpu, words(n), "visits");
        const device_buffer<std::uint32_t> started(gpu, words(500), "started");
        const device_buffer<std::uint32_t> done(gpu, words(1), "done");
        launch(gpu, "coop_steal", cooperative(500, 64), n, next.get(), visits.get(), started.get());
        const event_id all = gpu.record(stream_id(0));
        launch_shape task{{1}, {64}};
        task.stream = gpu.create_stream();
        for (std::uint64_t time = gpu.wait_until(0); !gpu.finished(all);) {
            launch(gpu, "coop_task", task, done.get());
            gpu.wait(gpu.record(task.stream));
            time = gpu.wait_until(time + 3000);
        }
        EXPECT_THAT(visits.read(), Each(1u));
        starts = started.read();
    });
    // The task takes one block's place: the highest one ends, and none below it, also while the
    // answer to the highest is under way.
    starts.resize(places() - 1);
    EXPECT_THAT(starts, Each(1u));
}

TEST_P(cooperation, a_mutex_goes_round_all_active_blocks) {
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> turn(gpu, words(1), "turn");
        const device_buffer<std::uint32_t> count(gpu, words(1), "count");
        launch(gpu, "coop_hand_on", cooperative(500, 32), 2u, turn.get(), count.get());
        EXPECT_EQ(turn.read(), count.read());
        EXPECT_GE(count.read().front(), 2 * places());
    });
}

TEST_P(cooperation, stores_are_seen_behind_the_barrier) {
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> values(gpu, words(500 * 96), "values");
        const device_buffer<std::uint32_t> wrong(gpu, words(1), "wrong");
        launch(gpu, "coop_exchange", cooperative(500, 96), 6u, values.get(), wrong.get());
        EXPECT_THAT(wrong.read(), Each(0u));
    });
}

class cooperation_error : public testing::Test {
protected:
    static std::string error_of(const char* kernel, std::uint32_t blocks, std::uint32_t threads,
                                const settings& changes = {}) {
        settings all{"gpu.watchdog=20000"};
        all.insert(all.end(), changes.begin(), changes.end());
        timed_machine machine(configuration_of("tiny", all));
        EXPECT_NE(machine.run([&](device& gpu) {
            gpu.load(kernels_of("iss_cooperation"));
            const device_buffer<std::uint32_t> out(gpu, words(100 * 96), "out");
            if (std::string(kernel) == "coop_exchange") {
                launch(gpu, kernel, cooperative(blocks, threads), 6u, out.get(), out.get());
            } else {
                launch(gpu, kernel, cooperative(blocks, threads), out.get());
            }
            gpu.synchronize();
        }),
                  error_kind::none);
        return machine.status().text();
    }
};

TEST_F(cooperation_error, divergent_call) {
    EXPECT_THAT(error_of("coop_divergent", 1, 32),
                HasSubstr("divergent coop.offer_kill: 3 of the warp's 32 threads arrive"));
}
TEST_F(cooperation_error, split_call) {
    EXPECT_THAT(error_of("coop_split", 1, 128), HasSubstr("other threads of the block wait at"));
}
TEST_F(cooperation_error, fork_without_thread_0) {
    EXPECT_THAT(error_of("coop_headless", 1, 33), HasSubstr("thread 0 of the block has ended"));
}
TEST_F(cooperation_error, mixed_barriers) {
    EXPECT_THAT(error_of("coop_mixed", 2, 32),
                HasSubstr("blocks wait at the global barrier, others at the resizing one"));
}
TEST_F(cooperation_error, more_blocks_than_places_without_cooperation) {
    EXPECT_THAT(error_of("coop_exchange", 100, 96, {"coop.enabled=false"}),
                HasSubstr("kernel 'coop_exchange': 4 of 100 blocks wait at the global barrier, 96 "
                          "have not started"));
}

}  // namespace
}  // namespace heddle
