// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Running until a cycle, an event, a fault, a limit, an interruption.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <string>
#include <thread>

#include "tests/base/temporary_directory.h"
#include "tests/library/library_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

/// Launches turn(), which takes some cycles a turn.
void launch_turns(const machine_of_test& machine, unsigned turns, std::uint32_t to,
                  std::uint32_t stream = 0) {
    heddle_shape shape = shape_of(1, 32);
    shape.stream = stream;
    const heddle_argument arguments[] = {heddle_integer(turns), heddle_pointer(to)};
    EXPECT_GOOD(heddle_launch(machine, "turn", &shape, arguments, 2), machine);
}

void launch_turns(const machine_of_test& machine, unsigned turns) {
    launch_turns(machine, turns, machine.filled(std::vector<std::uint32_t>(32)));
}

std::uint64_t cycle_of(const machine_of_test& machine) {
    std::uint64_t now = 0;
    EXPECT_GOOD(heddle_cycle(machine, &now), machine);
    return now;
}

TEST(library_run, stops_exactly_at_a_cycle) {
    const machine_of_test machine(tiny());
    launch_turns(machine, 1000);
    std::uint64_t reached = 0;
    EXPECT_EQ(cycle_of(machine), 1U);  // time begins with an edge
    for (std::uint64_t cycle = 1; cycle < 5; ++cycle) {
        EXPECT_GOOD(heddle_run_until(machine, cycle, &reached), machine);
        EXPECT_EQ(reached, cycle);
    }
    EXPECT_GOOD(heddle_run_until(machine, 500, &reached), machine);
    EXPECT_EQ(reached, 500U);
    EXPECT_EQ(cycle_of(machine), 500U);
    const double before = machine.statistic("gpu.warp_instructions");
    EXPECT_GT(before, 0);
    EXPECT_GOOD(heddle_run_until(machine, 501, nullptr), machine);
    EXPECT_EQ(cycle_of(machine), 501U);
    EXPECT_GOOD(heddle_run_until(machine, 400, &reached), machine);  // has passed
    EXPECT_EQ(reached, 501U);
    EXPECT_GOOD(heddle_synchronize(machine), machine);
    EXPECT_GT(machine.statistic("gpu.warp_instructions"), before);
    const std::uint64_t end = cycle_of(machine);
    EXPECT_GOOD(heddle_run_until(machine, end + 1000, &reached), machine);  // nothing runs
    EXPECT_EQ(reached, end + 1000);
}

/// Looking at a machine does not change it.
TEST(library_run, stops_change_no_result) {
    double cycles[2] = {};
    for (int stops = 0; stops < 2; ++stops) {
        const machine_of_test machine(tiny());
        launch_turns(machine, 300);
        for (std::uint64_t at = 50; stops != 0 && at < 1000; at += 50) {
            EXPECT_GOOD(heddle_run_until(machine, at, nullptr), machine);
            (void)machine.statistic("gpu.ipc");
        }
        EXPECT_GOOD(heddle_synchronize(machine), machine);
        cycles[stops] = machine.statistic("gpu.cycles");
    }
    EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(library_run, an_event_waits_for_its_stream_only) {
    const machine_of_test machine(tiny());
    std::uint32_t stream = 0;
    EXPECT_GOOD(heddle_create_stream(machine, &stream), machine);
    EXPECT_NE(stream, 0U);
    const std::uint32_t to = machine.filled(std::vector<std::uint32_t>(32));
    launch_turns(machine, 5000, to);
    launch_turns(machine, 10, to, stream);
    std::uint32_t slow = 0;
    std::uint32_t fast = 0;
    EXPECT_GOOD(heddle_record(machine, 0, &slow), machine);
    EXPECT_GOOD(heddle_record(machine, stream, &fast), machine);
    int done = 1;
    EXPECT_GOOD(heddle_event_done(machine, fast, &done), machine);
    EXPECT_EQ(done, 0);
    EXPECT_GOOD(heddle_wait(machine, fast), machine);
    EXPECT_GOOD(heddle_event_done(machine, fast, &done), machine);
    EXPECT_EQ(done, 1);
    EXPECT_GOOD(heddle_event_done(machine, slow, &done), machine);
    EXPECT_EQ(done, 0);
    EXPECT_GOOD(heddle_wait(machine, slow), machine);
    EXPECT_GOOD(heddle_event_done(machine, slow, &done), machine);
    EXPECT_EQ(done, 1);
}

TEST(library_run, a_fault_says_where_and_ends_a_timed_run) {
    const machine_of_test machine(tiny());
    const heddle_shape shape = shape_of(1, 32);
    const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
    EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
    expect_failure(heddle_synchronize(machine), HEDDLE_KERNEL_FAULT, machine,
                   "illegal write of 4 bytes");
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("at kernel 'far_away', block (0,0,0)"));
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("library_kernel.cpp:"));
    std::uint32_t address = 0;
    expect_failure(heddle_allocate(machine, 4, nullptr, &address), HEDDLE_KERNEL_FAULT, machine,
                   "illegal write");
    EXPECT_EQ(heddle_finish(machine), HEDDLE_KERNEL_FAULT);
    EXPECT_GT(machine.statistic("gpu.warp_instructions"), 0);
    EXPECT_EQ(machine.statistic("run.completed"), 0);
}

TEST(library_run, a_fault_is_said_in_its_cycle) {
    const machine_of_test machine(tiny());
    const heddle_shape shape = shape_of(1, 32);
    const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
    EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
    std::uint64_t cycles = cycle_of(machine);
    while (heddle_run_until(machine, cycles + 1, nullptr) == HEDDLE_OK) ++cycles;
    EXPECT_THAT(heddle_error_text(machine),
                HasSubstr("in cycle " + std::to_string(cycles) + ", SMX"));
}

TEST(library_run, a_functional_machine_goes_on_after_a_fault) {
    const machine_of_test machine(tiny(true));
    const heddle_shape shape = shape_of(1, 32);
    const std::uint32_t kept = machine.filled({17});
    const heddle_argument nowhere = heddle_pointer(kept);
    EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
    expect_failure(heddle_synchronize(machine), HEDDLE_KERNEL_FAULT, machine,
                   "at kernel 'far_away'");
    EXPECT_THAT(machine.values(kept, 1), testing::ElementsAre(17));
    machine.expect_working();
    std::uint64_t cycle = 0;
    expect_failure(heddle_cycle(machine, &cycle), HEDDLE_USAGE, machine, "has no cycles");
    std::uint64_t reached = 1;
    EXPECT_GOOD(heddle_run_until(machine, 5, &reached), machine);  // nothing is left
}

TEST(library_run, finish_says_what_it_waited_for) {
    for (const bool functional : {false, true}) {
        const machine_of_test machine(tiny(functional));
        const heddle_shape shape = shape_of(1, 32);
        const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
        EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
        expect_failure(heddle_finish(machine), HEDDLE_KERNEL_FAULT, machine, "illegal write");
    }
}

TEST(library_run, an_interruption_of_the_past_is_past) {
    heddle_interrupt();
    for (const bool functional : {false, true}) {
        machine_of_test(tiny(functional)).expect_working();
    }
}

TEST(library_run, a_limit_ends_it) {
    heddle_options options = tiny();
    options.max_cycles = 300;
    const machine_of_test machine(options);
    launch_turns(machine, 100000);
    expect_failure(heddle_synchronize(machine), HEDDLE_NO_PROGRESS, machine, "not finished at");
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("cycle 300"));
}

/// Statistics of a run with so many threads of the host.
std::string statistics_with(unsigned threads, bool functional) {
    heddle_options options = tiny(functional);
    options.threads = threads;
    const machine_of_test machine(options);
    machine.expect_working();
    launch_turns(machine, 1000);
    EXPECT_GOOD(heddle_finish(machine), machine);
    const temporary_directory files;
    const std::string file = files / "a.csv";
    EXPECT_GOOD(heddle_write_statistics(machine, file.c_str()), machine);
    std::ifstream lines(file);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("host.", 0) != 0) text += line + "\n";
    }
    return text;
}

TEST(library_run, several_threads_of_the_host_give_the_same) {
    for (const bool functional : {false, true}) {
        const std::string one = statistics_with(1, functional);
        EXPECT_THAT(one, HasSubstr("warp_instructions,"));
        EXPECT_EQ(statistics_with(2, functional), one);
        EXPECT_EQ(statistics_with(0, functional), one);
    }
}

TEST(library_run, more_threads_than_there_may_be_are_refused) {
    heddle_options options = tiny();
    options.threads = 65;
    heddle_machine* machine = nullptr;
    expect_failure(heddle_create(&options, &machine), HEDDLE_USAGE, nullptr,
                   "'threads' is 65; legal: 1 to 64");
}

/// As before heddle_options had `threads`.
TEST(library_run, a_shorter_struct_of_options_is_one_thread) {
    heddle_options options = tiny();
    options.size = offsetof(heddle_options, threads);
    options.threads = 65;  // not read
    const machine_of_test machine(options);
    machine.expect_working();
}

TEST(library_run, a_check_in_step_is_a_check) {
    heddle_options options = tiny();
    options.check = 1;
    const machine_of_test machine(options);
    machine.expect_working();
    EXPECT_GOOD(heddle_finish(machine), machine);
}

/// Both machines: a run that would take minutes ends when another thread says so.
void expect_interruptible(bool functional) {
    heddle_options options = tiny(functional);
    options.max_cycles = functional ? 0 : 300'000'000;  // some seconds
    const machine_of_test machine(options);
    launch_turns(machine, 2'000'000'000);
    std::thread other([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        heddle_interrupt();
    });
    expect_failure(heddle_synchronize(machine), HEDDLE_INTERRUPTED, machine, "interrupted");
    other.join();
    if (functional) machine.expect_working();
}

TEST(library_run, another_thread_interrupts_it) {
    expect_interruptible(/*functional=*/false);
    machine_of_test(tiny()).expect_working();  // hears nothing of it
    expect_interruptible(/*functional=*/true);
}

struct poll_record {
    const machine_of_test* machine;
    int calls = 0;
    heddle_status inner = HEDDLE_OK;
    std::string text;
};

TEST(library_run, a_poll_is_asked_and_interrupts) {
    heddle_options options = tiny();
    options.max_cycles = 300'000'000;  // some seconds
    const machine_of_test machine(options);
    poll_record record{&machine, 0, HEDDLE_OK, {}};
    const heddle_poll poll = [](void* context) {
        auto& seen = *static_cast<poll_record*>(context);
        std::uint64_t cycle = 0;
        seen.inner = heddle_cycle(*seen.machine, &cycle);
        seen.text = heddle_error_text(nullptr);
        return ++seen.calls == 3 ? 1 : 0;
    };
    EXPECT_GOOD(heddle_set_poll(machine, poll, &record), machine);
    launch_turns(machine, 2'000'000'000);
    expect_failure(heddle_synchronize(machine), HEDDLE_INTERRUPTED, machine, "interrupted");
    EXPECT_EQ(record.calls, 3);
    EXPECT_EQ(record.inner, HEDDLE_USAGE);
    EXPECT_THAT(record.text, HasSubstr("called from a function that this machine has called"));
    EXPECT_EQ(heddle_set_poll(machine, nullptr, nullptr), HEDDLE_OK);
}

}  // namespace
}  // namespace heddle
