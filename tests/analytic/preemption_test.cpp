// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/analytic/preemption.h"

#include <gtest/gtest.h>

namespace heddle::analytic {
namespace {

/// Table 3 of the paper: light, medium, heavy.
TEST(preemption, slows_down_as_table_3_says) {
    EXPECT_NEAR(preemption_slowdown(70, 3), 1.04, 0.005);
    EXPECT_NEAR(preemption_slowdown(40, 3), 1.08, 0.005);
    EXPECT_NEAR(preemption_slowdown(40, 10), 1.33, 0.005);
}

}  // namespace
}  // namespace heddle::analytic
