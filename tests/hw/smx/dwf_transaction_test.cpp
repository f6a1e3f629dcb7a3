// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Dynamic warp formation and threads that run a transaction together.
#include <gmock/gmock.h>

#include "hw/smx/thread_pool/dwf/warp_policies.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

using testing::ElementsAre;

dwf_configuration in_time() {
    return dwf_fixture::with(warp_policies::key<time_policy>);
}

TEST(dwf_transactions, no_thread_joins_a_transaction_nor_does_one_join_another) {
    dwf_fixture f(32, 4, in_time());
    f.arrive(8, 0, 0b0001);
    f.arrive(8, 2, 0b0010, false, 0, 1);
    f.arrive(8, 4, 0b0100, false, 0, 2);
    f.arrive(8, 6, 0b1000);
    f.former->pass(4);
    f.former->pass(4);
    EXPECT_THAT(f.pick().threads, ElementsAre(0, 195));
    EXPECT_THAT(f.pick().threads, ElementsAre(65));
    EXPECT_THAT(f.pick().threads, ElementsAre(130));
    EXPECT_EQ(f.former->counts().joined, 1U);
}

/// A home lane has two places; others than these threads take the first that is free.
TEST(dwf_transactions, threads_of_a_transaction_keep_their_lanes_where_they_have_several_places) {
    for (const std::uint16_t transaction : {0, 1}) {
        dwf_configuration c = in_time();
        c.home_lanes = home_lane_count::pipeline;
        c.swizzling = lane_swizzling::none;
        dwf_fixture f(4, 2, c);
        f.arrive(8, 0, 0b1100, false, 0, transaction);
        EXPECT_EQ(f.turn().lanes, transaction == 0 ? 0b0011U : 0b1100U);
    }
}

TEST(dwf_transactions, a_transaction_comes_back_from_the_overflow_list_as_it_went) {
    dwf_configuration c = in_time();
    c.pool_entries = 2;
    dwf_fixture f(32, 4, c);
    f.arrive(4, 0, 0b0001);
    f.arrive(8, 2, 0b0001);
    f.former->pass(4);
    f.arrive(8, 4, 0b1010, false, 0, 3);
    f.former->pass(4);
    EXPECT_EQ(f.former->occupancy().overflow, 2U);
    EXPECT_THAT(f.pick().threads, ElementsAre(0));
    issued_group last;
    for (unsigned n = 0; n < 1000; ++n) {
        const issued_group group = f.turn();
        if (group.lanes == 0b1010) last = group;
    }
    EXPECT_THAT(last.threads, ElementsAre(129, 131));
}

}  // namespace
}  // namespace heddle
