// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What is kept of a pair that fails, and the file that keeps it.
#include "tests/cross/shrink.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "models/base/error.h"
#include "tests/base/temporary_directory.h"
#include "tests/cross/pair.h"

namespace heddle::cross {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A crossing whose first kernel has a vote.
crossing with_a_vote() {
    for (unsigned seed = 1;; ++seed) {
        random_stream random(seed, "shrink_test");
        crossing made;
        made.machine = {"gk110", {"smx.formation=dwf", "smx.scheduler=lrr", "coop.preempt=true"}};
        made.kernels = {draw_kernel(random, "a"), draw_kernel(random, "b")};
        made.launches = {{0, 3, 33, 1, {3, 1, {}}}, {1, 2, 7, 0, {}}};
        if (source_text(made.kernels[0]).find("__ballot_sync") != std::string::npos) return made;
    }
}

TEST(shrink, only_what_the_failure_needs_is_left) {
    const auto fails = [](const crossing& one) {
        const auto& changes = one.machine.changes;
        return std::count(changes.begin(), changes.end(), "smx.scheduler=lrr") != 0 &&
               source_text(one.kernels[0]).find("__ballot_sync") != std::string::npos;
    };
    const auto first_failing = [&](const std::vector<crossing>& steps) {
        return static_cast<std::size_t>(std::find_if(steps.begin(), steps.end(), fails) -
                                        steps.begin());
    };
    const crossing small = shrink(with_a_vote(), first_failing, [] { return true; });
    EXPECT_EQ(small.machine.configuration, "tiny");
    EXPECT_THAT(small.machine.changes, ElementsAre("smx.scheduler=lrr"));
    ASSERT_EQ(small.launches.size(), 1U);
    EXPECT_EQ(small.launches[0].blocks, 1U);
    EXPECT_EQ(small.launches[0].threads, 1U);
    ASSERT_EQ(small.kernels.size(), 1U);
    std::size_t statements = small.kernels[0].body.size();
    for (const auto& function : small.kernels[0].functions) statements += function.body.size();
    EXPECT_EQ(statements, 1U) << source_text(small.kernels[0]);
}

TEST(shrink, no_time_no_step) {
    const auto all_fail = [](const std::vector<crossing>&) -> std::size_t { return 0; };
    EXPECT_EQ(shrink(with_a_vote(), all_fail, [] { return false; }).launches.size(), 2U);
}

TEST(pair_text, a_file_gives_the_pair_that_was_written) {
    const pair one = pair_of(with_a_vote(), 3);
    const pair read = pair_from(text_of(one, "a line\nand another"));
    EXPECT_EQ(text_of(read, ""), text_of(one, ""));
    EXPECT_EQ(read.source, one.source);
    EXPECT_EQ(read.launches[0].out, one.launches[0].out);
}

TEST(pair_text, a_line_that_is_none_is_named) {
    EXPECT_THAT(message_of<configuration_error>([] { (void)pair_from("config tiny\nsett a=1\n"); }),
                HasSubstr("line 2: 'sett a=1'"));
    EXPECT_THAT(message_of<configuration_error>([] { (void)pair_from("config tiny\n"); }),
                HasSubstr("ends with 'source'"));
}

}  // namespace
}  // namespace heddle::cross
