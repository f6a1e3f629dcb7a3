// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// OpenCL C kernels as users run them, on both machines.
#include <gmock/gmock.h>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using words = std::vector<std::string>;

class opencl_run : public testing::TestWithParam<const char*> {
protected:
    /// `heddle run` of the kernel of a source.
    command_result run(const std::string& source, const words& more) {
        const std::string program = files_ / "k.elf";
        const command_result compiled =
            heddle_command({"compile", files_.write("k.cl", source), "-o", program});
        EXPECT_EQ(compiled.code, 0) << compiled.errors;
        words all{"run", program, "--config", "tiny"};
        if (*GetParam() != '\0') all.emplace_back(GetParam());
        all.insert(all.end(), more.begin(), more.end());
        return heddle_command(all);
    }

private:
    const temporary_directory files_;
};
INSTANTIATE_TEST_SUITE_P(machines, opencl_run, testing::Values("", "--functional", "--check"));

TEST_P(opencl_run, indices_begin_at_the_offset) {
    const command_result result = run(
        "kernel void k(global uint* out) { out[get_group_id(0)] = get_global_offset(0) * 10000 +"
        " get_global_id(0) * 10 + get_work_dim(); }",
        {"--arg", "out:u32[3]", "--grid", "3", "--block", "1,2", "--offset", "7"});
    EXPECT_THAT(result.output, HasSubstr("out u32[3]: 70072 70082 70092\n")) << result.errors;
}

TEST_P(opencl_run, text_comes_before_the_results) {
    const command_result result =
        run("kernel void k() { if (get_local_id(0) == 0) printf(\"group %d of %.1f\\n\","
            " (int)get_group_id(0), 2.5f); }",
            {"--grid", "2"});
    EXPECT_THAT(result.output, StartsWith("group 0 of 2.5\ngroup 1 of 2.5\n")) << result.errors;
}

TEST_P(opencl_run, text_before_a_fault_is_not_lost) {
    const command_result result =
        run("kernel void k() { printf(\"before\\n\"); *(volatile global int*)0xf0000000u = 1; }",
            {"--block", "1"});
    EXPECT_THAT(result.output, StartsWith("before\n"));
    EXPECT_EQ(result.code, 3);
}

TEST_P(opencl_run, an_offset_that_is_none_is_refused) {
    const command_result result = run("kernel void k() {}", {"--offset", "1,x"});
    EXPECT_THAT(result.errors,
                HasSubstr("--offset 1,x: expected X, X,Y or X,Y,Z with whole numbers from 0 on"));
}

}  // namespace
}  // namespace heddle
