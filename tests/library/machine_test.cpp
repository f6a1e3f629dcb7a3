// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"
#include "tests/library/library_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

double cycles_of_add(unsigned n, heddle_options options = tiny()) {
    const machine_of_test machine(options);
    EXPECT_THAT(machine.values(machine.launch_add(n), n), testing::Each(3U));
    return machine.statistic("gpu.cycles");
}

/// Names and values, without what the host decides.
std::map<std::string, std::string> statistics_of(const std::string& file) {
    std::map<std::string, std::string> result;
    const nlohmann::json all = nlohmann::json::parse(std::ifstream(file));
    for (const auto& [name, one] : all.at("statistics").items()) {
        if (name.rfind("host.", 0) != 0) result[name] = one.dump();
    }
    return result;
}

TEST(library_machine, runs_a_kernel) {
    const machine_of_test machine(tiny());
    machine.expect_working();
    EXPECT_GT(machine.statistic("gpu.cycles"), 0);
}

TEST(library_machine, machines_follow_each_other) {
    const double first = cycles_of_add(1000);
    heddle_options larger = tiny();
    const char* const settings[] = {"gpu.smx_count=4"};
    larger.settings = settings;
    larger.setting_count = 1;
    EXPECT_NE(cycles_of_add(1000, larger), first);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(cycles_of_add(1000), first);
}

TEST(library_machine, a_machine_follows_one_that_broke_off) {
    const double good = cycles_of_add(100);
    {
        const machine_of_test machine(tiny());
        const heddle_shape shape = shape_of(1, 32);
        const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
        EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
        EXPECT_EQ(heddle_synchronize(machine), HEDDLE_KERNEL_FAULT);
    }
    {
        const machine_of_test given_up(tiny());
        (void)given_up.launch_add(5000);  // nobody waits
    }
    EXPECT_EQ(cycles_of_add(100), good);
}

TEST(library_machine, a_second_timed_machine_is_refused_and_the_first_goes_on) {
    const machine_of_test first(tiny());
    const std::uint32_t sum = first.launch_add(200);
    heddle_machine* second = nullptr;
    const heddle_options options = tiny();
    expect_failure(heddle_create(&options, &second), HEDDLE_USAGE, nullptr,
                   "heddle_create: there is a timed machine in this process already");
    EXPECT_EQ(second, nullptr);
    EXPECT_THAT(first.values(sum, 200), testing::Each(3U));
    first.expect_working();
}

TEST(library_machine, functional_machines_live_beside_each_other) {
    const machine_of_test timed(tiny());
    const machine_of_test one(tiny(true));
    const machine_of_test two(tiny(true));
    const std::uint32_t sum = timed.launch_add(100);
    one.expect_working();
    EXPECT_THAT(timed.values(sum, 100), testing::Each(3U));
    two.expect_working();
    one.expect_working();
}

TEST(library_machine, a_configuration_that_is_refused_leaves_no_machine) {
    heddle_options options = tiny();
    options.configuration = "tinny";
    heddle_machine* machine = nullptr;
    expect_failure(heddle_create(&options, &machine), HEDDLE_USAGE, nullptr,
                   "there is no configuration named 'tinny'; did you mean 'tiny'?");
    options.configuration = nullptr;
    options.text = "inherits = \"tiny\"\n[smx]\nmax_bloks = 3\n";
    expect_failure(heddle_create(&options, &machine), HEDDLE_USAGE, nullptr,
                   "configuration text:3:1: unknown key 'smx.max_bloks'; did you mean");
    options.text = "inherits = \"tiny\"\n[smx]\nmax_blocks = ";
    expect_failure(heddle_create(&options, &machine), HEDDLE_USAGE, nullptr,
                   "configuration text:3:14: not valid TOML");
    const char* const settings[] = {"smx.max_blocks=0"};
    options = tiny();
    options.settings = settings;
    options.setting_count = 1;
    expect_failure(heddle_create(&options, &machine), HEDDLE_USAGE, nullptr,
                   "--set smx.max_blocks=0");
    options.text = "";
    options.settings = nullptr;
    expect_failure(heddle_create(&options, &machine), HEDDLE_USAGE, nullptr,
                   "'options.settings' is NULL");
    machine_of_test(tiny()).expect_working();
}

TEST(library_machine, a_text_is_a_configuration) {
    heddle_options options = tiny();
    options.configuration = nullptr;
    options.text = "inherits = \"tiny\"\n[gpu]\nsmx_count = 3\n";
    const machine_of_test machine(options);
    heddle_parameter found{};
    found.size = sizeof found;
    EXPECT_GOOD(heddle_find_parameter(machine, "gpu.smx_count", &found), machine);
    EXPECT_STREQ(found.value, "3");
    EXPECT_STREQ(found.source, "configuration text:3:13");
    EXPECT_STREQ(found.type, "integer");
    EXPECT_THAT(found.legal, HasSubstr("an integer from 1"));
    EXPECT_GOOD(heddle_find_parameter(machine, "smx.max_blocks", &found), machine);
    EXPECT_THAT(found.source, HasSubstr("tiny.toml:"));
    machine.expect_working();
}

TEST(library_machine, lists_every_parameter) {
    const machine_of_test machine(tiny(), /*loaded=*/false);
    std::size_t count = 0;
    EXPECT_GOOD(heddle_parameter_count(machine, &count), machine);
    std::string keys;
    for (std::size_t i = 0; i < count; ++i) {
        heddle_parameter one{};
        one.size = sizeof one;
        EXPECT_GOOD(heddle_get_parameter(machine, i, &one), machine);
        keys += std::string(one.key) + "\n";
    }
    const nlohmann::json listed =
        nlohmann::json::parse(heddle_command({"list", "parameters", "--json"}).output);
    EXPECT_EQ(count, listed.size());
    EXPECT_THAT(keys, HasSubstr("smx.scheduler\n"));
}

/// Each statistic, and each value: the library runs what the command runs.
TEST(library_machine, statistics_are_those_of_the_command) {
    const temporary_directory files;
    const std::string of_library = files / "library.json";
    const std::string of_command = files / "command.json";
    const machine_of_test machine(tiny());
    (void)machine.values(machine.launch_add(300), 300);
    EXPECT_GOOD(heddle_finish(machine), machine);
    EXPECT_GOOD(heddle_write_statistics(machine, of_library.c_str()), machine);
    const command_result ran = heddle_command(
        {"run",   kernels_of_test(), "--config", "tiny",  "--kernel",     "add",     "--grid",
         "5",     "--block",         "64",       "--arg", "a:u32[300]=1", "--arg",   "b:u32[300]=2",
         "--arg", "sum:u32[300]",    "--arg",    "300",   "--stats",      of_command});
    EXPECT_EQ(ran.code, 0) << ran.errors;
    EXPECT_EQ(statistics_of(of_library), statistics_of(of_command));
    std::size_t count = 0;
    EXPECT_GOOD(heddle_statistic_count(machine, &count), machine);
    EXPECT_EQ(count, statistics_of(of_command).size() + 4);  // of scope host
    for (const auto& [name, value] : statistics_of(of_command)) {
        heddle_statistic found{};
        found.size = sizeof found;
        EXPECT_GOOD(heddle_find_statistic(machine, name.c_str(), &found), machine);
        EXPECT_STREQ(found.name, name.c_str());
    }
}

TEST(library_machine, statistics_grow_while_it_runs) {
    const machine_of_test machine(tiny());
    (void)machine.values(machine.launch_add(100), 100);
    const double once = machine.statistic("gpu.warp_instructions");
    EXPECT_EQ(machine.statistic("run.completed"), 0);
    (void)machine.values(machine.launch_add(100), 100);
    EXPECT_EQ(machine.statistic("gpu.warp_instructions"), 2 * once);
    EXPECT_EQ(machine.statistic("gpu.launches"), 2);
    EXPECT_GOOD(heddle_finish(machine), machine);
    EXPECT_EQ(machine.statistic("run.completed"), 1);
    EXPECT_EQ(machine.statistic("gpu.warp_instructions"), 2 * once);
}

TEST(library_machine, counts_reals_and_distributions_say_what_they_are) {
    const machine_of_test machine(tiny());
    (void)machine.values(machine.launch_add(100), 100);
    std::size_t count = 0;
    EXPECT_GOOD(heddle_statistic_count(machine, &count), machine);
    std::map<int, heddle_statistic> seen;
    for (std::size_t i = 0; i < count; ++i) {
        heddle_statistic one{};
        one.size = sizeof one;
        EXPECT_GOOD(heddle_get_statistic(machine, i, &one), machine);
        if (one.measure != HEDDLE_DISTRIBUTION || one.count != 0) seen[one.measure] = one;
    }
    ASSERT_EQ(seen.size(), 4U);
    EXPECT_EQ(seen[HEDDLE_COUNT].value, static_cast<double>(seen[HEDDLE_COUNT].count));
    const heddle_statistic& distribution = seen[HEDDLE_DISTRIBUTION];
    EXPECT_LE(static_cast<double>(distribution.minimum), distribution.value);
    EXPECT_GE(static_cast<double>(distribution.maximum), distribution.value);
}

TEST(library_machine, a_source_is_compiled) {
    const temporary_directory files;
    const std::string source = files.write("k.cpp",
                                           "#include <heddle.h>\n"
                                           "#warning old\n"
                                           "__global__ void k(unsigned* a) { a[1 << 20] = 1; }\n");
    const machine_of_test machine(tiny(), /*loaded=*/false);
    EXPECT_GOOD(heddle_load(machine, source.c_str()), machine);
    const char* text = nullptr;
    EXPECT_GOOD(heddle_diagnostics(machine, &text), machine);
    EXPECT_THAT(text, HasSubstr("k.cpp:2:2: warning: old"));
    const heddle_shape shape = shape_of(1, 1);
    const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
    EXPECT_GOOD(heddle_launch(machine, "k", &shape, &nowhere, 1), machine);
    expect_failure(heddle_synchronize(machine), HEDDLE_KERNEL_FAULT, machine, "k.cpp:3");
    expect_failure(heddle_launch(machine, "x", &shape, nullptr, 0), HEDDLE_USAGE, machine,
                   source + ": has no kernel 'x'");
    const machine_of_test other(tiny(true), /*loaded=*/false);
    files.write("k.cpp", "__global__ void k() { nothing(); }\n");
    expect_failure(heddle_load(other, source.c_str()), HEDDLE_USAGE, other, "k.cpp:1:");
    other.load();
    other.expect_working();
}

void expect_good_end(pid_t child) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(library_machine, a_child_process_makes_a_timed_machine_if_none_was_open) {
    machine_of_test(tiny()).expect_working();
    const machine_of_test functional(tiny(true));
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        machine_of_test(tiny()).expect_working();
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    machine_of_test(tiny()).expect_working();
    expect_good_end(child);
}

/// A child has no threads of the parent's machines: nothing of them may hang it.
TEST(library_machine, a_child_process_has_machines_of_its_own) {
    const machine_of_test machine(tiny());
    const machine_of_test functional(tiny(true));
    const std::uint32_t sum = machine.launch_add(200);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        int code = 0;
        for (heddle_machine* const of_parent :
             {static_cast<heddle_machine*>(machine), static_cast<heddle_machine*>(functional)}) {
            if (heddle_synchronize(of_parent) != HEDDLE_USAGE) code = 1;
            if (heddle_close(of_parent) != HEDDLE_USAGE) code = 2;
        }
        if (std::string(heddle_error_text(nullptr)).find("never was one") == std::string::npos) {
            code = 3;
        }
        heddle_machine* timed = nullptr;
        const heddle_options options = tiny();
        if (heddle_create(&options, &timed) != HEDDLE_USAGE) code = 4;
        machine_of_test(tiny(true)).expect_working();
        _exit(testing::Test::HasFailure() ? 5 : code);
    }
    expect_good_end(child);
    EXPECT_THAT(machine.values(sum, 200), testing::Each(3U));
    functional.expect_working();
}

TEST(library_machine, threads_take_turns) {
    const machine_of_test machine(tiny());
    std::vector<std::thread> callers;
    callers.reserve(4);
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back([&machine] {
            for (int j = 0; j < 5; ++j) machine.expect_working();
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(machine.statistic("gpu.launches"), 20);
}

}  // namespace
}  // namespace heddle
