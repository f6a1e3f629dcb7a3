// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/part_list.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

struct polygon_configuration {
    unsigned size = 1;

    void declare(parameter_list& p) { p.add("polygon.size", size, range(1, 9), "", "Size"); }
};
struct circle_configuration {
    unsigned radius = 2;

    void declare(parameter_list& p) { p.add("radius", radius, range(1, 9), "", "Radius"); }
};
struct square {
    using configuration = polygon_configuration;
    static constexpr const char* name = "square";
    static constexpr const char* description = "four sides";
    static constexpr int sides = 4;
};
struct triangle {
    using configuration = polygon_configuration;
    static constexpr const char* name = "triangle";
    static constexpr const char* description = "three sides";
    static constexpr int sides = 3;
};
struct point {
    static constexpr const char* name = "point";
    static constexpr const char* description = "nothing to set";
    static constexpr int sides = 0;
};
struct circle {
    using configuration = circle_configuration;
    static constexpr const char* name = "circle";
    static constexpr const char* description = "none";
    static constexpr int sides = 0;
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

using all_shapes = part_list<shape, square, triangle, point, circle>;

struct drawing {
    part_configurations shapes = all_shapes::configurations();

    void declare(parameter_list& p) { shapes.declare(p); }
};

TEST(part_list, declares_what_its_classes_have_of_parameters_and_what_they_share_once) {
    drawing of;
    parameter_list parameters(of);
    EXPECT_EQ(parameters.keys(), (std::vector<std::string>{"polygon.size", "radius"}));
    parameters.assign_text("radius", "5", "--set", "--set");
    EXPECT_EQ(of.shapes.of<circle_configuration>().radius, 5U);
    EXPECT_EQ(of.shapes.of<polygon_configuration>().size, 1U);
    EXPECT_THROW((void)shapes::configurations().of<circle_configuration>(), std::logic_error);
}

TEST(part_list, copies_of_the_classes_parameters_are_values_that_stay_in_their_place) {
    drawing of;
    const parameter_list parameters(of);
    const drawing first = of;
    of.shapes.of<circle_configuration>().radius = 7;
    EXPECT_EQ(first.shapes.of<circle_configuration>().radius, 2U);
    drawing second;
    second.shapes.of<circle_configuration>().radius = 9;
    of = second;
    EXPECT_EQ(std::get<std::int64_t>(parameters.find("radius")->get()), 9);
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
