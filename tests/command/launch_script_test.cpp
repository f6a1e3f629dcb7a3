// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/launch_script.h"

#include <gmock/gmock.h>

#include "models/base/error.h"
#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string minimal = "program = \"a.elf\"\n[[launch]]\n";

std::string refusal(const std::string& text) {
    const temporary_directory files;
    const std::string script = files.write("run.toml", text);
    return message_of<configuration_error>([&] { (void)read_launch_script(script); });
}

TEST(launch_script, says_what_is_launched_in_order) {
    const temporary_directory files;
    const launch_plan plan = read_launch_script(files.write("run.toml", R"(
program = "a.elf"
tolerance = [1e-9, 0.5]

[buffers]
z = "f64[8]=iota"
a = "@in.npy"

[[launch]]
kernel = "first"
grid = [2, 3]
block = 64
shared = 128
cooperative = true
stream = 1
arguments = [8, 0.5, true, "z", "null"]

[[launch]]
kernel = "second"

[save]
z = "out.npy"
[golden]
a = "expected.csv"
)"));
    EXPECT_EQ(plan.program, files / "a.elf");
    ASSERT_EQ(plan.buffers.size(), 2U);
    EXPECT_EQ(plan.buffers[0].name, "z");  // the order of the file
    EXPECT_EQ(plan.buffers[0].definition.text, "f64[8]=iota");
    EXPECT_EQ(plan.buffers[1].definition.text, "@in.npy");
    EXPECT_THAT(plan.buffers[1].definition.where, HasSubstr("run.toml:7:5: buffers.a"));
    ASSERT_EQ(plan.launches.size(), 2U);
    const planned_launch& first = plan.launches[0];
    EXPECT_EQ(first.kernel, "first");
    EXPECT_EQ(first.grid, (dim3{2, 3, 1}));
    EXPECT_EQ(first.block, (dim3{64, 1, 1}));
    EXPECT_EQ(first.shared_bytes, 128U);
    EXPECT_TRUE(first.cooperative);
    EXPECT_EQ(first.stream, 1U);
    std::vector<std::string> texts;
    for (const located_text& argument : first.arguments) texts.push_back(argument.text);
    EXPECT_THAT(texts, ElementsAre("8", "0.5", "1", "z", "null"));
    EXPECT_THAT(first.arguments[1].where, HasSubstr("run.toml:16:17: argument 0.5"));
    EXPECT_EQ(plan.launches[1].block, (dim3{32, 1, 1}));
    EXPECT_EQ(plan.saved[0].file, files / "out.npy");
    EXPECT_EQ(plan.golden[0].file, files / "expected.csv");
    EXPECT_EQ(plan.tolerance->absolute, 0.5);
    EXPECT_THAT(plan.inputs(), ElementsAre(files / "in.npy", files / "expected.csv"));
}

TEST(launch_script, errors_have_line_and_column) {
    const std::pair<std::string, const char*> cases[] = {
        {"program = \"a.elf\"\n", "run.toml: there is no [[launch]]"},
        {"[[launch]]\n", "run.toml: there is no program"},
        {"programm = \"a.elf\"\n", "run.toml:1:12: unknown key 'programm'; did you mean 'program'"},
        {"program = 5\n", "run.toml:1:11: program must be text"},
        {"program = \"a.elf\n", "run.toml:1:17: not valid TOML"},
        {minimal + "grid = 0\n", "run.toml:3:8: grid must be a whole number from 1 to 4294967295"},
        {minimal + "grid = [1, 2, 3, 4]\n", "run.toml:3:8: grid must be X, [X, Y] or [X, Y, Z]"},
        {minimal + "block = [1, \"x\"]\n", "run.toml:3:13: block must be a whole number"},
        {minimal + "shared = -1\n", "run.toml:3:10: shared must be"},
        {minimal + "stream = 1024\n",
         "run.toml:3:10: stream must be a whole number from 0 to 1023"},
        {minimal + "cooperative = 1\n", "run.toml:3:15: cooperative must be true or false"},
        {minimal + "arguments = 1\n", "run.toml:3:13: arguments must be an array"},
        {minimal + "arguments = [[1]]\n", "run.toml:3:14: an argument must be text"},
        {minimal + "blok = 1\n", "run.toml:3:8: unknown key 'blok'; did you mean 'block'"},
        {minimal + "[buffers]\nx = 1\n", "run.toml:4:5: x must be text"},
        {"launch = 1\n", "run.toml:1:10: launch must be [[launch]]"},
        {"tolerance = -1\n", "run.toml:1:13: tolerance must be REL or [REL, ABS]"},
        {"tolerance = []\n", "run.toml:1:13: tolerance must be REL or [REL, ABS]"},
        {"save = \"x\"\n", "run.toml:1:8: save must be a table"}};
    for (const auto& [text, message] : cases) {
        EXPECT_THAT(refusal(text), HasSubstr(message)) << text;
    }
    const std::string missing =
        message_of<configuration_error>([] { (void)read_launch_script("none.toml"); });
    EXPECT_THAT(missing, HasSubstr("cannot read the launch script 'none.toml': No such file"));
}

}  // namespace
}  // namespace heddle::command
