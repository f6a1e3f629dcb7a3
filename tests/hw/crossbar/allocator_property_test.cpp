// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Random requests against the definitions: valid, maximal where promised, fair where promised.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "hw/crossbar/allocators.h"
#include "models/base/random.h"
#include "tests/hw/base/slot_rig.h"
#include "tests/hw/crossbar/request_text.h"

namespace heddle {
namespace {

std::unique_ptr<allocator> make(allocator_kind kind, std::uint32_t rows, std::uint32_t columns,
                                std::uint32_t iterations) {
    slot_rig slots;
    return slots.tlm<allocator_traits>().make({kind, {rows, columns, iterations}}, "test");
}

request_matrix random_requests(random_stream& random, std::uint32_t rows, std::uint32_t columns) {
    std::vector<std::string> text(rows, std::string(columns, '0'));
    const double density = random.uniform();
    for (std::string& row : text) {
        for (char& cell : row) {
            cell = random.chance(density) ? '1' : '0';
        }
    }
    return requests_of(text);
}

/// Empty, or what is wrong.
std::string invalid(const request_matrix& m, const pairs& grants) {
    std::set<std::uint32_t> columns;
    for (const auto& [row, column] : grants) {
        if (!port_bits::test(m.active_rows(), row) || !port_bits::test(m.row(row), column)) {
            return "not requested: " + std::to_string(row) + ", " + std::to_string(column);
        }
        if (!columns.insert(column).second) {
            return "twice: column " + std::to_string(column);
        }
    }
    return {};
}

/// Whether no request has both its row and its column left.
bool maximal(const request_matrix& m, const pairs& grants) {
    std::set<std::uint32_t> columns;
    for (const auto& [row, column] : grants) {
        columns.insert(column);
    }
    for (std::uint32_t row = 0; row < m.rows(); ++row) {
        for (std::uint32_t column = 0; column < m.columns(); ++column) {
            if (port_bits::test(m.row(row), column) && grants.count(row) == 0 &&
                columns.count(column) == 0) {
                return false;
            }
        }
    }
    return true;
}

class any_allocator : public testing::TestWithParam<allocator_kind> {};

TEST_P(any_allocator, matches_what_is_requested_and_nothing_twice) {
    random_stream random(3, "requests");
    for (const auto& [rows, columns] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {1, 1}, {4, 4}, {13, 5}, {5, 13}, {64, 64}, {70, 3}, {3, 70}, {130, 66}}) {
        const auto chooser = make(GetParam(), rows, columns, 2);
        for (unsigned i = 0; i < 300; ++i) {
            const request_matrix m = random_requests(random, rows, columns);
            const pairs decided = pairs_of(m, chooser->decide(m));
            EXPECT_EQ(decided, pairs_of(m, chooser->decide(m))) << "decide() keeps no state";
            ASSERT_EQ(invalid(m, decided), "") << rows << " x " << columns;
            EXPECT_EQ(decided.empty(), !port_bits::any(m.active_rows(), m.row_words()));
            chooser->clock_edge();
        }
    }
}

TEST_P(any_allocator, starts_again_after_a_reset) {
    const auto chooser = make(GetParam(), 6, 5, 2);
    const auto run = [&] {
        random_stream random(4, "requests");
        std::vector<pairs> seen;
        for (unsigned i = 0; i < 50; ++i) {
            seen.push_back(cycle(*chooser, random_requests(random, 6, 5)));
        }
        return seen;
    };
    const std::vector<pairs> first = run();
    EXPECT_NE(run(), first) << "registers have moved on";
    chooser->reset();
    EXPECT_EQ(run(), first);
}

INSTANTIATE_TEST_SUITE_P(all, any_allocator, testing::ValuesIn(allocators::all()),
                         [](const auto& kind) { return allocators::name(kind.param); });

TEST(request_matrix, selects_what_is_open_or_has_begun) {
    random_stream random(8, "requests");
    for (const auto& [rows, columns] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {13, 5}, {64, 64}, {70, 3}, {3, 70}}) {
        request_matrix selected(rows, columns);
        for (unsigned i = 0; i < 100; ++i) {
            const request_matrix all = random_requests(random, rows, columns);
            const request_matrix begun = random_requests(random, rows, columns);
            const request_matrix open = random_requests(random, 1, columns);
            selected.select(all, open.row(0), begun);
            request_matrix expected(rows, columns);
            for (std::uint32_t row = 0; row < rows; ++row) {
                for (std::uint32_t column = 0; column < columns; ++column) {
                    if (port_bits::test(all.row(row), column) &&
                        (port_bits::test(open.row(0), column) ||
                         port_bits::test(begun.row(row), column))) {
                        expected.insert(row, column);
                    }
                }
            }
            ASSERT_EQ(selected.requests(), expected.requests()) << rows << " x " << columns;
            for (std::uint32_t row = 0; row < rows; ++row) {
                const bool active = port_bits::test(expected.active_rows(), row);
                ASSERT_EQ(port_bits::test(selected.active_rows(), row), active);
                for (std::size_t word = 0; active && word < expected.column_words(); ++word) {
                    ASSERT_EQ(selected.row(row)[word], expected.row(row)[word]);
                }
            }
            for (std::uint32_t column = 0; column < columns; ++column) {
                const bool active = port_bits::test(expected.active_columns(), column);
                ASSERT_EQ(port_bits::test(selected.active_columns(), column), active);
                for (std::size_t word = 0; active && word < expected.row_words(); ++word) {
                    ASSERT_EQ(selected.column(column)[word], expected.column(column)[word]);
                }
            }
        }
    }
}

/// With rows that fit one word, and with one more that requests nothing.
TEST(allocator_property, input_first_decides_alike_in_words_and_in_sets) {
    constexpr std::uint32_t ports = 64;
    const random_arbiters rows(ports + 1, ports, 9, "rows");
    const random_arbiters columns(ports, ports, 9, "columns");
    input_first_allocator words({ports, ports, 1}, rows, columns);
    input_first_allocator sets({ports + 1, ports, 1}, rows, columns);
    random_stream random(9, "requests");
    for (unsigned i = 0; i < 300; ++i) {
        request_matrix m(ports, ports), wider(ports + 1, ports);
        for (const double density = random.uniform(); m.requests() < 2048 * density;) {
            const auto row = static_cast<std::uint32_t>(random.below(ports));
            const auto column = static_cast<std::uint32_t>(random.below(ports));
            m.insert(row, column);
            wider.insert(row, column);
        }
        ASSERT_EQ(pairs_of(m, words.decide(m)), pairs_of(wider, sets.decide(wider))) << i;
        if (random.chance(0.9)) {
            words.clock_edge();
            sets.clock_edge();
        }
    }
}

TEST(allocator_property, maximal_with_as_many_passes_as_can_match) {
    random_stream random(5, "requests");
    for (const allocator_kind kind :
         {allocators::key<pim_allocator>, allocators::key<islip_allocator>,
          allocators::key<wavefront_allocator>}) {
        const auto chooser = make(kind, 12, 9, 9);
        for (unsigned i = 0; i < 2000; ++i) {
            const request_matrix m = random_requests(random, 12, 9);
            ASSERT_TRUE(maximal(m, cycle(*chooser, m))) << allocators::name(kind) << ' ' << m;
        }
    }
}

TEST(allocator_property, one_pass_is_not_maximal) {
    random_stream random(5, "requests");
    for (const allocator_kind kind :
         {allocators::key<input_first_allocator>, allocators::key<pim_allocator>,
          allocators::key<islip_allocator>}) {
        const auto chooser = make(kind, 12, 9, 1);
        unsigned gaps = 0;
        for (unsigned i = 0; i < 200; ++i) {
            const request_matrix m = random_requests(random, 12, 9);
            gaps += maximal(m, cycle(*chooser, m)) ? 0 : 1;
        }
        EXPECT_GT(gaps, 0U) << allocators::name(kind);
    }
}

/// The longest time that a request of a constant matrix waits, over `cycles`.
std::uint32_t longest_wait(allocator& chooser, const request_matrix& m, std::uint32_t cycles) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> last;
    std::uint32_t longest = 0;
    const auto served = [&](std::uint32_t row, std::uint32_t column, std::uint32_t now) {
        std::uint32_t& at = last[{row, column}];
        longest = std::max(longest, now - at);
        at = now;
    };
    for (std::uint32_t now = 1; now <= cycles; ++now) {
        for (const auto& [row, column] : cycle(chooser, m)) {
            served(row, column, now);
        }
    }
    for (std::uint32_t row = 0; row < m.rows(); ++row) {
        port_bits::for_each(m.row(row), m.column_words(),
                            [&](std::uint32_t column) { served(row, column, cycles); });
    }
    return longest;
}

TEST(allocator_property, islip_serves_every_request_within_rows_times_columns) {
    random_stream random(6, "requests");
    for (unsigned i = 0; i < 200; ++i) {
        const auto chooser = make(allocators::key<islip_allocator>, 6, 5, 1 + i % 3);
        EXPECT_LE(longest_wait(*chooser, random_requests(random, 6, 5), 1000), 6U * 5U);
    }
}

TEST(allocator_property, the_wave_serves_every_request_within_a_round_of_its_diagonals) {
    random_stream random(6, "requests");
    for (unsigned i = 0; i < 200; ++i) {
        const auto chooser = make(allocators::key<wavefront_allocator>, 6, 5, 1);
        EXPECT_LE(longest_wait(*chooser, random_requests(random, 6, 5), 1000), 6U);
    }
}

TEST(allocator_property, chance_lets_some_requests_wait_for_longer) {
    random_stream random(6, "requests");
    const auto chooser = make(allocators::key<pim_allocator>, 6, 5, 1);
    EXPECT_GT(longest_wait(*chooser, requests_of(std::vector<std::string>(6, "11111")), 1000),
              6U * 5U);
}

TEST(allocator_property, random_ones_serve_equal_requesters_equally) {
    for (const allocator_kind kind :
         {allocators::key<input_first_allocator>, allocators::key<pim_allocator>}) {
        const auto chooser = make(kind, 8, 8, 1);
        const request_matrix m = requests_of(std::vector<std::string>(8, "11111111"));
        std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> served;
        constexpr unsigned cycles = 64'000;
        for (unsigned i = 0; i < cycles; ++i) {
            for (const auto& grant : cycle(*chooser, m)) {
                ++served[grant];
            }
        }
        // each of the 64 pairs: binomial, probability (1 - (7/8)^8) / 8 = 0.082, sigma 69
        for (std::uint32_t pair = 0; pair < 64; ++pair) {
            EXPECT_NEAR((served[{pair / 8, pair % 8}]), cycles * 0.08205, 5 * 69.4) << pair;
        }
    }
}

}  // namespace
}  // namespace heddle
