// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_table.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace heddle {
namespace {

using testing::ElementsAre;

prepared_launch launch(launch_id id, launch_id parent = {}) {
    prepared_launch made;
    made.id = id;
    made.parent = parent;
    made.shape.grid.x = id.count() + 10;
    return made;
}

struct listener final : launch_observer {
    listener(std::string name, std::vector<std::string>& into)
        : name(std::move(name)), log(&into) {}
    void launched(const prepared_launch& l) override {
        log->push_back(name + to_text(l.id) + (l.parent == launch_id{} ? "" : "<") +
                       (l.parent == launch_id{} ? "" : to_text(l.parent)));
        last = &l;
    }

    std::string name;
    std::vector<std::string>* log;
    const prepared_launch* last = nullptr;
};

TEST(launch_table, holds_a_launch_from_its_entry_to_its_end) {
    launch_table table;
    EXPECT_EQ(table.find(launch_id(1)), nullptr);
    const prepared_launch* const first = table.enter(launch(launch_id(1)));
    ASSERT_NE(first, nullptr);
    const prepared_launch* const child = table.enter(launch(launch_id(sm_id(0), 1), launch_id(1)));
    EXPECT_EQ(table.find(launch_id(1)), first);
    EXPECT_EQ(table.find(launch_id(sm_id(0), 1)), child);
    EXPECT_EQ(child->parent, launch_id(1));
    EXPECT_EQ(child->shape.grid.x, 11U);
    EXPECT_TRUE(table.remove(launch_id(1)));
    EXPECT_EQ(table.find(launch_id(1)), nullptr);
    EXPECT_EQ(table.size(), 1U);
}

TEST(launch_table, an_entry_stays_where_it_is) {
    launch_table table;
    std::vector<const prepared_launch*> entries;
    for (std::uint32_t i = 1; i <= 1000; ++i) entries.push_back(table.enter(launch(launch_id(i))));
    for (std::uint32_t i = 1; i <= 1000; i += 2) EXPECT_TRUE(table.remove(launch_id(i)));
    for (std::uint32_t i = 2; i <= 1000; i += 2) {
        EXPECT_EQ(table.find(launch_id(i)), entries[i - 1]);
        EXPECT_EQ(entries[i - 1]->shape.grid.x, i + 10);
    }
}

TEST(launch_table, refuses_an_id_that_is_there_and_one_that_is_none) {
    launch_table table;
    std::vector<std::string> heard;
    listener one("", heard);
    table.observe(one);
    ASSERT_NE(table.enter(launch(launch_id(1))), nullptr);
    EXPECT_EQ(table.enter(launch(launch_id(1))), nullptr);
    EXPECT_EQ(table.announce(launch(launch_id(1))), nullptr);
    EXPECT_EQ(table.enter(launch(launch_id{})), nullptr);
    EXPECT_FALSE(table.remove(launch_id(2)));
    EXPECT_EQ(table.size(), 1U);
    EXPECT_THAT(heard, ElementsAre());
}

TEST(launch_table, announces_a_launch_to_all_observers_in_their_order) {
    launch_table table;
    std::vector<std::string> heard;
    listener a("a", heard);
    listener b("b", heard);
    table.observe(a);
    (void)table.announce(launch(launch_id(1)));
    table.observe(b);
    const prepared_launch* const child =
        table.announce(launch(launch_id(sm_id(2), 5), launch_id(1)));
    (void)table.enter(launch(launch_id(2)));  // nobody hears of it
    EXPECT_THAT(heard, ElementsAre("a1", "a2.5<1", "b2.5<1"));
    EXPECT_EQ(a.last, child);
    EXPECT_EQ(b.last, table.find(launch_id(sm_id(2), 5)));
}

}  // namespace
}  // namespace heddle
