// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// heddle run with an SMX behind pins.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

command_result run_on(const std::string& what, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run",      "saxpy", "--config", "tiny",
                                   "--option", "n=512", "--set",    "slot.smx=" + what};
    words.insert(words.end(), more.begin(), more.end());
    return heddle_command(words);
}

bool has_rtl() {
    return heddle_command({"list", "parameters"}).output.find("tlm, pins, rtl, shadow") !=
           std::string::npos;
}

TEST(smx_slot, shadow_compares_and_rtl_does_not) {
    if (!has_rtl()) GTEST_SKIP();
    const command_result shadow = run_on("shadow");
    EXPECT_EQ(shadow.code, 0) << shadow.errors;
    EXPECT_THAT(shadow.output, testing::ContainsRegex("\ncheck +equal +[0-9]"));
    const command_result rtl = run_on("rtl");
    EXPECT_EQ(rtl.code, 0) << rtl.errors;
    EXPECT_THAT(rtl.output, Not(HasSubstr("\ncheck ")));
}

TEST(smx_slot, rtl_without_a_block_is_an_error) {
    if (!has_rtl()) GTEST_SKIP();
    const command_result none =
        run_on("rtl", {"--set", "gpu.smx_count=16", "--set", "slot.smx.where=gpu.smx_15"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.errors, HasSubstr("slot.smx: the RTL has executed no instruction"));
    const command_result some =
        run_on("rtl", {"--set", "gpu.smx_count=16", "--set", "slot.smx.where=gpu.smx_0"});
    EXPECT_EQ(some.code, 0) << some.errors;
}

TEST(smx_slot, a_debugger_needs_registers) {
    if (!has_rtl()) GTEST_SKIP();
    const command_result debugged = run_on("rtl", {"--gdb", "0"});
    EXPECT_EQ(debugged.code, 2);
    EXPECT_THAT(debugged.errors, HasSubstr("gpu.smx_0 is RTL; legal: slot.smx = tlm and pins"));
}

TEST(smx_slot, retired_instructions_and_pins_are_written) {
    if (!has_rtl()) GTEST_SKIP();
    const temporary_directory files;
    const std::string retired = files / "retired.txt";
    const std::string waves = files / "pins.vcd";
    const command_result run =
        run_on("rtl", {"--retire", retired, "--vcd", waves, "--trace-scope", "gpu.smx_0_pins"});
    EXPECT_EQ(run.code, 0) << run.errors;
    EXPECT_THAT(contents_of(retired), AllOf(HasSubstr("lw"), HasSubstr("fmadd.s")));
    EXPECT_THAT(contents_of(waves),
                AllOf(HasSubstr("dispatch_region"), HasSubstr("request_compare"),
                      HasSubstr("retire_next_lanes")));
}

}  // namespace
}  // namespace heddle
