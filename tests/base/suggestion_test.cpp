// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/suggestion.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/base/random.h"
#include "models/base/text_table.h"

namespace heddle {
namespace {

TEST(edit_distance, counts_single_changes) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("abc", ""), 3U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("warp", "warp"), 0U);
    EXPECT_EQ(edit_distance("warp", "wrap"), 1U);  // neighbours swapped
    EXPECT_EQ(edit_distance("warp", "warps"), 1U);
    EXPECT_EQ(edit_distance("warp", "wap"), 1U);
    EXPECT_EQ(edit_distance("warp", "wasp"), 1U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(edit_distance, is_symmetric_and_bounded_by_the_changes_made) {
    random_stream random(1, "edit_distance");
    for (int round = 0; round < 500; ++round) {
        std::string a;
        for (std::uint64_t i = random.below(12); i > 0; --i)
            a += static_cast<char>('a' + random.below(4));
        std::string b = a;
        const std::size_t changes = random.below(4);
        for (std::size_t i = 0; i < changes; ++i) {
            const std::size_t at = random.below(b.size() + 1);
            if (random.chance(0.5) || at == b.size()) {
                b.insert(at, 1, 'x');
            } else {
                b.erase(at, 1);
            }
        }
        EXPECT_LE(edit_distance(a, b), changes) << a << " " << b;
        EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
        EXPECT_EQ(edit_distance(a, b) == 0, a == b);
    }
}

TEST(nearest, finds_the_likely_word_and_nothing_otherwise) {
    const std::vector<std::string> keys = {"gpu.warp_size", "smx.max_blocks", "smx.max_threads"};
    EXPECT_EQ(nearest("smx.max_block", keys), "smx.max_blocks");
    EXPECT_EQ(nearest("sm.max_blocks", keys), "smx.max_blocks");
    EXPECT_EQ(nearest("warp_size", keys), "gpu.warp_size");  // the section was forgotten
    EXPECT_EQ(nearest("SMX.Max_Threads", keys), "smx.max_threads");
    EXPECT_EQ(nearest("temperature", keys), "");
    EXPECT_EQ(nearest("", keys), "");
    EXPECT_EQ(nearest("gto", {}), "");
}

TEST(nearest, a_long_word_takes_no_time) {
    const std::vector<std::string> keys(1000, "smx.max_blocks");
    // The distances would take 14 billion steps.
    EXPECT_EQ(nearest(std::string(1'000'000, 'x'), keys), "");
    EXPECT_EQ(nearest("key", std::vector<std::string>(1000, std::string(1'000'000, 'x'))), "");
}

TEST(nearest, length_alone_decides_only_beyond_the_tolerance) {
    EXPECT_EQ(nearest("abcdef", {"abcdefghi"}), "abcdefghi");  // 3 of 9
    EXPECT_EQ(nearest("abcdefghi", {"abcdef"}), "abcdef");
    EXPECT_EQ(nearest("abcde", {"abcdefgh"}), "");  // 3 of 8
}

TEST(shortened, keeps_beginning_and_end_of_a_long_text) {
    EXPECT_EQ(shortened(std::string(100, 'a')), std::string(100, 'a'));
    EXPECT_EQ(shortened(std::string(100, 'a') + std::string(25, 'b')),
              std::string(50, 'a') + "..." + std::string(25, 'b') + " (125 bytes)");
}

TEST(nearest, takes_the_first_of_equally_near_words) {
    EXPECT_EQ(nearest("lrx", {"lra", "lrb"}), "lra");
    EXPECT_EQ(nearest("lrx", {"lrb", "lra"}), "lrb");
}

TEST(hint, is_a_question_or_empty) {
    EXPECT_EQ(hint("gtoo", {"lrr", "gto"}), "; did you mean 'gto'?");
    EXPECT_EQ(hint("banana", {"lrr", "gto"}), "");
}

TEST(text_table, aligns_columns_and_leaves_no_trailing_blanks) {
    text_table table({{"name"}, {"value", text_table::align::right}, {"unit"}});
    table.add_row({"cycles", "12345", "cycle"});
    table.add_row({"µs", "7"});
    EXPECT_EQ(table.str(),
              "name    value  unit\n"
              "------  -----  -----\n"
              "cycles  12345  cycle\n"
              "µs          7\n");
}

TEST(text_table, without_header_texts_has_rows_only) {
    text_table table({{""}, {"", text_table::align::right}});
    EXPECT_EQ(table.str(), "");
    table.add_row({"long name", "1"});
    table.add_row({"name", "100"});
    EXPECT_EQ(table.str(), "long name    1\nname       100\n");
}

TEST(text_table, rejects_a_row_that_is_too_long) {
    text_table table({{"one"}});
    EXPECT_THROW(table.add_row({"1", "2"}), std::invalid_argument);
}

}  // namespace
}  // namespace heddle
