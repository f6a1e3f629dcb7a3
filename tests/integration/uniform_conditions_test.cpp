// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Legal kernels whose barriers and votes an optimizer would break, at all its levels and on the
// timed machine, under all formations that run them. Results are those of the source.
#include <gmock/gmock.h>

#include "tb/kit/paths.h"
#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using testing::HasSubstr;
using words = std::vector<std::string>;

command_result run(const std::string& program, const std::string& kernel, const words& more) {
    words all{"run", program, "--kernel", kernel,  "--grid",      "1",      "--block",
              "64",  "--arg", "4",        "--arg", "out:u32[64]", "--check"};
    all.insert(all.end(), more.begin(), more.end());
    return heddle_command(all);
}

class uniform_conditions_run : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const auto compiled = heddle_command(
            {"compile", source_path("tests/integration/kernels/uniform_conditions_kernel.cpp"),
             "-o", program_, "-O" + GetParam()});
        ASSERT_EQ(compiled.code, 0) << compiled.errors;
    }

    void expect(const std::string& kernel, const std::string& first_words,
                const words& more = {}) const {
        const auto result = run(program_, kernel, more);
        EXPECT_EQ(result.code, 0) << kernel << ": " << result.errors;
        EXPECT_THAT(result.output, HasSubstr("out u32[64]: " + first_words + " ...\n")) << kernel;
    }

    const temporary_directory files_;
    const std::string program_ = files_ / "uniform_conditions.elf";
};

TEST_P(uniform_conditions_run, barriers_meet_as_the_source_says) {
    expect("same_test_twice", "4 4 4 4 4 4 4 4");
    expect("barrier_in_all_turns_but_the_last", "1 1 1 1 1 0 0 0");
    expect("returns_one_by_one", "246 0 63 125 186 246 246 246");
    expect("returns_one_by_one_in_a_function", "246 0 63 125 186 246 246 246");
    expect("returns_from_a_scope", "100 0 1 2 3 100 100 100");
    expect("returns_from_a_scope_before_a_barrier", "4 4 4 4 7 4 4 4");
    expect("barrier_in_a_called_function", "4 4 4 4 4 4 4 4");
    expect("all_inside_an_if", "1 2 3 4 5 6 7 8");
    expect("barrier_in_an_inlined_function", "4 4 4 4 4 4 4 4");
    expect("short_circuits", "5 5 5 5 5 5 5 5");
    expect("barriers_in_a_switch", "6 6 6 6 6 6 6 6");
}

TEST_P(uniform_conditions_run, votes_count_all_threads) {
    expect("vote_in_all_turns_but_the_last", "1 1 1 1 1 0 0 128");
    expect("vote_beside_a_clock", "1 1 1 1 1 0 0 128");
}

TEST_P(uniform_conditions_run, other_formations_and_warps_do_the_same) {
    const words narrow{"--set", "gpu.warp_size=8", "--set", "smx.max_threads=512"};
    expect("returns_one_by_one", "246 0 63 125 186 246 246 246", narrow);
    expect("same_test_twice", "4 4 4 4 4 4 4 4", narrow);
    for (const std::string formation : {"nrec", "dwf", "mimd"}) {
        const words more{"--config", "g80", "--set", "smx.formation=" + formation};
        expect("returns_one_by_one", "246 0 63 125 186 246 246 246", more);
        expect("barrier_in_all_turns_but_the_last", "1 1 1 1 1 0 0 0", more);
        expect("returns_from_a_scope", "100 0 1 2 3 100 100 100", more);
    }
}

INSTANTIATE_TEST_SUITE_P(level, uniform_conditions_run, testing::Values("0", "1", "2", "3"));

}  // namespace
}  // namespace heddle
