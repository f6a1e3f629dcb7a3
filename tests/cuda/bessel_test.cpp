// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Bessel functions in device code, against the host's in long double, by the errors that CUDA
// publishes for them: units in the last place near 0, absolute ones beyond.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/cuda/cuda_kernels.h"
#include "tests/opencl/accuracy.h"

namespace heddle::cuda::test {
namespace {

using real = long double;

constexpr unsigned arguments_of_bessel = 192;

struct bessel_function {
    std::string call;  ///< of double, as far as the argument
    double from;       ///< |x| from which the error is an absolute one
    double units;      ///< else, of floats and doubles
    std::function<real(real)> exact;
};

std::vector<bessel_function> bessel_functions() {
    std::vector<bessel_function> all{
        {"j0(", 8, 7, [](real x) { return j0l(x); }},
        {"j1(", 8, 7, [](real x) { return j1l(x); }},
        {"y0(", 8, 7, [](real x) { return y0l(x); }},
        {"y1(", 8, 7, [](real x) { return y1l(x); }},
        {"cyl_bessel_i0(", HUGE_VAL, 6, [](real x) { return std::cyl_bessel_il(0, std::fabs(x)); }},
        {"cyl_bessel_i1(", HUGE_VAL, 6,
         [](real x) { return std::copysign(std::cyl_bessel_il(1, std::fabs(x)), x); }},
    };
    for (const int n : {-3, 2, 7, 30}) {
        const std::string order = "n(" + std::to_string(n) + ", ";
        all.push_back({"j" + order, 0, 0, [n](real x) { return jnl(n, x); }});
        all.push_back({"y" + order, static_cast<double>(std::abs(n)),
                       std::ceil(2 + 2.5 * std::abs(n)), [n](real x) { return ynl(n, x); }});
    }
    return all;
}

/// Both sides of where the ways to compute them change, and what has no value.
template <class Real>
std::vector<Real> bessel_arguments() {
    std::vector<Real> all{Real(0),       Real(-1), Real(1e-30), Real(-1e-5),
                          Real(24.9999), Real(25), Real(-25.5), Real(80)};
    while (all.size() < arguments_of_bessel) {
        const auto i = static_cast<Real>(all.size());
        all.push_back(all.size() % 8 == 0 ? -i / Real(7) : i * i / Real(700));
    }
    return all;
}

template <class Real>
void check_bessel(const std::string& suffix, double absolute) {
    const std::string type = sizeof(Real) == 4 ? "float" : "double";
    std::string text;
    const auto all = bessel_functions();
    for (std::size_t k = 0; k < all.size(); ++k) {
        std::string call = all[k].call;
        call.insert(call.find('('), suffix);
        text +=
            "extern \"C\" __global__ void k" + std::to_string(k) + "(" + type + "* out, const " +
            type +
            "* in) { const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = " + call +
            "in[i]); }\n";
    }
    cuda_kernels kernels(text);
    const std::vector<Real> in = bessel_arguments<Real>();
    const device_buffer<Real> arguments(kernels.gpu(), in, "in"),
        out(kernels.gpu(), arguments_of_bessel, "out");
    for (std::size_t k = 0; k < all.size(); ++k) {
        kernels.run("k" + std::to_string(k), {{arguments_of_bessel / 64}, {64}}, out.get(),
                    arguments.get());
        const std::vector<Real> found = out.read();
        for (std::size_t i = 0; i < in.size(); ++i) {
            const real exact = all[k].exact(in[i]);
            const double units = opencl::test::error_of(found[i], exact);
            const bool by_units = std::fabs(in[i]) < all[k].from || !std::isfinite(exact);
            EXPECT_LE(by_units ? units : static_cast<double>(std::fabs(found[i] - exact)),
                      by_units ? all[k].units : absolute)
                << all[k].call << in[i] << ") is " << found[i] << ", not " << exact;
        }
    }
}

TEST(cuda_bessel, floats_are_as_exact_as_cuda_says) {
    check_bessel<float>("f", 2.2e-6);
}
TEST(cuda_bessel, doubles_are_as_exact_as_cuda_says) {
    check_bessel<double>("", 5e-12);
}

/// Where the host's are less exact. The values are of a computation with 200 bits.
TEST(cuda_bessel, doubles_next_to_roots_are_as_exact) {
    cuda_kernels kernels(
        "extern \"C\" __global__ void k(double* out) {\n"
        "    out[0] = j0(2.4048255580000002);\n    out[1] = j1(3.8317000000000001);\n"
        "    out[2] = y0(0.89357697000000003);\n    out[3] = y1(2.19714133);\n}\n");
    const device_buffer<double> out(kernels.gpu(), 4, "out");
    kernels.run("k", {{1}, {1}}, out.get());
    const real exact[] = {-1.5793890767681057982e-10L, 2.4045590431036320809e-6L,
                          3.2721775001444175701e-9L, 2.0669923991106252807e-9L};
    const std::vector<double> found = out.read();
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LE(opencl::test::error_of(found[i], exact[i]), 7) << i << ": " << found[i];
    }
}

}  // namespace
}  // namespace heddle::cuda::test
