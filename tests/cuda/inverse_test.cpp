// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Functions that the host does not have, against what defines them, and functions that take numbers
// apart, at the ends of their ranges.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/cuda/cuda_kernels.h"
#include "tests/opencl/accuracy.h"

namespace heddle::cuda::test {
namespace {

using opencl::test::error_of;
using real = long double;

/// The y with f(y) = x; f rises.
real root_of(const std::function<real(real)>& f, real x, real low, real high) {
    for (int i = 0; i < 400; ++i) {
        const real middle = (low + high) / 2;
        if (middle == low || middle == high) break;
        (f(middle) < x ? low : high) = middle;
    }
    return (low + high) / 2;
}
/// Of erfc, 0 < x <= 1: where erfc is small, its own error is.
real inverse_of_small(real x) {
    return root_of([](real at) { return -std::erfc(at); }, -x, 0, 110);
}
real inverse_erf(real x) {
    if (x == 0 || std::isnan(x)) return x;
    const real size = std::fabs(x);
    if (size >= 1) return size == 1 ? x * HUGE_VALL : std::nanl("");
    const real y = size > 0.5L
                       ? inverse_of_small(1 - size)
                       : root_of([](real at) { return std::erf(at); }, size, size / 2, size);
    return std::copysign(y, x);
}
real inverse_erfc(real x) {
    if (x > 0.5L && x < 1.5L) return inverse_erf(1 - x);
    if (std::isnan(x) || x < 0 || x > 2) return std::nanl("");
    if (x == 0 || x == 2) return x == 0 ? HUGE_VALL : -HUGE_VALL;
    return x < 1 ? inverse_of_small(x) : -inverse_of_small(2 - x);
}
real scaled_erfc(real x) {
    if (x > 40) {
        real sum = 0, term = 1;
        for (int n = 1; n < 20; ++n) sum += term, term *= -(2 * n - 1) / (2 * x * x);
        return sum / (x * std::sqrt(3.14159265358979323846264338327950288L));
    }
    const real square = x * x;
    return std::exp(square) * (1 + std::fma(x, x, -square)) * std::erfc(x);
}

struct checked {
    const char* name;
    double float_limit, double_limit;  ///< units in the last place
    double from, to;                   ///< arguments
    std::function<real(real)> exact;
};
const checked all_checked[] = {
    {"erfinv", 2, 5, -1, 1, inverse_erf},
    {"erfcinv", 4, 6, 0, 2, inverse_erfc},
    {"normcdfinv", 5, 8, 0, 1, [](real p) { return -std::sqrt(2.0L) * inverse_erfc(2 * p); }},
    {"erfcx", 4, 4, -5, 60, scaled_erfc},
    {"lgamma", 6, 4, 0, 40, [](real x) { return std::lgamma(x); }},
    {"tgamma", 5, 10, -20, 30, [](real x) { return std::tgamma(x); }},
    {"normcdf", 5, 5, -12, 6, [](real x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }},
};
constexpr unsigned inverse_arguments = 512;

/// Evenly, near the ends, and near the middle.
template <class Real>
std::vector<Real> arguments_of(const checked& f) {
    std::vector<Real> all;
    const double width = f.to - f.from;
    for (unsigned i = 0; all.size() < inverse_arguments; ++i) {
        const double part = (i / 4 + 0.5) / (inverse_arguments / 4);
        const double near =
            std::ldexp(1 + part, -static_cast<int>(i / 4 % (sizeof(Real) == 4 ? 20 : 45)) - 2);
        const double tiny =
            std::ldexp(1 + part, -static_cast<int>(i / 4 % (sizeof(Real) == 4 ? 145 : 1000)) - 2);
        const double at[] = {f.from + width * part, f.from + width * (f.from == 0 ? tiny : near),
                             f.to - width * near,
                             f.from + width / 2 + (i % 8 < 4 ? near : -near) * width / 2};
        all.push_back(static_cast<Real>(at[i % 4]));
    }
    return all;
}

template <class Real>
void check_inverse(const std::string& suffix) {
    const std::string type = sizeof(Real) == 4 ? "float" : "double";
    std::string text;
    for (const checked& f : all_checked) {
        text += "extern \"C\" __global__ void k_" + std::string(f.name) + "(" + type +
                "* x) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; x[i] = " + f.name +
                suffix + "(x[i]); }\n";
    }
    cuda_kernels kernels(text);
    for (const checked& f : all_checked) {
        const std::vector<Real> in = arguments_of<Real>(f);
        const device_buffer<Real> x(kernels.gpu(), in, "x");
        kernels.run("k_" + std::string(f.name), {{inverse_arguments / 64}, {64}}, x.get());
        const std::vector<Real> found = x.read();
        double worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const double error = error_of(found[i], f.exact(in[i]));
            if (error > worst) worst = error, at = i;
        }
        EXPECT_LE(worst, sizeof(Real) == 4 ? f.float_limit : f.double_limit)
            << f.name << suffix << " of " << in[at] << " is " << found[at] << ", not "
            << f.exact(in[at]);
    }
}

TEST(cuda_math, inverse_functions_of_floats_are_as_exact_as_cuda_says) {
    check_inverse<float>("f");
}
TEST(cuda_math, inverse_functions_of_doubles_are_as_exact_as_cuda_says) {
    check_inverse<double>("");
}

/// Numbers at the ends of the range, and the same scaled by powers.
template <class Real>
std::vector<Real> numbers() {
    using limits = std::numeric_limits<Real>;
    std::vector<Real> all{0,
                          -Real(0),
                          limits::denorm_min(),
                          -3 * limits::denorm_min(),
                          limits::min(),
                          limits::min() * Real(1.5),
                          -limits::min() / 2,
                          limits::max(),
                          limits::lowest(),
                          limits::infinity(),
                          Real(1),
                          Real(-1.75),
                          std::nextafter(Real(2), Real(1)),
                          Real(12345.678),
                          Real(-1e-30),
                          Real(0.1)};
    while (all.size() < 64) all.push_back(all[all.size() - 16] * Real(1.37) + Real(0.001));
    return all;
}

template <class Real>
void check_parts(const std::string& s) {
    const std::string type = sizeof(Real) == 4 ? "float" : "double";
    cuda_kernels kernels(
        "extern \"C\" __global__ void k(" + type + "* out, int* whole, const " + type +
        "* in, const int* powers) { const int i = threadIdx.x, n = powers[i]; const " + type +
        " x = in[i], y = in[63 - i]; int e, q; " + type + " m; out[i] = ldexp" + s +
        "(x, n); out[64 + i] = scalbn" + s + "(x, n); out[128 + i] = scalbln" + s +
        "(x, (long)n); out[192 + i] = frexp" + s + "(x, &e); whole[i] = e; out[256 + i] = modf" +
        s + "(x, &m); out[320 + i] = m; out[384 + i] = nextafter" + s +
        "(x, y); whole[64 + i] = ilogb" + s + "(x); out[448 + i] = remquo" + s +
        "(x, y, &q); whole[128 + i] = q & 7; out[512 + i] = logb" + s + "(x); }\n");
    const std::vector<Real> in = numbers<Real>();
    std::vector<int> powers;
    const int span = sizeof(Real) == 4 ? 37 : 269;
    for (int i = 0; i < 64; ++i)
        powers.push_back(i % 9 == 0 ? (i % 2 ? 100000 : -100000) : (i % 17 - 8) * span);
    const device_buffer<Real> x(kernels.gpu(), in, "in"), out(kernels.gpu(), 576, "out");
    const device_buffer<int> n(kernels.gpu(), powers, "n"), whole(kernels.gpu(), 192, "whole");
    kernels.run("k", {{1}, {64}}, out.get(), whole.get(), x.get(), n.get());
    const std::vector<Real> found = out.read();
    const std::vector<int> found_whole = whole.read();
    const auto same = [](Real a, Real b) {
        return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
    };
    for (std::size_t i = 0; i < 64; ++i) {
        const Real y = in[63 - i];
        int exponent = 0, quotient = 0;
        Real whole_part = 0;
        const Real rest = std::frexp(in[i], &exponent), part = std::modf(in[i], &whole_part);
        const Real exact[] = {std::ldexp(in[i], powers[i]),
                              std::scalbn(in[i], powers[i]),
                              std::scalbn(in[i], powers[i]),
                              rest,
                              part,
                              whole_part,
                              std::nextafter(in[i], y),
                              std::remquo(in[i], y, &quotient),
                              std::logb(in[i])};
        for (std::size_t e = 0; e < 9; ++e) {
            EXPECT_TRUE(same(found[64 * e + i], exact[e]))
                << "function " << e << " of " << in[i] << ", " << y << ", " << powers[i] << " is "
                << found[64 * e + i] << ", not " << exact[e];
        }
        if (std::isfinite(in[i])) {
            EXPECT_EQ(found_whole[i], exponent) << in[i];
            EXPECT_EQ(found_whole[64 + i], std::ilogb(in[i])) << in[i];
        }
        if (std::isnan(exact[7])) continue;
        EXPECT_EQ(found_whole[128 + i], quotient & 7) << in[i] << ", " << y;
    }
}

TEST(cuda_math, floats_are_taken_apart_exactly) {
    check_parts<float>("f");
}
TEST(cuda_math, doubles_are_taken_apart_exactly) {
    check_parts<double>("");
}

}  // namespace
}  // namespace heddle::cuda::test
