// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"
#include "tests/library/library_kit.h"

namespace heddle {
namespace {

using testing::HasSubstr;

/// The command's files of the same run.
void run_command(const std::vector<std::string>& options) {
    std::vector<std::string> words{
        "run",   kernels_of_test(), "--config", "tiny",  "--kernel",     "add",   "--grid",
        "5",     "--block",         "64",       "--arg", "a:u32[300]=1", "--arg", "b:u32[300]=2",
        "--arg", "sum:u32[300]",    "--arg",    "300"};
    words.insert(words.end(), options.begin(), options.end());
    const command_result ran = heddle_command(words);
    EXPECT_EQ(ran.code, 0) << ran.errors;
}

/// Names of buffers do not appear in these files.
TEST(library_outputs, files_are_those_of_the_command) {
    const temporary_directory files;
    machine_of_test machine(tiny(), /*loaded=*/false);
    EXPECT_GOOD(heddle_attach_waveform(machine, (files / "a.vcd").c_str()), machine);
    EXPECT_GOOD(heddle_attach_timeline(machine, (files / "a.json").c_str()), machine);
    EXPECT_GOOD(heddle_attach_retire(machine, (files / "a.txt").c_str()), machine);
    EXPECT_GOOD(heddle_trace_scope(machine, "gpu.smx_1"), machine);
    EXPECT_GOOD(heddle_trace_cycles(machine, "10:200"), machine);
    EXPECT_GOOD(heddle_retire_scope(machine, "block=1-2"), machine);
    machine.load();
    (void)machine.values(machine.launch_add(300), 300);
    EXPECT_FALSE(std::filesystem::exists(files / "a.vcd"));  // whole, or not at all
    machine.close();
    run_command({"--vcd", files / "b.vcd", "--timeline", files / "b.json", "--retire",
                 files / "b.txt", "--trace-scope", "gpu.smx_1", "--trace-cycles", "10:200",
                 "--retire-scope", "block=1-2"});
    for (const char* const ending : {".vcd", ".json", ".txt"}) {
        const std::string found = contents_of(files / (std::string("a") + ending));
        EXPECT_GT(found.size(), 500U) << ending;
        EXPECT_EQ(found, contents_of(files / (std::string("b") + ending))) << ending;
    }
}

TEST(library_outputs, finish_completes_them) {
    const temporary_directory files;
    const machine_of_test machine(tiny(), /*loaded=*/false);
    EXPECT_GOOD(heddle_attach_retire(machine, (files / "a.txt").c_str()), machine);
    machine.load();
    (void)machine.launch_add(300);  // nobody waits
    EXPECT_GOOD(heddle_finish(machine), machine);
    run_command({"--retire", files / "b.txt"});
    EXPECT_EQ(contents_of(files / "a.txt"), contents_of(files / "b.txt"));
    EXPECT_GOOD(heddle_finish(machine), machine);  // nothing
    std::uint32_t address = 0;
    expect_failure(heddle_allocate(machine, 4, nullptr, &address), HEDDLE_USAGE, machine,
                   "the run has ended with heddle_finish()");
}

TEST(library_outputs, a_run_that_breaks_off_has_files_of_what_ran) {
    const temporary_directory files;
    machine_of_test machine(tiny(), /*loaded=*/false);
    EXPECT_GOOD(heddle_attach_retire(machine, (files / "a.txt").c_str()), machine);
    machine.load();
    const heddle_shape shape = shape_of(1, 32);
    const heddle_argument nowhere = heddle_pointer(machine.filled({0}));
    EXPECT_GOOD(heddle_launch(machine, "far_away", &shape, &nowhere, 1), machine);
    EXPECT_EQ(heddle_synchronize(machine), HEDDLE_KERNEL_FAULT);
    EXPECT_THAT(contents_of(files / "a.txt"), HasSubstr("\tlui"));
}

TEST(library_outputs, wrong_names_are_refused_and_the_machine_goes_on) {
    const temporary_directory files;
    const machine_of_test machine(tiny(), /*loaded=*/false);
    expect_failure(heddle_attach_waveform(machine, "a.FST"), HEDDLE_USAGE, machine,
                   "heddle_attach_waveform: --vcd a.FST: unknown file type '.FST'");
    expect_failure(heddle_attach_waveform(machine, ""), HEDDLE_USAGE, machine, "'file' is empty");
    expect_failure(heddle_trace_scope(machine, "gpu"), HEDDLE_USAGE, machine,
                   "--trace-scope needs --vcd FILE or --timeline FILE");
    expect_failure(heddle_retire_scope(machine, "smx=0"), HEDDLE_USAGE, machine,
                   "--retire-scope needs --retire FILE");
    const std::string file = files / "a.json";
    EXPECT_GOOD(heddle_attach_timeline(machine, file.c_str()), machine);
    expect_failure(heddle_attach_retire(machine, file.c_str()), HEDDLE_USAGE, machine,
                   "both write");
    machine.load();
    expect_failure(heddle_attach_retire(machine, (files / "a.txt").c_str()), HEDDLE_USAGE, machine,
                   "the machine is built already");
    machine.expect_working();
}

TEST(library_outputs, a_functional_machine_writes_none) {
    const machine_of_test machine(tiny(true));
    expect_failure(heddle_attach_retire(machine, "a.txt"), HEDDLE_USAGE, machine,
                   "a functional machine has no time");
    machine.expect_working();
}

TEST(library_outputs, what_cannot_be_written_is_said_when_the_machine_is_built) {
    const machine_of_test machine(tiny(), /*loaded=*/false);
    EXPECT_GOOD(heddle_attach_retire(machine, "/nowhere/a.txt"), machine);
    expect_failure(heddle_load(machine, kernels_of_test().c_str()), HEDDLE_USAGE, machine,
                   "cannot write '/nowhere/a.txt'");
    expect_failure(heddle_write_statistics(machine, "/nowhere/a.json"), HEDDLE_USAGE, machine,
                   "cannot write '/nowhere/a.");
    // It can still say what it is made of.
    std::size_t count = 0;
    EXPECT_GOOD(heddle_parameter_count(machine, &count), machine);
}

}  // namespace
}  // namespace heddle
