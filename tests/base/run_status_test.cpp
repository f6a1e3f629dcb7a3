// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/run_status.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(run_status, is_good_until_something_is_reported) {
    const run_status status;
    EXPECT_FALSE(status.stop_requested());
    EXPECT_EQ(status.kind(), error_kind::none);
    EXPECT_EQ(status.text(), "");
    EXPECT_EQ(exit_code(status.kind()), 0);
}

TEST(run_status, the_first_report_decides_the_kind) {
    run_status status;
    status.report(error_kind::kernel_fault, "warp 3: trap");
    status.report(error_kind::no_progress, "nothing moves");
    EXPECT_TRUE(status.stop_requested());
    EXPECT_EQ(status.kind(), error_kind::kernel_fault);
    EXPECT_EQ(exit_code(status.kind()), 3);
    EXPECT_EQ(status.text(), "warp 3: trap\nnothing moves\n");
}

TEST(run_status, a_report_without_a_kind_is_a_violated_invariant) {
    run_status status;
    status.report(error_kind::none, "?");
    EXPECT_EQ(status.kind(), error_kind::wrong_result);
}

TEST(run_status, keeps_the_first_messages_and_counts_the_rest) {
    run_status status;
    for (int i = 0; i < 100; ++i) status.report(error_kind::wrong_result, std::to_string(i));
    ASSERT_EQ(status.messages().size(), run_status::message_limit);
    EXPECT_EQ(status.messages().front(), "0");
    EXPECT_EQ(status.messages().back(), "31");
    EXPECT_EQ(status.report_count(), 100U);
    EXPECT_NE(status.text().find("31\n... and 68 more\n"), std::string::npos);
}

TEST(run_status, every_kind_has_its_exit_code) {
    EXPECT_EQ(exit_code(error_kind::wrong_result), 1);
    EXPECT_EQ(exit_code(error_kind::configuration), 2);
    EXPECT_EQ(exit_code(error_kind::kernel_fault), 3);
    EXPECT_EQ(exit_code(error_kind::no_progress), 4);
    EXPECT_EQ(exit_code(error_kind::interrupted), 130);
}

}  // namespace
}  // namespace heddle
