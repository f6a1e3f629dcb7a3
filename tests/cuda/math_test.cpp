// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The functions of math.h in device code, against the host's in long double, by the errors that
// CUDA publishes for them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/cuda/cuda_kernels.h"
#include "tests/opencl/accuracy.h"

namespace heddle::cuda::test {
namespace {

using opencl::test::arguments, opencl::test::elements, opencl::test::error_of;
using real = long double;

constexpr real pi = 3.14159265358979323846264338327950288L;

struct math_function {
    const char* name;  ///< of double
    unsigned arguments;
    double float_limit, double_limit;  ///< units in the last place; below 0: not tested
    std::function<real(real, real, real)> exact;
};

/// sin(pi x) with the argument reduced before it is multiplied.
real sin_of_half_turns(real x) {
    const real r = std::fmod(x, 2.0L), m = std::fabs(r);
    const real value = m <= 0.5L   ? std::sin(pi * m)
                       : m <= 1.5L ? std::sin(pi * (1 - m))
                                   : -std::sin(pi * (2 - m));
    return std::copysign(1.0L, x) * (value == 0 ? 0 : value);
}
real cos_of_half_turns(real x) {
    const real m = std::fabs(std::fmod(x, 2.0L));
    return m <= 1 ? sin_of_half_turns(0.5L - m) : sin_of_half_turns(m - 1.5L);
}

std::vector<math_function> math_functions() {
    std::vector<math_function> all;
    const auto one = [&](const char* name, double f, double d, real (*exact)(real)) {
        all.push_back({name, 1, f, d, [exact](real x, real, real) { return exact(x); }});
    };
    const auto two = [&](const char* name, double f, double d, real (*exact)(real, real)) {
        all.push_back({name, 2, f, d, [exact](real x, real y, real) { return exact(x, y); }});
    };
    one("acos", 2, 2, std::acos);
    one("acosh", 4, 3, std::acosh);
    one("asin", 2, 2, std::asin);
    one("asinh", 3, 3, std::asinh);
    one("atan", 2, 2, std::atan);
    one("atanh", 3, 2, std::atanh);
    one("cbrt", 1, 1, std::cbrt);
    one("ceil", 0, 0, std::ceil);
    one("cos", 2, 2, std::cos);
    one("cosh", 2, 1, std::cosh);
    one("cospi", 1, 2, cos_of_half_turns);
    one("erf", 2, 2, std::erf);
    one("erfc", 4, 5, std::erfc);
    one("exp", 2, 1, std::exp);
    one("exp10", 2, 1, [](real x) { return std::pow(10.0L, x); });
    one("exp2", 2, 1, std::exp2);
    one("expm1", 1, 1, std::expm1);
    one("fabs", 0, 0, std::fabs);
    one("floor", 0, 0, std::floor);
    one("log", 1, 1, std::log);
    one("log10", 2, 1, std::log10);
    one("log1p", 1, 1, std::log1p);
    one("log2", 1, 1, std::log2);
    one("logb", 0, 0, std::logb);
    one("normcdf", 5, 5, [](real x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; });
    one("rcbrt", 1, 1, [](real x) { return 1 / std::cbrt(x); });
    one("rint", 0, 0, std::rint);
    one("round", 0, 0, std::round);
    one("rsqrt", 2, 1, [](real x) { return 1 / std::sqrt(x); });
    one("sin", 2, 2, std::sin);
    one("sinh", 3, 2, std::sinh);
    one("sinpi", 1, 2, sin_of_half_turns);
    one("sqrt", 0, 0, std::sqrt);
    one("tan", 4, 2, std::tan);
    one("tanh", 2, 1, std::tanh);
    one("tgamma", 5, 10, std::tgamma);
    one("trunc", 0, 0, std::trunc);
    two("atan2", 3, 2, std::atan2);
    two("copysign", 0, 0, std::copysign);
    two("fdim", 0, 0, std::fdim);
    two("fmax", 0, 0, std::fmax);
    two("fmin", 0, 0, std::fmin);
    two("fmod", 0, 0, std::fmod);
    two("hypot", 3, 2, std::hypot);
    two("pow", 4, 2, std::pow);
    two("remainder", 0, 0, std::remainder);
    two("rhypot", 2, 1, [](real x, real y) { return 1 / std::hypot(x, y); });
    all.push_back({"fma", 3, 0, 0, [](real x, real y, real z) { return std::fma(x, y, z); }});
    all.push_back({"norm3d", 3, 3, 2,
                   [](real x, real y, real z) { return std::hypot(std::hypot(x, y), z); }});
    return all;
}

/// Floats also by the name of the doubles' function, which is overloaded.
std::string kernel_of(const math_function& f, bool of_float) {
    const std::string type = of_float ? "float" : "double", pointer = "const " + type + "* ";
    std::string values = "(a[i]";
    if (f.arguments > 1) values += ", b[i]";
    if (f.arguments > 2) values += ", c[i]";
    values += ")";
    const std::string name = f.name;
    // norm3d() is none of math.h's.
    const std::string other =
        !of_float || name == "norm3d" || name == "normcdf" ? "result" : name + values;
    return "extern \"C\" __global__ void k_" + name + "(" + type + "* out, " + pointer + "a, " +
           pointer + "b, " + pointer +
           "c) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; const " + type +
           " result = " + name + (of_float ? "f" : "") + values + "; const " + type +
           " again = " + other +
           "; if (again != result && result == result) __trap(); out[i] = result; }\n";
}

template <class Real>
void check_all() {
    constexpr bool of_float = sizeof(Real) == 4;
    std::string text;
    for (const math_function& f : math_functions()) text += kernel_of(f, of_float);
    cuda_kernels kernels(text);
    const std::vector<Real> a = arguments<Real>(0), b = arguments<Real>(1), c = arguments<Real>(2);
    const device_buffer<Real> in_a(kernels.gpu(), a, "a"), in_b(kernels.gpu(), b, "b"),
        in_c(kernels.gpu(), c, "c"), out(kernels.gpu(), elements, "out");
    for (const math_function& f : math_functions()) {
        const double limit = of_float ? f.float_limit : f.double_limit;
        kernels.run("k_" + std::string(f.name), {{elements / 64}, {64}}, out.get(), in_a.get(),
                    in_b.get(), in_c.get());
        const std::vector<Real> found = out.read();
        double worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < elements; ++i) {
            const double error = error_of(found[i], f.exact(a[i], b[i], c[i]));
            // Half a unit is the rounding of an exact result.
            if (error > worst && error > 0.5000001) worst = error, at = i;
        }
        EXPECT_LE(worst, limit == 0 ? 0 : limit)
            << f.name << (of_float ? "f" : "") << " of " << a[at] << ", " << b[at] << ", " << c[at]
            << " is " << found[at] << ", not " << f.exact(a[at], b[at], c[at]);
    }
}

TEST(cuda_math, floats_are_as_exact_as_cuda_says) {
    check_all<float>();
}
TEST(cuda_math, doubles_are_as_exact_as_cuda_says) {
    check_all<double>();
}

}  // namespace
}  // namespace heddle::cuda::test
