// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/control_register.h"

#include <gmock/gmock.h>

#include <vector>

namespace heddle {
namespace {

struct register_of_70 : testing::Test {
    void load(dim3 grid, std::uint32_t kde = 0) {
        const auto launch = launches.make();
        launch->grid = grid;
        sscr.load(launch, kde_index(kde));
    }

    pool<protocol::kernel_launch> launches{"launches"};
    control_register sscr{70};
};

TEST_F(register_of_70, names_each_block_once_in_linear_order) {
    EXPECT_FALSE(sscr.valid());
    load({3, 2, 2}, 5);
    std::vector<dim3> positions;
    for (std::uint32_t block = 0; block < 12; ++block) {
        ASSERT_TRUE(sscr.valid());
        EXPECT_EQ(sscr.kde(), kde_index(5));
        EXPECT_EQ(sscr.next_block(), block);
        positions.push_back(sscr.position());
        EXPECT_EQ(sscr.advance(), block == 11);
    }
    for (std::uint32_t block = 0; block < 12; ++block) {
        EXPECT_EQ(positions[block], (dim3{block % 3, block / 3 % 2, block / 6}));
    }
    EXPECT_FALSE(sscr.valid());
    EXPECT_EQ(sscr.kde(), kde_index(0));
    EXPECT_EQ(sscr.next_block(), 0U);
    EXPECT_EQ(launches.live(), 0U) << "it keeps what has been distributed";
}

TEST_F(register_of_70, each_launch_comes_to_an_smx_for_the_first_time) {
    load({9, 1, 1});
    for (const std::uint32_t sm : {0U, 63U, 64U, 69U}) {
        EXPECT_TRUE(sscr.visit(sm_id(sm))) << sm;
        EXPECT_FALSE(sscr.visit(sm_id(sm))) << sm;
    }
    load({1, 1, 1});
    EXPECT_EQ(sscr.next_block(), 0U);
    EXPECT_TRUE(sscr.visit(sm_id(0)));
    EXPECT_TRUE(sscr.visit(sm_id(69)));
}

}  // namespace
}  // namespace heddle
