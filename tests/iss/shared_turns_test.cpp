// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Threads run blocks at the same time: what a program does that is free of data races does not
// change.
#include "models/iss/shared_turns.h"

#include <functional>
#include <thread>

#include "models/iss/statistics.h"
#include "tests/iss/fixture.h"

namespace heddle::iss {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Four SMXs with room for eight blocks each.
machine_configuration wide_machine() {
    machine_configuration machine = small_machine();
    machine.smx_count = 4;
    machine.smx.max_blocks = 8;
    return machine;
}

/// Word number `index` of a buffer.
device_ptr<std::uint32_t> word(device_ptr<std::uint32_t> buffer, std::uint32_t index) {
    return {buffer.address + 4 * index};
}

/// What is left of a run.
struct outcome {
    std::string error;
    std::vector<std::uint32_t> words;
    std::string statistics;
    std::uint64_t executed = 0;

    friend bool operator==(const outcome& a, const outcome& b) {
        return a.error == b.error && a.words == b.words && a.statistics == b.statistics &&
               a.executed == b.executed;
    }
    friend std::ostream& operator<<(std::ostream& out, const outcome& one) {
        return out << one.error << " " << testing::PrintToString(one.words) << one.statistics;
    }
};

/// Launches kernels of a program with a buffer of `words` words.
using body = std::function<void(functional_simulator&, device_ptr<std::uint32_t>)>;

outcome run_with(const host_threads& threads, const char* program, std::size_t words,
                 const body& launches, const machine_configuration& machine = wide_machine()) {
    functional_simulator gpu(machine, {}, nullptr, threads);
    gpu.load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/") + program + ".elf")));
    const device_buffer<std::uint32_t> buffer(gpu, words, "buffer");
    outcome result;
    try {
        launches(gpu, buffer.get());
        gpu.synchronize();
    } catch (const run_error& error) {
        result.error = error.what();
    }
    result.words = buffer.read();
    statistics values;
    collect(gpu, values);
    result.statistics = to_csv(values);
    result.executed = gpu.executed();
    return result;
}

/// The outcome with one thread, which is that of several ones.
outcome same_with_all(const char* program, std::size_t words, const body& launches,
                      const machine_configuration& machine = wide_machine()) {
    const outcome one = run_with({1}, program, words, launches, machine);
    const host_threads ways[] = {{2, 0}, {2, 1}, {3, 2}, {5, 3}, {13, 4}};
    for (const host_threads& threads : ways) {
        EXPECT_EQ(run_with(threads, program, words, launches, machine), one)
            << threads.count << " threads, seed " << threads.delay_seed;
    }
    return one;
}

TEST(shared_turns, atomics_and_clocks_come_in_order) {
    static constexpr unsigned blocks = 40;
    static constexpr unsigned rounds = 6;
    static constexpr unsigned tickets = blocks * rounds;
    const outcome one = same_with_all("iss_shared_turns", 1 + 2 * tickets, [](auto& gpu, auto at) {
        launch(gpu, "take_tickets", {{blocks}, {96}}, at, word(at, 1), word(at, 1 + tickets),
               rounds);
    });
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(one.words[0], tickets);
    // The clock goes on from ticket to ticket.
    for (unsigned i = 1; i < tickets; ++i) {
        ASSERT_LT(one.words[tickets + i], one.words[tickets + i + 1]);
    }
}

/// How often a block looks at another one's flag depends on the turns of all.
TEST(shared_turns, loads_past_l1_see_what_one_thread_sees) {
    const outcome one = same_with_all("iss_shared_turns", 31, [](auto& gpu, auto at) {
        launch(gpu, "relay", {{30}, {32}}, at, word(at, 1));
    });
    EXPECT_EQ(one.error, "");
    EXPECT_EQ(one.words[0], 30U);
}

TEST(shared_turns, shared_memory_belongs_to_one_block) {
    const outcome one = same_with_all("iss_shared_turns", 50, [](auto& gpu, auto at) {
        launch(gpu, "count_in_shared", {{50}, {64}}, at);
    });
    EXPECT_THAT(one.words, testing::Each(20U * 64));
}

/// Nothing happens behind a fault that one thread would not have come to.
TEST(shared_turns, the_fault_is_that_of_the_first_block) {
    const outcome one = same_with_all("iss_shared_turns", 1, [](auto& gpu, auto at) {
        launch(gpu, "fault_among_atomics", {{32}, {32}}, at, 5U);
    });
    EXPECT_THAT(one.error, HasSubstr("block (5,0,0)"));
    EXPECT_THAT(one.words, ElementsAre(11U * 32));
}

/// With one thread, block 1 has its turn after the first instructions of block 0.
TEST(shared_turns, a_fault_counts_in_its_turn) {
    for (const auto& [steps, block] : {std::pair{4U, "block (0,0,0)"}, {400U, "block (1,0,0)"}}) {
        const outcome one = same_with_all("iss_shared_turns", 1, [steps = steps](auto& gpu, auto) {
            launch(gpu, "fault_late", {{8}, {32}}, steps);
        });
        EXPECT_THAT(one.error, HasSubstr(block));
    }
}

TEST(shared_turns, a_run_goes_on_after_a_fault) {
    functional_simulator gpu(wide_machine(), {}, nullptr, {3, 1});
    gpu.load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_shared_turns.elf"))));
    const device_buffer<std::uint32_t> out(gpu, 50, "out");
    for (int i = 0; i < 3; ++i) {
        const run_error error = error_of([&] {
            launch(gpu, "fault_among_atomics", {{32}, {32}}, out.get(), 5U);
            gpu.synchronize();
        });
        EXPECT_EQ(error.kind(), error_kind::kernel_fault);
        launch(gpu, "count_in_shared", {{50}, {64}}, out.get());
        EXPECT_THAT(out.read(), testing::Each(20U * 64));
    }
}

/// No block has the number that all wait for.
void wait_for_ever(functional_simulator& gpu, device_ptr<std::uint32_t> at) {
    const std::uint32_t nobody = 77;
    gpu.write(at.address, &nobody, sizeof nobody);
    launch(gpu, "relay", {{30}, {32}}, at, word(at, 1));
}

TEST(shared_turns, a_run_without_progress_ends_alike) {
    const outcome one = same_with_all("iss_shared_turns", 31, wait_for_ever);
    EXPECT_THAT(one.error, HasSubstr("no progress"));
}

TEST(shared_turns, the_main_thread_hears_of_an_interruption) {
    const std::thread::id main = std::this_thread::get_id();
    unsigned asked = 0;
    functional_simulator gpu(wide_machine(),
                             [&] {
                                 EXPECT_EQ(std::this_thread::get_id(), main);
                                 return ++asked > 20;
                             },
                             nullptr, {3, 5});
    gpu.load(std::make_shared<program::image>(
        program::image::load(build_path("kernels/iss_shared_turns.elf"))));
    const device_buffer<std::uint32_t> out(gpu, 31, "out");
    const run_error error = error_of([&] {
        wait_for_ever(gpu, out.get());
        gpu.synchronize();
    });
    EXPECT_EQ(error.kind(), error_kind::interrupted);
    EXPECT_GT(asked, 20U);
}

/// What several blocks change that may be running is left to one thread, which is said.
TEST(shared_turns, some_launches_stay_on_one_thread) {
    const auto reasons = [](const char* program, const machine_configuration& machine,
                            const body& launches) {
        functional_simulator gpu(machine, {}, nullptr, {3, 1});
        gpu.load(std::make_shared<program::image>(
            program::image::load(build_path("kernels/") + program + ".elf")));
        const device_buffer<std::uint32_t> buffer(gpu, 4096, "buffer");
        launches(gpu, buffer.get());
        gpu.synchronize();
        return gpu.on_one_thread();
    };
    EXPECT_THAT(reasons("iss_shared_turns", wide_machine(),
                        [](auto& gpu, auto at) {
                            launch(gpu, "relay", {{3}, {32}}, at, word(at, 1));
                        }),
                IsEmpty());
    EXPECT_THAT(reasons("iss_memory", wide_machine(),
                        [](auto& gpu, auto at) {
                            launch(gpu, "reserve_and_end", {{3}, {1}}, at, word(at, 1));
                        }),
                ElementsAre("lr.w"));
    EXPECT_THAT(reasons("iss_cooperation", wide_machine(),
                        [](auto& gpu, auto at) {
                            launch_shape shape{{3}, {32}};
                            shape.cooperative = true;
                            launch(gpu, "coop_rounds", shape, 96U, 2U, at, word(at, 1));
                        }),
                ElementsAre("cooperative blocks"));
    machine_configuration launching = wide_machine();
    launching.launch.enabled = true;
    EXPECT_THAT(reasons("iss_launch", launching,
                        [](auto& gpu, auto at) {
                            launch(gpu, "launch_kernels", {{1}, {4}}, at, word(at, 1024));
                        }),
                ElementsAre("launches by kernels"));
}

/// Without any block: turns that end in any order.
TEST(shared_turns, the_order_is_that_of_claims) {
    shared_turns turns;
    turns.begin(4, 100);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(turns.claim(), i);
    EXPECT_EQ(turns.claim(), 4U);
    EXPECT_EQ(turns.wait_until_first(0), 100U);
    turns.end(1, 20, nullptr);
    turns.end(0, 3, nullptr);
    EXPECT_EQ(turns.wait_until_first(2), 123U);
    EXPECT_EQ(turns.waits(), 0U);
    turns.end(3, 1, std::make_exception_ptr(3));
    EXPECT_EQ(turns.failure(), nullptr);
    turns.end(2, 1, std::make_exception_ptr(2));
    EXPECT_EQ(turns.counted(), 3U);
    EXPECT_THROW(std::rethrow_exception(turns.failure()), int);
    EXPECT_THROW(turns.wait_until_first(3), turn_abandoned);
    turns.begin(2, 0);
    EXPECT_EQ(turns.counted(), 0U);
    EXPECT_EQ(turns.claim(), 0U);
}

}  // namespace
}  // namespace heddle::iss
