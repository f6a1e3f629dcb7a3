// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>

#include "models/analytic/formation_storage.h"
#include "models/analytic/launch_storage.h"
#include "models/analytic/transaction_storage.h"

namespace heddle::analytic {
namespace {

using testing::ElementsAre;

template <class Rows, class Column>
auto column(const Rows& rows, Column value) {
    std::vector<decltype(value(rows[0]))> values;
    for (const auto& row : rows) values.push_back(value(row));
    return values;
}

TEST(formation_storage, is_that_of_table_7_1_but_for_two_rows) {
    const auto rows = formation_storage({});
    EXPECT_THAT(column(rows, [](const storage& s) { return s.entry_bits; }),
                ElementsAre(376, 63, 354, 7, 31, 58));
    EXPECT_THAT(column(rows, [](const storage& s) { return s.bits(); }),
                ElementsAre(752, 4032, 45312, 896, 3968, 3712));
    EXPECT_THAT(column(rows, [](const storage& s) { return *s.printed_bits; }),
                ElementsAre(752, 4032, 44928, 896, 4992, 3712));
    EXPECT_EQ(total_bits(rows), 58672);
    EXPECT_EQ(rows[2].content, "TID 10 x 32, PC 24, scheduler data 10");
}

TEST(formation_storage, follows_the_geometry) {
    formation_geometry narrow;
    narrow.warp_size = 8;
    narrow.threads = 512;
    const auto rows = formation_storage(narrow);
    EXPECT_THAT(
        column(rows, [](const storage& s) { return s.entry_bits; }),
        ElementsAre(9 * 8 + 24 + 8, 24 + 8 + 7, 9 * 8 + 24 + 10, 7, 31, 24 + 10 + 8 + 8 + 8));
    EXPECT_FALSE(rows[0].printed_bits.has_value());
    EXPECT_FALSE(rows[0].printed_area.has_value());
    formation_geometry larger;
    larger.pool_entries = 129;  // an index takes a bit more
    EXPECT_EQ(formation_storage(larger)[3].bits(), 129 * 8);
    larger.heap_entries = 128;
    larger.heap_lookup_entries = 256;
    EXPECT_EQ(formation_storage(larger)[4].entry_bits, 32);
    EXPECT_EQ(formation_storage(larger)[5].entry_bits, 24 + 10 + 9 + 9 + 9);
}

TEST(cacti_memories, are_as_large_as_the_fields_or_larger) {
    const auto rows = cacti_memories();
    EXPECT_THAT(column(rows, [](const cacti_memory& m) { return m.output_bits; }),
                ElementsAre(39, 10, 34, 7, 7, 58));
    EXPECT_THAT(column(rows, [](const cacti_memory& m) { return m.bytes; }),
                ElementsAre(312, 160, 544, 112, 112, 464));
    EXPECT_THAT(column(rows, [](const cacti_memory& m) { return m.printed_bytes; }),
                ElementsAre(512, 160, 704, 128, 1024, 512));
}

TEST(formation_area, is_eight_percent_of_the_chip) {
    const formation_area area = thesis_formation_area();
    EXPECT_NEAR(area.scheduler, 1.6353, 5e-5);
    EXPECT_NEAR(area.register_decoders, 0.722, 5e-4);
    EXPECT_NEAR(area.core(), 2.357, 5e-4);
    EXPECT_NEAR(area.chip(), 37.72, 1e-2);  // the thesis multiplies rounded numbers
    EXPECT_NEAR(area.share(), 0.0802, 5e-5);
}

TEST(launch_storage, is_that_of_section_4_3) {
    EXPECT_THAT(column(launch_storage({}), [](const storage& s) { return s.bytes(); }),
                ElementsAre(32 * 8, 4, 4, 13 * 16 * 4, 1024 * 20));
    EXPECT_EQ(launch_field_bytes({}), printed_launch_field_bytes);
    EXPECT_EQ(launch_storage({}).back().bits(), *launch_storage({}).back().printed_bits);
}

TEST(launch_storage, follows_the_geometry) {
    const launch_geometry small{16, 2, 8, 512};
    EXPECT_EQ(launch_field_bytes(small), 16 * 8 + 2 + 4 + 2 * 8 * 4);
    EXPECT_EQ(launch_storage(small).back().bytes(), 512 * 20);
    EXPECT_FALSE(launch_storage(small).back().printed_bits.has_value());
}

TEST(launch_storage, of_further_chains_stands_apart) {
    EXPECT_TRUE(further_chain_storage({}).empty());
    launch_geometry eight;
    eight.chains = 8;
    EXPECT_EQ(launch_field_bytes(eight), printed_launch_field_bytes);
    EXPECT_THAT(column(further_chain_storage(eight), [](const storage& s) { return s.bytes(); }),
                ElementsAre(32 * (7 * 64 + 2 * 3) / 8, 8 * 24));
}

TEST(transaction_storage, is_that_of_table_3) {
    const auto rows = transaction_storage({});
    EXPECT_EQ(transaction_geometry{}.words(), 7281);
    EXPECT_EQ(rows[0].bytes() + rows[1].bytes(), 36405);
    EXPECT_EQ(rows[2].bits(), 7281);
    EXPECT_EQ(rows[3].bits(), *rows[3].printed_bits);
    EXPECT_EQ(rows[5].bits(), *rows[5].printed_bits);
    EXPECT_EQ(rows[7].bits(), *rows[7].printed_bits);
    unsigned compared = 0;
    for (const transaction_quantity& one : transaction_quantities({})) {
        if (!one.printed) continue;
        EXPECT_EQ(one.computed, *one.printed) << one.name;
        ++compared;
    }
    EXPECT_EQ(compared, 7);
}

TEST(transaction_storage, follows_the_geometry) {
    const transaction_geometry small{16384, 16, 32, 96};
    EXPECT_EQ(small.words(), 1820);
    const auto rows = transaction_storage(small);
    EXPECT_EQ(rows[3].bits(), 16 * 96 * 8);
    EXPECT_EQ(rows[4].bits(), 3 * 32);
    EXPECT_EQ(rows[6].bits(), 3 * 32);
    for (const auto& one : transaction_quantities(small)) EXPECT_FALSE(one.printed) << one.name;
}

}  // namespace
}  // namespace heddle::analytic
