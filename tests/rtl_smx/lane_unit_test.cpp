// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <verilated.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "Vsmx_lane_unit.h"
#include "models/base/random.h"
#include "models/isa/float_operations.h"
#include "models/isa/integer_operations.h"
#include "models/isa/special_functions.h"
#include "tests/rtl_smx/settings.h"

// The unit of the RTL SMX for floats and divisions, against the model, bit by bit.
namespace heddle::rtl_smx {
namespace {

using word = std::uint32_t;

struct operation {
    const char* name;
    unsigned op, kind, minus_product, minus_addend, is_unsigned;
    bool rounds;
    std::function<word(word, word, word, unsigned)> model;
    unsigned cost = 1;  ///< a test has this part of the usual number of cases
};

template <class T>
word binary(word x, word y, word, unsigned rm) {
    return T::rounded(x, y, rm);
}
template <class T>
word unary(word x, word, word, unsigned rm) {
    return T::rounded(x, rm);
}
template <class T>
word ternary(word x, word y, word z, unsigned rm) {
    return T::rounded(x, y, z, rm);
}
template <class T>
word plain(word x, word y, word, unsigned) {
    return T::of(x, y);
}
template <class T>
word plain_unary(word x, word, word, unsigned) {
    return T::of(x);
}

namespace op = isa::operation;

const std::vector<operation>& operations() {
    static const std::vector<operation> all{
        {"div", 0, 0, 0, 0, 0, false, plain<op::divide>},
        {"divu", 1, 0, 0, 0, 0, false, plain<op::divide_unsigned>},
        {"rem", 2, 0, 0, 0, 0, false, plain<op::remainder>},
        {"remu", 3, 0, 0, 0, 0, false, plain<op::remainder_unsigned>},
        {"fmadd", 4, 0, 0, 0, 0, true, ternary<op::float_multiply_add<false, false>>},
        {"fmsub", 4, 0, 0, 1, 0, true, ternary<op::float_multiply_add<false, true>>},
        {"fnmsub", 4, 0, 1, 0, 0, true, ternary<op::float_multiply_add<true, false>>},
        {"fnmadd", 4, 0, 1, 1, 0, true, ternary<op::float_multiply_add<true, true>>},
        {"fadd", 5, 0, 0, 0, 0, true, binary<op::float_add>},
        {"fsub", 5, 0, 0, 1, 0, true, binary<op::float_subtract>},
        {"fmul", 6, 0, 0, 0, 0, true, binary<op::float_multiply>},
        {"fdiv", 7, 0, 0, 0, 0, true, binary<op::float_divide>, 10},
        {"fsqrt", 8, 0, 0, 0, 0, true, unary<op::float_square_root>, 10},
        {"fcvt_w", 9, 0, 0, 0, 0, true, unary<op::float_to_signed>},
        {"fcvt_wu", 9, 0, 0, 0, 1, true, unary<op::float_to_unsigned>},
        {"fcvt_from_w", 10, 0, 0, 0, 0, true, unary<op::signed_to_float>},
        {"fcvt_from_wu", 10, 0, 0, 0, 1, true, unary<op::unsigned_to_float>},
        {"fsgnj", 11, 0, 0, 0, 0, false, plain<op::sign_inject>},
        {"fsgnjn", 11, 1, 0, 0, 0, false, plain<op::sign_inject_inverted>},
        {"fsgnjx", 11, 2, 0, 0, 0, false, plain<op::sign_inject_xor>},
        {"fmin", 12, 0, 0, 0, 0, false, plain<op::float_minimum>},
        {"fmax", 12, 1, 0, 0, 0, false, plain<op::float_maximum>},
        {"fle", 13, 0, 0, 0, 0, false, plain<op::float_less_equal>},
        {"flt", 13, 1, 0, 0, 0, false, plain<op::float_less>},
        {"feq", 13, 2, 0, 0, 0, false, plain<op::float_equal>},
        {"fclass", 14, 1, 0, 0, 0, false, plain_unary<op::float_class>},
        {"rcp", 16, 0, 0, 0, 0, false, plain_unary<op::reciprocal>, 10},
        {"rsq", 17, 0, 0, 0, 0, false, plain_unary<op::reciprocal_square_root>, 20},
        {"ex2", 18, 0, 0, 0, 0, false, plain_unary<op::exponential2>, 20},
        {"lg2", 19, 0, 0, 0, 0, false, plain_unary<op::logarithm2>, 20},
        {"sin", 20, 0, 0, 0, 0, false, plain_unary<op::sine<0>>, 20},
        {"cos", 21, 0, 0, 0, 0, false, plain_unary<op::sine<1>>, 20},
    };
    return all;
}

/// Zeros, ends of ranges, subnormals, infinities, NaNs, and their neighbours.
constexpr word corners[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001,
    0x00ffffff, 0x01000000, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0x3f000001,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40490fdb, 0x42fe0000,
    0x43000000, 0x43160000, 0x43480000, 0x4a800000, 0x4b000000, 0x4b7fffff, 0x4b800000,
    0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0x53800000, 0x53800001, 0x7effffff,
    0x7f000000, 0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff,
};

/// All bit patterns, but half of them where operations have something to decide.
class operand_source {
public:
    explicit operand_source(std::uint64_t seed) : random_(seed, "operands") {}

    word next() {
        const auto draw = static_cast<word>(random_.next());
        switch (random_.next() % 8) {
            case 0:
                return corners[draw % std::size(corners)] | (draw & isa::float_sign);
            case 1:  // few significant bits
                return draw & 0xff80'0000U & ~(1U << (23 + draw % 8));
            case 2:  // near one
                return 0x3f80'0000U + (draw & 0x8000'0000U) + (draw >> 4 & 0x03ff'ffffU) -
                       0x0200'0000U;
            case 3:  // near the last one
                return last_ ^ (1U << draw % 32);
            case 4:
                return last_ & isa::float_sign ? last_ & ~isa::float_sign : last_ | isa::float_sign;
            case 5:  // a small integer
                return draw >> draw % 32;
            default:
                return last_ = draw;
        }
    }
    unsigned mode() { return static_cast<unsigned>(random_.next() % 5); }

private:
    random_stream random_;
    word last_ = 0;
};

class lane_unit {
public:
    lane_unit() {
        top_.rst_n = 0;
        clock();
        top_.rst_n = 1;
        clock();
    }
    /// The result of an operation; empty after too many clocks.
    word run(const operation& o, word a, word b, word c, unsigned mode) {
        top_.op = o.op;
        top_.kind = o.kind;
        top_.minus_product = o.minus_product;
        top_.minus_addend = o.minus_addend;
        top_.is_unsigned = o.is_unsigned;
        top_.mode = mode;
        top_.a = a;
        top_.b = b;
        top_.c = c;
        top_.start = 1;
        for (unsigned clocks = 0; clocks < 1000; ++clocks) {
            clock();
            if (top_.done == 0) continue;
            const word result = top_.result;
            top_.start = 0;
            clock();
            return result;
        }
        ADD_FAILURE() << o.name << " does not end";
        return 0;
    }

private:
    void clock() {
        top_.clk = 0;
        top_.eval();
        top_.clk = 1;
        top_.eval();
    }
    VerilatedContext context_;
    Vsmx_lane_unit top_{&context_, "unit"};
};

void compare(lane_unit& unit, const operation& o, word a, word b, word c, unsigned mode,
             unsigned& differences) {
    const word found = unit.run(o, a, b, c, mode);
    const word expected = o.model(a, b, c, mode);
    if (found == expected || ++differences > 5) return;
    ADD_FAILURE() << o.name << std::hex << " of 0x" << a << ", 0x" << b << ", 0x" << c << ", mode "
                  << mode << ": 0x" << found << "; expected: 0x" << expected;
}

class lane_operation : public testing::TestWithParam<std::size_t> {};

TEST_P(lane_operation, is_that_of_the_model) {
    const operation& o = operations()[GetParam()];
    lane_unit unit;
    unsigned differences = 0;
    unsigned cases = 0;
    for (const word x : corners) {
        for (const word a : {x, x | isa::float_sign}) {
            for (const word y : corners) {
                for (const word b : {y, y | isa::float_sign}) {
                    for (unsigned mode = 0; mode < (o.rounds ? 5U : 1U); ++mode) {
                        if (cases++ % o.cost != 0) continue;
                        compare(unit, o, a, b, corners[cases % std::size(corners)], mode,
                                differences);
                    }
                }
            }
        }
    }
    operand_source source(setting("HEDDLE_SEED", 1));
    const unsigned count = setting("HEDDLE_CASES", 200'000) / o.cost;
    for (unsigned n = 0; n < count && differences == 0; ++n) {
        const word a = source.next();
        const word b = source.next();
        const word c = source.next();
        compare(unit, o, a, b, c, o.rounds ? source.mode() : 0, differences);
    }
    EXPECT_EQ(differences, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, lane_operation, testing::Range<std::size_t>(0, operations().size()),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                             return std::string(operations()[info.param].name);
                         });

}  // namespace
}  // namespace heddle::rtl_smx
