// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/csv_values.h"

#include <gmock/gmock.h>

#include <limits>
#include <sstream>

#include "command/run/data/element_type.h"
#include "command/run/data/value_text.h"
#include "models/base/error.h"
#include "tests/base/npy_bytes.h"
#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

using program::layout_field;
using program::value_layout;
using testing::ElementsAre;
using testing::HasSubstr;

value_layout numbers(const char* type) {
    return layout_of(*find_element(type));
}

/// struct { float x[2]; std::int8_t n; } with three bytes behind.
const value_layout& record() {
    static const value_layout layout{12,
                                     {{"x", layout_field::kind::floating, 0, 4, 2},
                                      {"n", layout_field::kind::signed_integer, 8, 1, 1}}};
    return layout;
}

template <class T>
std::vector<T> values_of(const std::string& text, const char* type) {
    const csv_values read = read_csv(text, numbers(type), "a.csv");
    std::vector<T> values(read.contents.size() / sizeof(T));
    std::memcpy(values.data(), read.contents.data(), read.contents.size());
    return values;
}

std::string refusal(const std::string& text, const value_layout& layout) {
    return message_of<configuration_error>([&] { (void)read_csv(text, layout, "a.csv"); });
}

std::string written(const csv_values& values, const value_layout& layout) {
    std::ostringstream out;
    write_csv(out, layout, values.shape, values.contents);
    return out.str();
}

TEST(csv_values, are_numbers_between_commas) {
    EXPECT_THAT(
        values_of<double>("# a comment\n1, +2.5e0 ,nan\r\n\n-inf,4,5", "f64"),
        ElementsAre(1, 2.5, testing::IsNan(), -std::numeric_limits<double>::infinity(), 4, 5));
    EXPECT_THAT(read_csv("1,2,3\n4,5,6\n", numbers("i32"), "a.csv").shape, ElementsAre(2, 3));
    EXPECT_THAT(read_csv("1\n2\n", numbers("i32"), "a.csv").shape, ElementsAre(2));
    EXPECT_THAT(values_of<std::int32_t>("left,right\n1,2\n", "i32"), ElementsAre(1, 2));
    // As numpy.savetxt writes integers by default.
    EXPECT_THAT(values_of<std::int64_t>("7.000000000000000000e+00\n", "i64"), ElementsAre(7));
}

TEST(csv_values, keep_every_bit_of_integers) {
    EXPECT_THAT(values_of<std::int64_t>("9007199254740993\n-9223372036854775808\n", "i64"),
                ElementsAre(9007199254740993, std::numeric_limits<std::int64_t>::min()));
    EXPECT_THAT(values_of<std::uint64_t>("18446744073709551615\n-1\n", "u64"),
                ElementsAre(~std::uint64_t{0}, ~std::uint64_t{0}));
    for (const auto& [type, text] :
         {std::pair("i64", "9223372036854775808"), std::pair("i64", "9.3e18"),
          std::pair("u64", "1.9e19"), std::pair("u8", "256"), std::pair("u8", "-129"),
          std::pair("i8", "128"), std::pair("i32", "1.5")}) {
        EXPECT_THAT(refusal(text, numbers(type)), HasSubstr("expected a number of type")) << text;
    }
    EXPECT_THAT(values_of<std::uint64_t>("1e19\n", "u64"),
                ElementsAre(std::uint64_t{10000000000000000000U}));
}

TEST(csv_values, of_records_are_a_line_each) {
    const std::string text = "x[0],x[1],n\n1.5,2,-3\n0.1,1e+30,127\n";
    const csv_values read = read_csv(text, record(), "a.csv");
    EXPECT_THAT(read.shape, ElementsAre(2));
    ASSERT_EQ(read.contents.size(), 24U);
    EXPECT_EQ(std::to_integer<int>(read.contents[20]), 127);
    EXPECT_EQ(written(read, record()), text);
    EXPECT_THAT(read_csv("1,2,3\n", record(), "a.csv").shape, ElementsAre(1));
    EXPECT_THAT(refusal("x[0],y,n\n1,2,3\n", record()),
                HasSubstr("a.csv:1: column 2 is y, expected x[1]"));
    EXPECT_THAT(refusal("1,2\n", record()), HasSubstr("a.csv:1: found 2 numbers, expected the 3"));
}

TEST(csv_values, are_written_so_that_they_are_read_again) {
    for (const char* text : {"1,2,3\n4,5,6\n", "1\n2\n"}) {
        EXPECT_EQ(written(read_csv(text, numbers("u8"), "a.csv"), numbers("u8")), text);
    }
    const double third = 1.0 / 3;
    const auto layout = numbers("f64");
    csv_values values{{}, {1}};
    values.contents.resize(8);
    std::memcpy(values.contents.data(), &third, 8);
    EXPECT_EQ(values_of<double>(written(values, layout), "f64")[0], third);
}

TEST(csv_values, errors_name_the_line) {
    EXPECT_THAT(refusal("1,2\n3\n", numbers("f64")),
                HasSubstr("a.csv:2: found 1 numbers, expected 2 as in the lines before"));
    EXPECT_THAT(refusal("1\n2x\n", numbers("f64")),
                HasSubstr("a.csv:2: found '2x', expected a number of type f64"));
    EXPECT_THAT(refusal("1,\n", numbers("f64")), HasSubstr("a.csv:1: found ''"));
    EXPECT_THAT(refusal("a\nb\n", numbers("f64")), HasSubstr("a.csv:2: found 'b'"));
    const value_layout opaque{8, {{"u", layout_field::kind::bytes, 0, 8, 1}}};
    EXPECT_THAT(refusal("1\n", opaque), HasSubstr("CSV has no text for 8 bytes ('u')"));
}

}  // namespace
}  // namespace heddle::command
