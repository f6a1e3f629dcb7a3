// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_tree.h"

#include <gmock/gmock.h>

#include <vector>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class launch_tree_test : public testing::Test {
protected:
    std::vector<launch_id> end(launch_id id) {
        std::vector<launch_id> ended;
        EXPECT_TRUE(
            tree_.blocks_ended(id, [&](launch_id over, const auto&) { ended.push_back(over); }));
        return ended;
    }

    static constexpr launch_id host_{1};
    static constexpr launch_id child_{sm_id(0), 1};
    static constexpr launch_id grandchild_{sm_id(1), 1};
    launch_tree tree_;
};

TEST_F(launch_tree_test, a_launch_ends_after_all_that_it_has_caused) {
    EXPECT_TRUE(tree_.add(host_, {}, 0));
    EXPECT_TRUE(tree_.add(child_, host_, 3));
    EXPECT_TRUE(tree_.add(grandchild_, child_, 0));
    EXPECT_THAT(end(host_), IsEmpty());
    EXPECT_THAT(end(child_), IsEmpty());
    EXPECT_EQ(tree_.open_children(host_, 3), 1U);
    EXPECT_THAT(end(grandchild_), ElementsAre(grandchild_, child_, host_));
    EXPECT_EQ(tree_.size(), 0U);
}

TEST_F(launch_tree_test, a_parent_may_end_last) {
    EXPECT_TRUE(tree_.add(host_, {}, 0));
    EXPECT_TRUE(tree_.add(child_, host_, 0));
    EXPECT_THAT(end(child_), ElementsAre(child_));
    EXPECT_THAT(end(host_), ElementsAre(host_));
}

TEST_F(launch_tree_test, a_launch_that_ends_names_its_maker) {
    EXPECT_TRUE(tree_.add(host_, {}, 0));
    EXPECT_TRUE(tree_.add(child_, host_, 3));
    std::vector<launch_tree::maker> makers;
    const auto note = [&](launch_id, const launch_tree::maker& by) { makers.push_back(by); };
    EXPECT_TRUE(tree_.blocks_ended(host_, note));
    EXPECT_TRUE(tree_.blocks_ended(child_, note));
    ASSERT_EQ(makers.size(), 2U);
    EXPECT_EQ(makers[0].launch, host_);
    EXPECT_EQ(makers[0].block, 3U);
    EXPECT_EQ(makers[1].launch, launch_id{});
}

TEST_F(launch_tree_test, children_are_counted_by_block) {
    EXPECT_TRUE(tree_.add(host_, {}, 0));
    EXPECT_TRUE(tree_.add(child_, host_, 3));
    EXPECT_TRUE(tree_.add(grandchild_, host_, 3));
    EXPECT_TRUE(tree_.add(launch_id(sm_id(1), 2), host_, 4));
    EXPECT_EQ(tree_.open_children(host_, 3), 2U);
    EXPECT_EQ(tree_.open_children(host_, 4), 1U);
    EXPECT_EQ(tree_.open_children(host_, 5), 0U);
    (void)end(child_);
    EXPECT_EQ(tree_.open_children(host_, 3), 1U);
    (void)end(grandchild_);
    EXPECT_EQ(tree_.open_children(host_, 3), 0U);
    EXPECT_EQ(tree_.open_children(host_, 4), 1U);
}

TEST_F(launch_tree_test, refuses_what_makes_no_sense) {
    EXPECT_FALSE(tree_.add(child_, host_, 0));  // no such parent
    EXPECT_TRUE(tree_.add(host_, {}, 0));
    EXPECT_FALSE(tree_.add(host_, {}, 0));
    const auto ignore = [](launch_id, const auto&) { ADD_FAILURE() << "nothing has ended"; };
    EXPECT_FALSE(tree_.blocks_ended(child_, ignore));
    EXPECT_TRUE(tree_.add(child_, host_, 0));
    EXPECT_TRUE(tree_.blocks_ended(host_, ignore));
    EXPECT_FALSE(tree_.blocks_ended(host_, ignore));  // again
}

}  // namespace
}  // namespace heddle
