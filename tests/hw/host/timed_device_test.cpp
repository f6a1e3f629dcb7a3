// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The device interface on the timed machine: wrong use has the functional simulator's words.
#include <gmock/gmock.h>

#include "models/iss/simulator.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Does everything wrong that a host program can, and returns what it is told each time.
std::vector<std::string> mistakes(device& gpu) {
    std::vector<std::string> told;
    const auto try_it = [&](const std::function<void()>& mistake) {
        try {
            mistake();
            told.emplace_back("nothing");
        } catch (const configuration_error& error) {
            told.emplace_back(error.what());
        } catch (const run_error& error) {
            told.emplace_back(std::string("not a mistake of use: ") + error.what());
        }
    };
    std::uint32_t word = 0;
    try_it([&] { (void)gpu.image(); });
    try_it([&] { launch(gpu, "set_flag", {{1}, {1}}, device_ptr<std::uint32_t>{}); });
    gpu.load(kernels_of("iss_control"));
    try_it([&] { gpu.load(kernels_of("iss_control")); });
    const device_address buffer = gpu.allocate(100, "buffer");
    try_it([&] { gpu.write(buffer + 100, &word, 4); });
    try_it([&] { gpu.write(buffer + 98, &word, 4); });
    try_it([&] { gpu.read(&word, buffer - 4, 4); });
    try_it([&] { gpu.fill(0, 1, 4); });
    try_it([&] { gpu.allocate(std::uint64_t{1} << 40, "huge"); });
    try_it([&] { gpu.release(buffer + 4); });
    gpu.release(buffer);
    try_it([&] { gpu.release(buffer); });
    try_it([&] { gpu.read(&word, buffer, 4); });
    const device_ptr<std::uint32_t> flag{gpu.allocate(8, "flag")};
    try_it([&] { launch(gpu, "set_flak", {{1}, {1}}, flag); });
    try_it([&] { launch(gpu, "set_flag", {{1}, {1}}); });
    try_it([&] { launch(gpu, "set_flag", {{1}, {1}}, 1.0F); });
    try_it([&] { launch(gpu, "set_flag", {{1}, {1}, 0, stream_id(3)}, flag); });
    try_it([&] { gpu.launch(find_kernel(gpu, "set_flag"), {{1}, {1}}, {}); });
    try_it([&] { (void)gpu.record(stream_id(1)); });
    try_it([&] { gpu.wait(event_id(0)); });
    // After all that the device works.
    launch(gpu, "set_flag", {{1}, {1}}, flag);
    gpu.wait(gpu.record(stream_id(0)));
    gpu.read(&word, flag.address, 4);
    told.push_back("flag " + std::to_string(word));
    return told;
}

TEST(timed_device, wrong_use_is_told_as_on_the_functional_simulator) {
    const gpu_configuration configuration = configuration_of("tiny");
    iss::functional_simulator simulator(configuration.machine);
    const std::vector<std::string> expected = mistakes(simulator);
    EXPECT_EQ(expected.back(), "flag 1");
    EXPECT_EQ(std::count(expected.begin(), expected.end(), "nothing"), 0);
    timed_machine machine(configuration);
    std::vector<std::string> found;
    machine.run_well([&](device& gpu) { found = mistakes(gpu); });
    EXPECT_EQ(found, expected);
}

TEST(timed_device, an_uncaught_mistake_ends_the_run) {
    timed_machine machine(configuration_of("tiny"));
    EXPECT_EQ(machine.run([](device& gpu) { gpu.release(0x40000000); }), error_kind::configuration);
    EXPECT_EQ(machine.status().messages().size(), 1U);
}

TEST(timed_device, says_what_it_is) {
    const gpu_configuration configuration = configuration_of("si");
    timed_machine machine(configuration);
    machine.run_well([&](device& gpu) {
        EXPECT_EQ(gpu.properties().name, "timed machine");
        EXPECT_EQ(gpu.properties().warp_size, 64U);
        EXPECT_EQ(gpu.properties().smx_count, configuration.machine.smx_count);
    });
    EXPECT_EQ(machine.count("gpu.cycles"), 0U);
}

TEST(timed_device, a_block_fits_an_smx_and_the_architecture) {
    const auto threads = [](const char* configuration) {
        return iss::functional_simulator(configuration_of(configuration).machine)
            .properties()
            .max_threads_per_block;
    };
    EXPECT_EQ(threads("tiny"), 512U);
    EXPECT_EQ(threads("si"), 1024U);
}

TEST(timed_device, its_clock_counts_core_cycles) {
    timed_machine machine(configuration_of("tiny"));
    std::uint64_t passed = 0;
    machine.run_well([&](device& gpu) {
        gpu.load(kernels_of("iss_control"));
        const device_buffer<std::uint32_t> out(gpu, 1, "out");
        const std::uint64_t before = *gpu.clock();
        launch(gpu, "busy", {{1}, {1}}, out.get(), 50U);
        EXPECT_EQ(*gpu.clock(), before);  // launching takes no time, waiting does
        gpu.synchronize();
        passed = *gpu.clock() - before;
        EXPECT_EQ(out.read()[0], 49U);
    });
    EXPECT_GT(passed, 50U);
    EXPECT_NEAR(static_cast<double>(machine.count("gpu.cycles")), static_cast<double>(passed), 1);
}

TEST(timed_device, a_stream_that_is_held_lets_others_go_on) {
    timed_machine machine(configuration_of("tiny"));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_control"));
        const device_buffer<std::uint32_t> out(gpu, 1, "out"), flag(gpu, 1, "flag");
        const auto launch_in = [&](stream_id stream, std::uint32_t turns) {
            return launch(gpu, "busy", {{1}, {1}, 0, stream}, out.get(), turns);
        };
        // `tiny` has two hardware queues: what is held is in neither.
        const stream_id other(0), first = gpu.create_stream(), held = gpu.create_stream();
        const std::uint64_t before = *gpu.clock();
        const launch_number long_one = launch_in(first, 400);
        const event_id end = gpu.record(first);
        gpu.hold(held, end);
        const launch_number waits = launch_in(held, 10);
        const launch_number behind = launch_in(held, 10);
        const launch_number free = launch_in(other, 10);
        const event_id last = gpu.record(held);
        EXPECT_EQ(*gpu.clock(), before);
        gpu.wait(last);
        const std::uint64_t ended = gpu.times(long_one).end.value();
        EXPECT_GE(gpu.times(waits).first_dispatch.value(), ended);
        EXPECT_LT(gpu.times(waits).first_dispatch.value(), ended + 100);
        EXPECT_GE(gpu.times(behind).first_dispatch.value(), gpu.times(waits).end.value());
        EXPECT_LT(gpu.times(free).end.value(), ended);
        // What has happened holds nothing back, also if it happens between the two calls.
        gpu.hold(other, end);
        (void)launch_in(other, 10);
        const launch_number second = launch_in(first, 100);
        gpu.hold(held, gpu.record(first));
        gpu.wait(gpu.record(first));
        const launch_number late = launch_in(held, 10);
        gpu.synchronize();
        EXPECT_LT(gpu.times(late).first_dispatch.value(), gpu.times(second).end.value() + 100);
        EXPECT_THROW(gpu.hold(stream_id(9), end), configuration_error);
        EXPECT_THROW(gpu.hold(held, event_id(99)), configuration_error);
    });
}

TEST(timed_device, launches_that_wait_for_two_streams_begin_after_both) {
    timed_machine machine(configuration_of("tiny"));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_control"));
        const device_buffer<std::uint32_t> out(gpu, 1, "out");
        const stream_id held = gpu.create_stream();
        launch_number earlier[2]{};
        for (const std::uint32_t turns : {300U, 30U}) {
            const stream_id stream = gpu.create_stream();
            earlier[turns == 300] = launch(gpu, "busy", {{1}, {1}, 0, stream}, out.get(), turns);
            gpu.hold(held, gpu.record(stream));
        }
        const launch_number last = launch(gpu, "busy", {{1}, {1}, 0, held}, out.get(), 5U);
        gpu.synchronize();
        for (const launch_number each : earlier) {
            EXPECT_GE(gpu.times(last).first_dispatch.value(), gpu.times(each).end.value());
        }
    });
}

TEST(timed_device, memory_released_during_a_launch_is_kept_for_it) {
    timed_machine machine(configuration_of("tiny"));
    machine.run_well([](device& gpu) {
        gpu.load(kernels_of("iss_control"));
        const device_ptr<std::uint32_t> gone{gpu.allocate(4, "gone")};
        launch(gpu, "busy", {{1}, {1}}, gone, 50U);
        gpu.release(gone.address);
        EXPECT_NE(gpu.allocate(4, "next"), gone.address);
        gpu.synchronize();
    });
}

}  // namespace
}  // namespace heddle
