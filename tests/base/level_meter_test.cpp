// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/level_meter.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(level_meter, weighs_levels_by_their_time_and_leaves_idle_time_out) {
    level_meter meter;
    EXPECT_EQ(meter.mean(0), 0.0);
    EXPECT_EQ(meter.mean(100), 0.0);
    meter.set(100, 1);
    meter.set(110, 3);
    meter.set(110, 4);  // in the same cycle: the last one counts
    EXPECT_EQ(meter.busy(120), 20U);
    EXPECT_EQ(meter.mean(120), 2.5);
    EXPECT_EQ(meter.sum(110), 10U);
    EXPECT_EQ(meter.sum(115), 30U);
    meter.set(120, 0);
    EXPECT_EQ(meter.busy(1000), 20U);
    EXPECT_EQ(meter.mean(1000), 2.5);
    EXPECT_EQ(meter.sum(1000), 50U);
    EXPECT_EQ(meter.maximum(), 4U);
    EXPECT_EQ(meter.level(), 0U);
}

}  // namespace
}  // namespace heddle
