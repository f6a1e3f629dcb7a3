// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/opencl/real_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/opencl/accuracy.h"

namespace heddle::opencl::test {
namespace {

struct tested_function {
    real_function function;
    bool of_float;
};

std::vector<tested_function> all_functions() {
    std::vector<tested_function> all;
    for (const bool of_float : {true, false}) {
        for (const real_function& each : real_functions(of_float)) all.push_back({each, of_float});
    }
    for (const real_function& each : half_functions()) all.push_back({each, true});
    return all;
}

/// Results of these may be zero where they, or an argument, are subnormal: libclc flushes them, as
/// the specification allows for float (7.5.3).
bool may_flush(const std::string& function) {
    return function == "erfc" || function == "fmod" || function == "remainder";
}

template <class Real>
bool is_subnormal(long double x) {
    return x != 0 && std::fabs(x) < std::numeric_limits<Real>::min();
}

/// A function of vectors is that of their elements, in which all arguments were tried: it gets one
/// of so many, each edge case among them.
constexpr std::size_t in_vectors = 5;

template <class Real>
std::vector<Real> every(std::size_t step, const std::vector<Real>& all) {
    std::vector<Real> some;
    for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
    return some;
}

/// What a failure shows: the worst case.
struct worst_case {
    double error = 0;
    std::size_t element = 0;
};

class opencl_real_function : public testing::TestWithParam<tested_function> {
protected:
    template <class Real>
    void check(const std::string& scalar) {
        const real_function& f = GetParam().function;
        std::string text, call = f.name + "(";
        for (unsigned n = 0; n < f.arguments; ++n)
            call += (n == 0 ? "" : ", ") + std::string(1, static_cast<char>('A' + n));
        const std::vector<std::string> in(f.arguments, scalar);
        for (const unsigned width : widths) {
            text += kernel_text("k" + std::to_string(width), scalar, in, width, call + ")");
        }
        built_ins kernels(text);
        const std::vector<Real> all[] = {arguments<Real>(0), arguments<Real>(1),
                                         arguments<Real>(2)};
        for (const unsigned width : widths) {
            const std::string kernel = "k" + std::to_string(width);
            const std::size_t step = width == 1 ? 1 : in_vectors;
            const std::vector<Real> a = every(step, all[0]), b = every(step, all[1]),
                                    c = every(step, all[2]);
            const std::vector<Real> found = f.arguments == 1 ? kernels.call<Real>(kernel, width, a)
                                            : f.arguments == 2
                                                ? kernels.call<Real>(kernel, width, a, b)
                                                : kernels.call<Real>(kernel, width, a, b, c);
            worst_case worst;
            for (std::size_t i = 0; i < a.size(); ++i) {
                if (f.up_to != 0 && !(std::fabs(a[i]) <= f.up_to)) continue;
                const long double result = exact(a[i], b[i], c[i]);
                if (std::is_same_v<Real, float> && may_flush(f.name) &&
                    (is_subnormal<Real>(a[i]) || is_subnormal<Real>(b[i]) ||
                     is_subnormal<Real>(result))) {
                    continue;
                }
                const double error = error_of(found[i], result);
                if (error > worst.error) worst = {error, i};
            }
            const std::size_t i = worst.element;
            EXPECT_LE(worst.error, f.limit)
                << type_name(scalar, width) << ": " << f.name << " of " << a[i] << ", " << b[i]
                << ", " << c[i] << " is " << found[i] << ", not " << exact(a[i], b[i], c[i]);
        }
    }
    static long double exact(long double a, long double b, long double c) {
        const real_function& f = GetParam().function;
        return f.arguments == 1   ? f.of_one(a)
               : f.arguments == 2 ? f.of_two(a, b)
                                  : f.of_three(a, b, c);
    }
};
INSTANTIATE_TEST_SUITE_P(all, opencl_real_function, testing::ValuesIn(all_functions()),
                         [](const testing::TestParamInfo<tested_function>& info) {
                             return info.param.function.name +
                                    (info.param.of_float ? "_float" : "_double");
                         });

TEST_P(opencl_real_function, is_as_exact_as_the_specification_wants) {
    if (GetParam().of_float) {
        check<float>("float");
    } else {
        check<double>("double");
    }
}

/// They come often, and other arguments once.
TEST(opencl_real_arguments, of_vectors_have_each_edge_case) {
    for (const unsigned position : {0U, 1U, 2U}) {
        const std::vector<double> all = arguments<double>(position), some = every(in_vectors, all);
        EXPECT_EQ(some.size() % 192, 0U);
        unsigned often = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto same = [&](double other) {
                return std::memcmp(&other, &all[i], sizeof(other)) == 0;
            };
            if (std::count_if(all.begin(), all.end(), same) < 2) continue;
            ++often;
            EXPECT_TRUE(std::any_of(some.begin(), some.end(), same)) << position << ": " << all[i];
        }
        EXPECT_GE(often, 2401U);  // pairs of 49 edge cases
    }
}

}  // namespace
}  // namespace heddle::opencl::test
