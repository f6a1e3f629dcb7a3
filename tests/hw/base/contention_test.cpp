// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/contention.h"

#include <gmock/gmock.h>

#include "hw/base/work_threshold.h"

namespace heddle {
namespace {

/// Instants of the rest that has just begun.
std::uint32_t instants_of_rest(contention& cores) {
    std::uint32_t count = 0;
    while (cores.rests()) ++count;
    return count;
}

TEST(contention, rests_twice_as_long_each_time) {
    contention cores;
    EXPECT_FALSE(cores.rests());
    cores.shared(true);
    EXPECT_EQ(instants_of_rest(cores), contention::shortest_rest);
    cores.shared(true);
    EXPECT_EQ(instants_of_rest(cores), 2 * contention::shortest_rest);
    for (int i = 0; i < 40; ++i) {
        cores.shared(true);
        (void)instants_of_rest(cores);
    }
    cores.shared(true);
    EXPECT_EQ(instants_of_rest(cores), contention::longest_rest);
}

TEST(contention, rests_shortly_after_many_good_instants) {
    contention cores;
    for (int i = 0; i < 3; ++i) {
        cores.shared(true);
        (void)instants_of_rest(cores);
    }
    for (std::uint32_t i = 0; i + 1 < contention::good_for_short; ++i) cores.shared(false);
    EXPECT_FALSE(cores.rests());
    cores.shared(true);
    EXPECT_EQ(instants_of_rest(cores), 8 * contention::shortest_rest) << "one short of many";
    cores.shared(false);
    cores.shared(true);
    EXPECT_EQ(instants_of_rest(cores), 16 * contention::shortest_rest) << "not in a row";
    for (std::uint32_t i = 0; i < contention::good_for_short; ++i) cores.shared(false);
    cores.shared(true);
    EXPECT_EQ(instants_of_rest(cores), contention::shortest_rest);
}

TEST(work_threshold, once_reached_less_work_is_enough) {
    work_threshold work;
    EXPECT_FALSE(work.reached(work_threshold::begin - 1));
    EXPECT_TRUE(work.reached(work_threshold::begin));
    EXPECT_TRUE(work.reached(work_threshold::end));
    EXPECT_FALSE(work.reached(work_threshold::end - 1));
    EXPECT_FALSE(work.reached(work_threshold::begin - 1));
}

}  // namespace
}  // namespace heddle
