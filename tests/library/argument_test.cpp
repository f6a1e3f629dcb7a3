// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <array>
#include <limits>

#include "tests/library/library_kit.h"

namespace heddle {
namespace {

struct two_words {
    std::uint32_t first, second;
};

class library_arguments : public testing::Test {
protected:
    /// The values that widths() gets, with one argument in the place of the good one.
    std::array<std::int64_t, 9> got(std::size_t index = 9, heddle_argument other = {}) {
        std::array<std::int64_t, 9> found{};
        EXPECT_GOOD(launch(index, other), machine);
        EXPECT_GOOD(heddle_read(machine, found.data(), to, sizeof found), machine);
        return found;
    }
    heddle_status launch(std::size_t index, heddle_argument other, std::size_t count = 9) {
        heddle_argument arguments[] = {heddle_integer(-1),    heddle_integer(2),
                                       heddle_integer(-3),    heddle_integer(4),
                                       heddle_integer(-5),    heddle_floating(1.5),
                                       heddle_floating(2.25), heddle_struct(&words, sizeof words),
                                       heddle_pointer(to)};
        if (index < 9) arguments[index] = other;
        const heddle_shape shape = shape_of(1, 1);
        return heddle_launch(machine, "widths", &shape, arguments, count);
    }
    void expect_refused(std::size_t index, heddle_argument other, const std::string& text) {
        expect_failure(launch(index, other), HEDDLE_USAGE, machine, text);
        EXPECT_EQ(got()[0], -1);  // the machine is as before
    }

    machine_of_test machine{tiny(/*functional=*/true)};
    two_words words{7, 8};
    std::uint32_t to = machine.filled(std::vector<std::uint32_t>(18));
};

TEST_F(library_arguments, numbers_get_the_size_of_the_parameter) {
    EXPECT_EQ(got(), (std::array<std::int64_t, 9>{-1, 2, -3, 4, -5, 12, 18, 7, 8}));
}

TEST_F(library_arguments, integers_reach_both_ends_of_their_range) {
    EXPECT_EQ(got(0, heddle_integer(-128))[0], -128);
    EXPECT_EQ(got(0, heddle_integer(127))[0], 127);
    EXPECT_EQ(got(1, heddle_integer(0))[1], 0);
    EXPECT_EQ(got(1, heddle_integer(255))[1], 255);
    EXPECT_EQ(got(2, heddle_integer(-32768))[2], -32768);
    EXPECT_EQ(got(3, heddle_unsigned(~std::uint64_t{0}))[3], -1);
    EXPECT_EQ(got(4, heddle_integer(std::numeric_limits<std::int64_t>::min()))[4],
              std::numeric_limits<std::int64_t>::min());
}

TEST_F(library_arguments, an_integer_out_of_range_is_named) {
    expect_refused(0, heddle_integer(-129),
                   "argument 0 ('a', int8_t): -129 is out of range; legal: -128 to 127");
    expect_refused(0, heddle_integer(128), "128 is out of range; legal: -128 to 127");
    expect_refused(1, heddle_integer(-1), "-1 is out of range; legal: 0 to 255");
    expect_refused(1, heddle_integer(256), "256 is out of range");
    expect_refused(3, heddle_integer(-1), "-1 is out of range; legal: 0 to 18446744073709551615");
    expect_refused(4, heddle_unsigned(std::uint64_t{1} << 63),
                   "9223372036854775808 is out of range");
}

TEST_F(library_arguments, an_integer_may_stand_for_a_float) {
    EXPECT_EQ(got(5, heddle_integer(-2))[5], -16);
    EXPECT_EQ(got(6, heddle_unsigned(3))[6], 24);
}

TEST_F(library_arguments, other_kinds_and_sizes_are_named) {
    expect_refused(0, heddle_floating(1), "argument 0 is a floating-point number");
    expect_refused(8, heddle_integer(1), "argument 8 is a integer of 8 bytes, but parameter 'to'");
    expect_refused(5, heddle_pointer(1), "argument 5 is a device pointer");
    expect_refused(7, heddle_struct(&words, 4), "argument 7 is a struct of 4 bytes");
    expect_refused(7, heddle_struct(nullptr, 8), "argument 7 ('h', pair): its data is NULL");
    expect_refused(8, heddle_local(16), "argument 8 is a size of local memory");
    expect_refused(2, {17, 0, {0}}, "kind 17 is none of heddle_kind");
    expect_failure(launch(9, {}, 8), HEDDLE_USAGE, machine, "8 arguments, but it has 9");
}

TEST_F(library_arguments, y_and_z_of_grid_and_block_count) {
    const std::uint32_t count = machine.filled({0, 0});
    heddle_shape shape = shape_of(2, 4);
    const heddle_argument argument = heddle_pointer(count);
    EXPECT_GOOD(heddle_launch(machine, "places", &shape, &argument, 1), machine);
    EXPECT_THAT(machine.values(count, 2), testing::ElementsAre(8, 8));
    shape.grid[1] = 3;
    shape.grid[2] = 5;
    shape.block[1] = 7;
    EXPECT_GOOD(heddle_launch(machine, "places", &shape, &argument, 1), machine);
    EXPECT_THAT(machine.values(count, 2), testing::ElementsAre(8 + 840, 8 + 2 * 3 * 4));
    shape.grid[0] = 0;
    expect_failure(heddle_launch(machine, "places", &shape, &argument, 1), HEDDLE_KERNEL_FAULT,
                   machine, "grid (0,3,5) and block (4,7,1) must have extents of at least 1");
    machine.expect_working();
}

TEST_F(library_arguments, kernels_say_what_they_take) {
    std::size_t count = 0;
    EXPECT_GOOD(heddle_kernel_count(machine, &count), machine);
    EXPECT_EQ(count, 7U);
    heddle_kernel kernel{};
    kernel.size = sizeof kernel;
    EXPECT_GOOD(heddle_find_kernel(machine, "widths", &kernel), machine);
    EXPECT_EQ(kernel.parameter_count, 9U);
    heddle_kernel_parameter parameter{};
    parameter.size = sizeof parameter;
    EXPECT_GOOD(heddle_get_kernel_parameter(machine, "widths", 2, &parameter), machine);
    EXPECT_STREQ(parameter.name, "c");
    EXPECT_EQ(parameter.kind, HEDDLE_INTEGER);
    EXPECT_EQ(parameter.bytes, 2U);
    EXPECT_EQ(parameter.is_signed, 1);
    EXPECT_GOOD(heddle_get_kernel_parameter(machine, "widths", 8, &parameter), machine);
    EXPECT_EQ(parameter.kind, HEDDLE_POINTER);
    expect_failure(heddle_get_kernel_parameter(machine, "widths", 9, &parameter), HEDDLE_USAGE,
                   machine, "index 9: there are 9 parameters");
}

TEST_F(library_arguments, variables_are_read_and_written) {
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    EXPECT_GOOD(heddle_find_variable(machine, "counter", &address, &bytes), machine);
    EXPECT_EQ(bytes, 4U);
    EXPECT_THAT(machine.values(address, 1), testing::ElementsAre(5));
    const heddle_shape shape = shape_of(2, 32);
    EXPECT_GOOD(heddle_launch(machine, "count_up", &shape, nullptr, 0), machine);
    EXPECT_THAT(machine.values(address, 1), testing::ElementsAre(69));
    EXPECT_GOOD(heddle_fill(machine, address, 1, 2), machine);
    EXPECT_THAT(machine.values(address, 1), testing::ElementsAre(0x0101));
    expect_failure(heddle_find_variable(machine, "conter", &address, &bytes), HEDDLE_USAGE, machine,
                   "has no variable 'conter'");
}

}  // namespace
}  // namespace heddle
