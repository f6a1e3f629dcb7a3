// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/opencl/real_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::opencl::test {
namespace {

using real = long double;

constexpr real pi = 3.14159265358979323846264338327950288L;
constexpr real nan = std::numeric_limits<real>::quiet_NaN();
constexpr real infinity = std::numeric_limits<real>::infinity();

/// sin(pi * x), reduced without an error.
real sine_of_pi(real x) {
    if (std::isinf(x)) return nan;
    const real turn = std::remainder(x, 2.0L);  // in [-1, 1]
    if (std::fabs(turn) == 1.0L) return std::copysign(0.0L, x);
    return std::fabs(turn) <= 0.5L ? std::sin(pi * turn)
                                   : std::sin(pi * (std::copysign(1.0L, turn) - turn));
}

real cosine_of_pi(real x) {
    if (std::isinf(x)) return nan;
    const real turn = std::fabs(std::remainder(x, 2.0L));  // in [0, 1]
    if (turn == 0.5L) return 0;
    return turn < 0.25L   ? std::cos(pi * turn)
           : turn < 0.75L ? std::sin(pi * (0.5L - turn))
                          : -std::cos(pi * (1.0L - turn));
}

real tangent_of_pi(real x) {
    if (std::isinf(x)) return nan;
    const real turn = std::remainder(x, 1.0L);  // in [-1/2, 1/2]
    if (std::fabs(turn) != 0.5L) return std::tan(pi * turn);
    return std::fmod(x - 0.5L, 2.0L) == 0 ? infinity : -infinity;
}

real smaller(real x, real y) {
    return std::isnan(x) ? y : std::isnan(y) ? x : std::min(x, y);
}
real larger(real x, real y) {
    return std::isnan(x) ? y : std::isnan(y) ? x : std::max(x, y);
}

real positive_power(real x, real y) {
    if (x < 0 || std::isnan(x) || std::isnan(y)) return nan;
    if ((x == 0 && y == 0) || (std::isinf(x) && y == 0) || (x == 1 && std::isinf(y))) return nan;
    return std::pow(std::fabs(x), y);
}

real difference(real x, real y) {
    if (std::isnan(x) || std::isnan(y)) return nan;
    return x > y ? x - y : 0.0L;
}

}  // namespace

std::vector<real_function> real_functions(bool of_float) {
    using one = real_function::one;
    using two = real_function::two;
    using three = real_function::three;
    const auto limit = [&](double single, double twice) { return of_float ? single : twice; };
    return {
        {"acos", 4, one(std::acos)},
        {"acosh", 4, one(std::acosh)},
        {"acospi", 5, [](real x) { return std::acos(x) / pi; }},
        {"asin", 4, one(std::asin)},
        {"asinh", 4, one(std::asinh)},
        {"asinpi", 5, [](real x) { return std::asin(x) / pi; }},
        {"atan", 5, one(std::atan)},
        {"atan2", 6, two(std::atan2)},
        {"atanh", 5, one(std::atanh)},
        {"atanpi", 5, [](real x) { return std::atan(x) / pi; }},
        {"atan2pi", 6, [](real y, real x) { return std::atan2(y, x) / pi; }},
        {"cbrt", 2, one(std::cbrt)},
        {"ceil", 0, one(std::ceil)},
        {"copysign", 0, two(std::copysign)},
        {"cos", 4, one(std::cos)},
        {"cosh", 4, one(std::cosh)},
        {"cospi", 4, cosine_of_pi},
        {"erfc", 16, one(std::erfc)},
        {"erf", 16, one(std::erf)},
        {"exp", 3, one(std::exp)},
        {"exp2", 3, one(std::exp2)},
        {"exp10", 3, [](real x) { return std::pow(10.0L, x); }},
        {"expm1", 3, one(std::expm1)},
        {"fabs", 0, one(std::fabs)},
        {"fdim", 0.5, difference},
        {"floor", 0, one(std::floor)},
        {"fma", 0.5, three(std::fma)},
        {"fmax", 0, larger},
        {"fmin", 0, smaller},
        {"fmod", 0, two(std::fmod)},
        {"hypot", 4, two(std::hypot)},
        {"log", 3, one(std::log)},
        {"log2", 3, one(std::log2)},
        {"log10", 3, one(std::log10)},
        {"log1p", 2, one(std::log1p)},
        {"logb", 0, one(std::logb)},
        {"pow", 16, two(std::pow)},
        {"powr", 16, positive_power},
        {"remainder", 0, two(std::remainder)},
        {"rint", 0, one(std::nearbyint)},
        {"round", 0, one(std::round)},
        {"rsqrt", 2, [](real x) { return 1 / std::sqrt(x); }},
        {"sin", 4, one(std::sin)},
        {"sinh", 4, one(std::sinh)},
        {"sinpi", 4, sine_of_pi},
        {"sqrt", limit(3, 0.5), one(std::sqrt)},
        {"tan", 5, one(std::tan)},
        {"tanh", 5, one(std::tanh)},
        {"tanpi", 6, tangent_of_pi},
        {"tgamma", 16, [](real x) { return x == 0 ? 1 / x : std::tgamma(x); }},
        {"trunc", 0, one(std::trunc)},
        // 6.12.4; no limits there but of their operations.
        {"degrees", 2, [](real x) { return x * (180 / pi); }},
        {"radians", 2, [](real x) { return x * (pi / 180); }},
        {"sign", 0, [](real x) { return x > 0           ? 1.0L
                                        : x < 0         ? -1.0L
                                        : std::isnan(x) ? 0.0L
                                                        : x; }},
    };
}

std::vector<real_function> half_functions() {
    using one = real_function::one;
    constexpr double units = 8192;
    constexpr double largest = 65536;
    return {
        {"half_cos", units, one(std::cos), largest},
        {"half_exp", units, one(std::exp)},
        {"half_exp2", units, one(std::exp2)},
        {"half_exp10", units, [](real x) { return std::pow(10.0L, x); }},
        {"half_log", units, one(std::log)},
        {"half_log2", units, one(std::log2)},
        {"half_log10", units, one(std::log10)},
        {"half_recip", units, [](real x) { return 1 / x; }},
        {"half_rsqrt", units, [](real x) { return 1 / std::sqrt(x); }},
        {"half_sin", units, one(std::sin), largest},
        {"half_sqrt", units, one(std::sqrt)},
        {"half_tan", units, one(std::tan), largest},
        {"half_powr", units, positive_power},
    };
}

}  // namespace heddle::opencl::test
