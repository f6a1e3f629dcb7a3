// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Calls that nobody should make: each has an error that names it, and the machine goes on.
#include <functional>
#include <map>

#include "tests/library/library_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A call of each function that has a machine, with good arguments where there are others.
std::map<std::string, std::function<heddle_status(heddle_machine*)>> all_calls() {
    static std::size_t size = 0;
    static std::uint32_t word = 0;
    static std::uint32_t other = 0;
    static std::uint64_t number = 0;
    static int flag = 0;
    static const char* text = nullptr;
    static heddle_parameter parameter{sizeof(heddle_parameter), {}, {}, {}, {}, {}, {}, {}, {}};
    static heddle_kernel kernel{};
    static heddle_kernel_parameter kernel_parameter{};
    static heddle_statistic statistic{};
    static heddle_retired retired{};
    static heddle_launch_times times{};
    times.size = sizeof times;
    retired.size = sizeof retired;
    kernel.size = sizeof kernel;
    kernel_parameter.size = sizeof kernel_parameter;
    statistic.size = sizeof statistic;
    static const heddle_shape shape = shape_of(1, 1);
    using m = heddle_machine*;
    return {
        {"heddle_parameter_count", [](m a) { return heddle_parameter_count(a, &size); }},
        {"heddle_get_parameter", [](m a) { return heddle_get_parameter(a, 0, &parameter); }},
        {"heddle_find_parameter",
         [](m a) { return heddle_find_parameter(a, "smx.scheduler", &parameter); }},
        {"heddle_attach_waveform", [](m a) { return heddle_attach_waveform(a, "/nowhere/a.vcd"); }},
        {"heddle_attach_timeline",
         [](m a) { return heddle_attach_timeline(a, "/nowhere/a.json"); }},
        {"heddle_attach_retire", [](m a) { return heddle_attach_retire(a, "/nowhere/a.txt"); }},
        {"heddle_trace_scope", [](m a) { return heddle_trace_scope(a, "gpu"); }},
        {"heddle_trace_cycles", [](m a) { return heddle_trace_cycles(a, "1:2"); }},
        {"heddle_retire_scope", [](m a) { return heddle_retire_scope(a, "smx=0"); }},
        {"heddle_load", [](m a) { return heddle_load(a, kernels_of_test().c_str()); }},
        {"heddle_unload", [](m a) { return heddle_unload(a, kernels_of_test().c_str()); }},
        {"heddle_get_kernel_program", [](m a) { return heddle_get_kernel_program(a, 0, &text); }},
        {"heddle_times", [](m a) { return heddle_times(a, 0, &times); }},
        {"heddle_diagnostics", [](m a) { return heddle_diagnostics(a, &text); }},
        {"heddle_kernel_count", [](m a) { return heddle_kernel_count(a, &size); }},
        {"heddle_get_kernel", [](m a) { return heddle_get_kernel(a, 0, &kernel); }},
        {"heddle_find_kernel", [](m a) { return heddle_find_kernel(a, "add", &kernel); }},
        {"heddle_get_kernel_parameter",
         [](m a) { return heddle_get_kernel_parameter(a, "add", 0, &kernel_parameter); }},
        {"heddle_allocate", [](m a) { return heddle_allocate(a, 4, nullptr, &word); }},
        {"heddle_release", [](m a) { return heddle_release(a, word); }},
        {"heddle_write", [](m a) { return heddle_write(a, word, &other, 0); }},
        {"heddle_read", [](m a) { return heddle_read(a, &other, word, 0); }},
        {"heddle_fill", [](m a) { return heddle_fill(a, word, 0, 0); }},
        {"heddle_find_variable",
         [](m a) { return heddle_find_variable(a, "counter", &word, &other); }},
        {"heddle_launch", [](m a) { return heddle_launch(a, "count_up", &shape, nullptr, 0); }},
        {"heddle_create_stream", [](m a) { return heddle_create_stream(a, &word); }},
        {"heddle_record", [](m a) { return heddle_record(a, 0, &word); }},
        {"heddle_event_done", [](m a) { return heddle_event_done(a, word, &flag); }},
        {"heddle_wait", [](m a) { return heddle_wait(a, word); }},
        {"heddle_run_until", [](m a) { return heddle_run_until(a, 0, &number); }},
        {"heddle_synchronize", [](m a) { return heddle_synchronize(a); }},
        {"heddle_finish", [](m a) { return heddle_finish(a); }},
        {"heddle_cycle", [](m a) { return heddle_cycle(a, &number); }},
        {"heddle_keep_retired", [](m a) { return heddle_keep_retired(a); }},
        {"heddle_next_retired", [](m a) { return heddle_next_retired(a, &retired, 1, &size); }},
        {"heddle_set_poll", [](m a) { return heddle_set_poll(a, nullptr, nullptr); }},
        {"heddle_statistic_count", [](m a) { return heddle_statistic_count(a, &size); }},
        {"heddle_get_statistic", [](m a) { return heddle_get_statistic(a, 0, &statistic); }},
        {"heddle_find_statistic",
         [](m a) { return heddle_find_statistic(a, "gpu.cycles", &statistic); }},
        {"heddle_write_statistics",
         [](m a) { return heddle_write_statistics(a, "/nowhere/a.json"); }},
        {"heddle_close", [](m a) { return heddle_close(a); }},
    };
}

TEST(library_bad_calls, a_handle_that_is_none_is_named_by_every_function) {
    int anything = 0;
    auto* const invented = reinterpret_cast<heddle_machine*>(&anything);
    heddle_machine* closed = nullptr;
    const heddle_options options = tiny(true);
    EXPECT_GOOD(heddle_create(&options, &closed), nullptr);
    EXPECT_GOOD(heddle_close(closed), nullptr);
    const machine_of_test later(tiny(true));  // has another handle
    EXPECT_NE(static_cast<heddle_machine*>(later), closed);
    for (const auto& [name, call] : all_calls()) {
        expect_failure(call(nullptr), HEDDLE_USAGE, nullptr, name + ": the machine is NULL");
        for (heddle_machine* const bad : {invented, closed}) {
            expect_failure(call(bad), HEDDLE_USAGE, bad,
                           name + ": the machine is closed, or never was one");
        }
    }
    later.expect_working();
}

TEST(library_bad_calls, what_needs_a_program_says_so) {
    const machine_of_test machine(tiny(), /*loaded=*/false);
    auto calls = all_calls();
    for (const char* const name : {"heddle_kernel_count", "heddle_get_kernel", "heddle_find_kernel",
                                   "heddle_get_kernel_parameter", "heddle_find_variable",
                                   "heddle_launch", "heddle_unload", "heddle_get_kernel_program"}) {
        expect_failure(calls[name](machine), HEDDLE_USAGE, machine,
                       std::string(name) + ": no program is loaded; heddle_load() comes first");
    }
    machine.load();
    expect_failure(heddle_load(machine, kernels_of_test().c_str()), HEDDLE_USAGE, machine,
                   "overlap the instructions");
    machine.expect_working();
}

TEST(library_bad_calls, nulls_are_named) {
    const machine_of_test machine(tiny());
    heddle_machine* const m = machine;
    const heddle_shape shape = shape_of(1, 1);
    std::uint32_t word = 0;
    const auto expect_null = [&](heddle_status status, const char* name) {
        expect_failure(status, HEDDLE_USAGE, m, std::string("'") + name + "' is NULL");
    };
    expect_null(heddle_parameter_count(m, nullptr), "count");
    expect_null(heddle_get_parameter(m, 0, nullptr), "parameter");
    expect_null(heddle_find_parameter(m, nullptr, nullptr), "parameter");
    expect_null(heddle_load(m, nullptr), "file");
    expect_null(heddle_unload(m, nullptr), "file");
    expect_null(heddle_get_kernel_program(m, 0, nullptr), "name");
    expect_null(heddle_times(m, 0, nullptr), "times");
    expect_null(heddle_diagnostics(m, nullptr), "text");
    expect_null(heddle_get_kernel(m, 0, nullptr), "kernel");
    expect_null(heddle_allocate(m, 4, nullptr, nullptr), "address");
    expect_null(heddle_write(m, 0, nullptr, 1), "from");
    expect_null(heddle_read(m, nullptr, 0, 1), "to");
    expect_null(heddle_find_variable(m, nullptr, &word, &word), "name");
    expect_null(heddle_find_variable(m, "counter", nullptr, &word), "address");
    expect_null(heddle_launch(m, nullptr, &shape, nullptr, 0), "kernel");
    expect_null(heddle_launch(m, "add", nullptr, nullptr, 0), "shape");
    expect_null(heddle_launch(m, "add", &shape, nullptr, 4), "arguments");
    expect_null(heddle_create_stream(m, nullptr), "stream");
    expect_null(heddle_record(m, 0, nullptr), "event");
    expect_null(heddle_event_done(m, 0, nullptr), "done");
    expect_null(heddle_cycle(m, nullptr), "cycle");
    expect_null(heddle_find_statistic(m, "gpu.cycles", nullptr), "statistic");
    expect_null(heddle_write_statistics(m, nullptr), "file");
    expect_failure(heddle_create(nullptr, nullptr), HEDDLE_USAGE, nullptr, "'machine' is NULL");
    machine.expect_working();
    EXPECT_STREQ(heddle_error_text(m), "");  // of the last call, which was good
}

TEST(library_bad_calls, sizes_of_structs_are_checked) {
    const machine_of_test machine(tiny());
    heddle_statistic statistic{};
    expect_failure(heddle_find_statistic(machine, "gpu.cycles", &statistic), HEDDLE_USAGE, machine,
                   "'statistic'.size is 0; legal: sizeof(heddle_statistic), " +
                       std::to_string(sizeof statistic));
    heddle_shape shape = shape_of(1, 1);
    ++shape.size;
    expect_failure(heddle_launch(machine, "count_up", &shape, nullptr, 0), HEDDLE_USAGE, machine,
                   "'shape'.size is " + std::to_string(sizeof shape + 1));
    heddle_options options = tiny(true);
    options.size = 8;
    heddle_machine* none = nullptr;
    expect_failure(heddle_create(&options, &none), HEDDLE_USAGE, nullptr, "'options'.size is 8");
    machine.expect_working();
}

TEST(library_bad_calls, wrong_names_have_a_suggestion) {
    const machine_of_test machine(tiny());
    const heddle_shape shape = shape_of(1, 1);
    heddle_statistic statistic{};
    statistic.size = sizeof statistic;
    heddle_parameter parameter{};
    parameter.size = sizeof parameter;
    expect_failure(heddle_launch(machine, "ad", &shape, nullptr, 0), HEDDLE_USAGE, machine,
                   "has no kernel 'ad'");
    EXPECT_THAT(heddle_error_text(machine), HasSubstr("did you mean 'add'?"));
    EXPECT_THAT(heddle_error_text(machine), StartsWith("heddle_launch: "));
    expect_failure(heddle_find_statistic(machine, "gpu.cycle", &statistic), HEDDLE_USAGE, machine,
                   "there is no statistic 'gpu.cycle' of this run; did you mean 'gpu.cycles'?");
    expect_failure(heddle_find_parameter(machine, "smx.shceduler", &parameter), HEDDLE_USAGE,
                   machine, "did you mean 'smx.scheduler'?");
    machine.expect_working();
}

TEST(library_bad_calls, memory_outside_of_a_buffer_is_refused) {
    for (const bool functional : {false, true}) {
        const machine_of_test machine(tiny(functional));
        const std::uint32_t four = machine.filled({1});
        std::uint32_t word = 0;
        EXPECT_GOOD(heddle_read(machine, &word, four, 4), machine);
        expect_failure(heddle_read(machine, &word, four, 5), HEDDLE_USAGE, machine,
                       "not within one allocation");
        expect_failure(heddle_write(machine, four + 1, &word, 4), HEDDLE_USAGE, machine,
                       "not within one allocation");
        expect_failure(heddle_fill(machine, four, 0, 5), HEDDLE_USAGE, machine,
                       "not within one allocation");
        expect_failure(heddle_read(machine, &word, four, ~std::size_t{0}), HEDDLE_USAGE, machine,
                       "not within one allocation");
        expect_failure(heddle_release(machine, four + 4), HEDDLE_USAGE, machine, "release");
        EXPECT_GOOD(heddle_release(machine, four), machine);
        expect_failure(heddle_release(machine, four), HEDDLE_USAGE, machine, "release");
        expect_failure(heddle_allocate(machine, ~std::uint64_t{0}, "all", &word), HEDDLE_USAGE,
                       machine, "all");
        machine.expect_working();
    }
}

TEST(library_bad_calls, streams_and_events_that_are_none_are_refused) {
    const machine_of_test machine(tiny());
    std::uint32_t event = 0;
    int done = 0;
    heddle_shape shape = shape_of(1, 1);
    shape.stream = 1;
    expect_failure(heddle_launch(machine, "count_up", &shape, nullptr, 0), HEDDLE_USAGE, machine,
                   "stream");
    expect_failure(heddle_record(machine, 1, &event), HEDDLE_USAGE, machine, "stream");
    expect_failure(heddle_wait(machine, 0), HEDDLE_USAGE, machine, "event");
    expect_failure(heddle_event_done(machine, 7, &done), HEDDLE_USAGE, machine, "event");
    machine.expect_working();
}

TEST(library_bad_calls, files_that_are_no_programs_are_refused) {
    const machine_of_test machine(tiny(), /*loaded=*/false);
    expect_failure(heddle_load(machine, "nowhere.elf"), HEDDLE_USAGE, machine, "nowhere.elf");
    expect_failure(heddle_load(machine, "nowhere.cpp"), HEDDLE_USAGE, machine, "nowhere.cpp");
    expect_failure(heddle_load(machine, "/"), HEDDLE_USAGE, machine, "/");
    machine.load();
    machine.expect_working();
}

TEST(library_bad_calls, statuses_have_names) {
    EXPECT_STREQ(heddle_status_name(HEDDLE_OK), "HEDDLE_OK");
    EXPECT_STREQ(heddle_status_name(HEDDLE_NO_PROGRESS), "HEDDLE_NO_PROGRESS");
    EXPECT_STREQ(heddle_status_name(HEDDLE_FAILED), "HEDDLE_FAILED");
    EXPECT_STREQ(heddle_status_name(7), "unknown status");
    EXPECT_STREQ(heddle_status_name(-1), "unknown status");
    EXPECT_THAT(heddle_version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace heddle
