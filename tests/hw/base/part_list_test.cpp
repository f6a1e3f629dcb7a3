// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/part_list.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

struct square {
    static constexpr const char* name = "square";
    static constexpr const char* description = "four sides";
    static constexpr int sides = 4;
};
struct triangle {
    static constexpr const char* name = "triangle";
    static constexpr const char* description = "three sides";
    static constexpr int sides = 3;
};
enum class shape : std::uint8_t {};
using shapes = part_list<shape, square, triangle>;

TEST(part_list, the_first_class_is_the_default) {
    EXPECT_EQ(shapes::key<square>, shape{});
    EXPECT_NE(shapes::key<triangle>, shape{});
    EXPECT_EQ(shapes::all(), (std::array{shapes::key<square>, shapes::key<triangle>}));
}

TEST(part_list, names_and_describes_what_a_parameter_may_be) {
    EXPECT_EQ(shapes::names().names(), (std::vector<std::string>{"square", "triangle"}));
    EXPECT_EQ(shapes::names().find("triangle"), shapes::key<triangle>);
    EXPECT_EQ(shapes::name(shapes::key<triangle>), "triangle");
    EXPECT_EQ(shapes::description(), "square = four sides; triangle = three sides");
}

TEST(part_list, visits_the_class_of_a_key) {
    const auto sides = [](shape key) {
        return shapes::visit(key, [](auto part) { return decltype(part)::type::sides; });
    };
    EXPECT_EQ(sides(shapes::key<square>), 4);
    EXPECT_EQ(sides(shapes::key<triangle>), 3);
    EXPECT_THROW((void)sides(static_cast<shape>(2)), std::out_of_range);
}

}  // namespace
}  // namespace heddle
