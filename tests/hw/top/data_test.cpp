// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Data are real, end to end: every place where a byte could be lost, late or from another launch
// (docs/contracts.md, "Data"), on every configuration.
#include <gmock/gmock.h>

#include <numeric>

#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::Each;
using testing::ElementsAre;
using words = std::vector<std::uint32_t>;

class data : public testing::TestWithParam<std::string> {
protected:
    /// Runs a host program with the kernels of this test; it must end well.
    void run(const std::function<void(device&)>& program, const settings& changes = {}) {
        configuration = configuration_of(GetParam(), changes);
        machine = std::make_unique<timed_machine>(configuration);
        machine->run_well([&](device& gpu) {
            gpu.load(kernels_of("memory_order"));
            program(gpu);
        });
    }

    gpu_configuration configuration;
    std::unique_ptr<timed_machine> machine;
};

INSTANTIATE_TEST_SUITE_P(on, data,
                         testing::Values("tiny", "g80", "gf100", "gk110", "si", "iris6100"),
                         [](const auto& info) { return info.param; });

TEST_P(data, parameters_of_many_launches_share_buffers) {
    constexpr std::uint32_t count = 150;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> out(gpu, 3 * count, "out");
        for (std::uint32_t i = 0; i < 2 * count; ++i) {  // one buffer, again and again
            launch(gpu, "store_argument", {{1}, {1}}, out.get(), i, 7 * i + 1);
            gpu.synchronize();
        }
        for (std::uint32_t i = 2 * count; i < 3 * count; ++i) {  // many at a time
            launch(gpu, "store_argument", {{1}, {1}}, out.get(), i, 7 * i + 1);
        }
        const words found = out.read();
        for (std::uint32_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], 7 * i + 1) << i;
    });
    EXPECT_EQ(machine->count("kernel.store_argument.launches"), 3 * count);
}

TEST_P(data, a_launch_sees_what_the_host_wrote_before_it) {
    run([&](device& gpu) {
        const unsigned blocks = 2 * gpu.properties().smx_count;  // each L1D has the line
        device_buffer<std::uint32_t> in(gpu, 1, "in");
        const device_buffer<std::uint32_t> out(gpu, 32 * blocks, "out");
        for (const std::uint32_t value : {3, 4, 5}) {
            in.write({value});
            launch(gpu, "spread", {{blocks}, {32}}, in.get(), out.get());
            EXPECT_THAT(out.read(), Each(value));
        }
    });
}

TEST_P(data, a_launch_sees_what_the_one_before_it_wrote) {
    run([&](device& gpu) {
        const unsigned blocks = 2 * gpu.properties().smx_count;
        const device_buffer<std::uint32_t> in(gpu, 1, "in");
        const device_buffer<std::uint32_t> out(gpu, 32 * blocks, "out");
        for (std::uint32_t value = 1; value < 4; ++value) {
            launch(gpu, "store_argument", {{1}, {1}}, in.get(), 0u, value);
            launch(gpu, "spread", {{blocks}, {32}}, in.get(), out.get());
            EXPECT_THAT(out.read(), Each(value));
        }
    });
}

TEST_P(data, ldg_sees_what_the_launch_before_wrote) {
    run([&](device& gpu) {
        const unsigned blocks = 2 * gpu.properties().smx_count;
        const device_buffer<std::uint32_t> in(gpu, 1, "in");
        const device_buffer<std::uint32_t> out(gpu, 32 * blocks, "out");
        for (std::uint32_t value = 1; value < 4; ++value) {
            launch(gpu, "store_argument", {{1}, {1}}, in.get(), 0u, value);
            launch(gpu, "spread_read_only", {{blocks}, {32}}, in.get(), out.get());
            EXPECT_THAT(out.read(), Each(value));
        }
    });
    const bool has_cache = configuration.read_only_cache.size != 0;
    EXPECT_EQ(has_cache, GetParam() == "gk110");
    EXPECT_EQ(machine->count("gpu.read_only_cache_accesses") != 0, has_cache);
}

TEST_P(data, a_launch_sees_the_constants_that_the_host_has_set) {
    run([&](device& gpu) {
        const unsigned blocks = 2 * gpu.properties().smx_count;
        const device_buffer<std::uint32_t> out(gpu, 32 * blocks, "out");
        words constants{1, 2, 3, 4};  // as in the program
        for (unsigned round = 0; round < 3; ++round) {
            launch(gpu, "add_constants", {{blocks}, {32}}, out.get());
            const words found = out.read();
            for (std::uint32_t i = 0; i < found.size(); ++i) {
                ASSERT_EQ(found[i], constants[0] + 100 * constants[i % 4]) << round;
            }
            for (std::uint32_t& each : constants) each += 10;
            write_symbol(gpu, "constants", constants.data(), 4 * constants.size());
        }
        EXPECT_THROW(write_symbol(gpu, "constants", out.read().data(), 20), configuration_error);
        EXPECT_THROW(write_symbol(gpu, "variables", out.read().data(), 4), configuration_error);
    });
}

TEST_P(data, a_plain_load_may_be_stale_and_ldcg_may_not) {
    words found;
    run([&](device& gpu) {
        const device_buffer<std::uint32_t> word(gpu, words{5}, "word");
        const device_buffer<std::uint32_t> flags(gpu, 2, "flags");
        const device_buffer<std::uint32_t> seen(gpu, 4, "seen");
        launch(gpu, "stale_line", {{2}, {32}}, word.get(), flags.get(), seen.get());
        found = seen.read();
    });
    EXPECT_THAT(found, ElementsAre(5, configuration.l1d.cache_global ? 5 : 77, 77, 77));
}

TEST_P(data, fences_publish_what_was_written) {
    run([&](device& gpu) {
        const unsigned blocks = gpu.properties().smx_count;
        const device_buffer<std::uint32_t> values(gpu, 64, "values");
        const device_buffer<std::uint32_t> flags(gpu, 2, "flags");
        const device_buffer<std::uint32_t> old(gpu, 1, "old");
        launch(gpu, "publish", {{blocks}, {64}}, values.get(), flags.get(), old.get(), 12u);
        EXPECT_THAT(old.read(), ElementsAre(0));
    });
}

TEST_P(data, every_thread_gets_its_own_ticket) {
    run([&](device& gpu) {
        constexpr std::uint32_t threads = 40 * 96;
        const device_buffer<std::uint32_t> counter(gpu, 1, "counter");
        const device_buffer<std::uint32_t> taken(gpu, threads, "taken");
        launch(gpu, "tickets", {{40}, {96}}, counter.get(), taken.get());
        EXPECT_THAT(counter.read(), ElementsAre(threads));
        EXPECT_THAT(taken.read(), Each(1));
    });
}

/// What kernel `spills` computes for thread i.
std::uint32_t spilled(std::uint32_t i, unsigned rounds) {
    words values(48);
    std::iota(values.begin(), values.end(), i);
    for (unsigned round = 0; round < rounds; ++round) {
        for (std::uint32_t k = 0; k < values.size(); ++k) {
            values[k] += values[(k + i) % values.size()];
        }
    }
    std::uint32_t sum = 0;
    for (const std::uint32_t value : values) sum = 31 * sum + value;
    return sum;
}

TEST_P(data, private_memory_survives_its_way_through_the_caches) {
    run(
        [&](device& gpu) {
            constexpr unsigned blocks = 6;  // contexts are used again
            const device_buffer<std::uint32_t> out(gpu, 100 * blocks, "out");
            launch(gpu, "spills", {{blocks}, {100}}, out.get(), 2u);
            const words found = out.read();
            for (std::uint32_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], spilled(i, 2));
        },
        {"gpu.smx_count=2", "l1d.size=2048", "l1d.ways=2", "smx.max_blocks=1"});
    std::uint64_t write_backs = 0;
    for (unsigned i = 0; i < configuration.machine.smx_count; ++i) {
        write_backs += machine->count("smx." + std::to_string(i) + ".l1d.write_backs");
    }
    EXPECT_GT(write_backs, 0U);
}

TEST_P(data, more_streams_than_queues_keep_their_order) {
    constexpr unsigned per_stream = 5;
    run([&](device& gpu) {
        const unsigned streams = configuration.kmu.queues + 3;
        const device_buffer<std::uint32_t> out(gpu, streams, "out");
        std::vector<stream_id> ids{stream_id(0)};
        while (ids.size() < streams) ids.push_back(gpu.create_stream());
        for (std::uint32_t k = 1; k <= per_stream; ++k) {
            for (std::uint32_t s = 0; s < streams; ++s) {
                launch(gpu, "append", {{2}, {64}, 0, ids[s]}, out.get(), s, k + s);
            }
        }
        const words found = out.read();
        for (std::uint32_t s = 0; s < streams; ++s) {
            std::uint32_t expected = 0;
            for (std::uint32_t k = 1; k <= per_stream; ++k) expected = 3 * expected + k + s;
            EXPECT_EQ(found[s], expected) << "stream " << s;
        }
    });
}

class l2_sizes : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(bytes, l2_sizes, testing::Values(0U, 2048U, 1U << 20));

TEST_P(l2_sizes, the_host_reads_dirty_lines_wherever_they_are) {
    timed_machine machine(configuration_of("tiny", {"l2.size=" + std::to_string(GetParam())}));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("memory_order"));
        constexpr unsigned blocks = 64;
        device_buffer<std::uint32_t> in(gpu, 1, "in");
        device_buffer<std::uint32_t> out(gpu, 32 * blocks, "out");
        for (const std::uint32_t value : {9, 10}) {
            in.write({value});
            launch(gpu, "spread", {{blocks}, {32}}, in.get(), out.get());
            EXPECT_THAT(out.read(), Each(value));
            // What the host writes into dirty lines stays, too.
            out.write({1, 2, 3});
            const words found = out.read();
            EXPECT_THAT(words(found.begin(), found.begin() + 4), ElementsAre(1, 2, 3, value));
        }
    });
}

TEST(concurrent_kernels, of_two_streams_share_an_smx) {
    // The first waits for the second: serial kernels would never end.
    timed_machine machine(configuration_of("tiny", {"gpu.smx_count=1"}));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_control"));
        const device_buffer<std::uint32_t> flag(gpu, 2, "flag");
        launch_shape shape{{1}, {1}};
        launch(gpu, "wait_for_flag", shape, flag.get());
        shape.stream = gpu.create_stream();
        launch(gpu, "set_flag", shape, flag.get());
        EXPECT_EQ(flag.read()[1], 1U);
    });
}

TEST(concurrent_kernels, of_one_stream_do_not) {
    timed_machine machine(configuration_of("tiny"));
    const error_kind kind = machine.run(
        [](device& gpu) {
            gpu.load(kernels_of("iss_control"));
            const device_buffer<std::uint32_t> flag(gpu, 2, "flag");
            launch(gpu, "wait_for_flag", {{1}, {1}}, flag.get());
            launch(gpu, "set_flag", {{1}, {1}}, flag.get());
            gpu.synchronize();
        },
        30'000);
    EXPECT_EQ(kind, error_kind::no_progress);
    EXPECT_THAT(machine.status().text(), testing::HasSubstr("kernel 'wait_for_flag'"));
}

}  // namespace
}  // namespace heddle
