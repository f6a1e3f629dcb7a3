// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/golden_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "command/run/data/element_type.h"
#include "command/run/data/value_text.h"
#include "models/base/error.h"
#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

using program::layout_field;
using program::value_layout;
using testing::HasSubstr;

template <class T>
std::vector<std::byte> contents(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::uint64_t differences(const std::vector<double>& a, const std::vector<double>& b,
                          const golden_tolerance& tolerance = {}) {
    return compare_values(layout_of(*find_element("f64")), contents(a), contents(b), tolerance)
        .different;
}

TEST(golden_values, are_exact_without_a_tolerance) {
    EXPECT_EQ(differences({1, 2, 3}, {1, 2, 3}), 0U);
    EXPECT_EQ(differences({1, std::nextafter(2.0, 3.0), 3}, {1, 2, 3}), 1U);
    EXPECT_EQ(differences({0.0}, {-0.0}), 0U);
}

TEST(golden_values, not_a_number_is_equal_to_itself) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(differences({nan}, {std::nan("7")}), 0U);
    EXPECT_EQ(differences({nan, 1}, {1, nan}, {1, 1}), 2U);
}

TEST(golden_values, infinities_are_near_nothing_else) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(differences({infinity}, {infinity}), 0U);
    EXPECT_EQ(differences({infinity, 1, -infinity}, {1, infinity, infinity}, {1, 1}), 3U);
}

/// As numpy.isclose: |a - b| <= ABS + REL * |b|.
TEST(golden_values, the_tolerance_is_of_the_expected_value) {
    EXPECT_EQ(differences({112.5}, {100}, {0.125, 0}), 0U);
    EXPECT_EQ(differences({std::nextafter(112.5, 200.0)}, {100}, {0.125, 0}), 1U);
    EXPECT_EQ(differences({100}, {112.5}, {0.125, 0}), 0U);
    EXPECT_EQ(differences({87}, {100}, {0.125, 0}), 1U);
    EXPECT_EQ(differences({0.25}, {0}, {0, 0.25}), 0U);
    EXPECT_EQ(differences({0.5}, {0}, {1, 0.25}), 1U);
    EXPECT_EQ(differences({-112.5}, {-100}, {0.125, 0}), 0U);
}

TEST(golden_values, integers_are_always_exact) {
    const auto found =
        compare_values(layout_of(*find_element("i64")), contents<std::int64_t>({1'000'000, 5}),
                       contents<std::int64_t>({1'000'001, 5}), {1, 1});
    EXPECT_EQ(found.different, 1U);
    EXPECT_EQ(found.numbers, 2U);
    EXPECT_EQ(found.found, "1000000");
    EXPECT_EQ(found.expected, "1000001");
}

TEST(golden_values, name_the_field_of_a_record) {
    struct pair {
        float x[2];
        std::uint8_t n;
    };
    const value_layout layout{sizeof(pair),
                              {{"x", layout_field::kind::floating, 0, 4, 2},
                               {"n", layout_field::kind::unsigned_integer, 8, 1, 1}}};
    std::vector<pair> a(3), b(3);
    std::memset(a.data(), 1, 3 * sizeof(pair));
    std::memset(b.data(), 2, 3 * sizeof(pair));  // also the padding
    for (int i = 0; i < 3; ++i) {
        a[i] = {{1, 2}, 3};
        b[i] = {{1, 2}, 3};
    }
    reinterpret_cast<unsigned char*>(&a[0])[9] = 7;
    reinterpret_cast<unsigned char*>(&b[0])[9] = 8;
    EXPECT_EQ(compare_values(layout, contents(a), contents(b), {}).different, 0U);
    a[1].x[1] = 4;
    a[2].n = 9;
    const golden_differences found = compare_values(layout, contents(a), contents(b), {});
    EXPECT_EQ(found.different, 2U);
    EXPECT_EQ(found.numbers, 9U);
    EXPECT_EQ(found.first, 1U);
    EXPECT_EQ(found.field, ".x[1]");
    EXPECT_EQ(found.found + " " + found.expected, "4 2");
}

TEST(golden_values, elements_of_a_field_may_be_smaller_than_a_word) {
    using kind = layout_field::kind;
    const value_layout layout{
        8, {{"id", kind::unsigned_integer, 0, 2, 1}, {"steps", kind::signed_integer, 2, 2, 3}}};
    const golden_differences found =
        compare_values(layout, contents<std::int16_t>({1, 2, 3, 4, 5, 6, 7, 8}),
                       contents<std::int16_t>({1, 2, 3, 4, 5, 6, 9, 8}), {});
    EXPECT_EQ(found.numbers, 8U);
    EXPECT_EQ(found.different, 1U);
    EXPECT_EQ(found.first, 1U);
    EXPECT_EQ(found.field, ".steps[1]");
    EXPECT_EQ(found.found, "7");
    EXPECT_EQ(found.expected, "9");
}

TEST(golden_values, an_index_has_the_dimensions_of_the_array) {
    EXPECT_EQ(index_text(7, {12}), "[7]");
    EXPECT_EQ(index_text(7, {3, 4}), "[1,3]");
    EXPECT_EQ(index_text(23, {2, 3, 4}), "[1,2,3]");
    EXPECT_EQ(index_text(0, {}), "[0]");
}

TEST(golden_values, a_tolerance_is_one_or_two_numbers) {
    EXPECT_EQ(parse_tolerance("1e-5", "t").text(), "tolerance 1e-05");
    EXPECT_EQ(parse_tolerance("0.5,2", "t").text(), "tolerance 0.5,2");
    EXPECT_EQ(parse_tolerance("0,0", "t").text(), "exact");
    for (const char* text : {"", "x", "-1", "1,", "1,-1", "1,2,3", "nan", "inf", "1 "}) {
        EXPECT_THAT(message_of<configuration_error>([&] { (void)parse_tolerance(text, "--t"); }),
                    HasSubstr("--t: found '" + std::string(text) + "', expected REL or REL,ABS"));
    }
}

}  // namespace
}  // namespace heddle::command
