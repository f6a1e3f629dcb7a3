// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Numbers of 16 bits (cuda_fp16.h, cuda_bf16.h) against a reference in long double.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/cuda/cuda_kernels.h"
#include "tests/cuda/intrinsic_check.h"

namespace heddle::cuda::test {
namespace {

using u16 = std::uint16_t;

/// A format of 16 bits.
struct format {
    const char *type, *name, *header;
    int digits;  ///< behind the point
    int least;   ///< exponent of the smallest normal number
    int most;    ///< of the largest

    [[nodiscard]] long double value(u16 x) const {
        const int exponent = (x & 0x7fff) >> digits, rest = x & ((1 << digits) - 1);
        const long double sign = x >> 15 != 0 ? -1 : 1;
        if (exponent == 2 * most + 1) return rest != 0 ? NAN : sign * INFINITY;
        if (exponent == 0) return sign * std::ldexp(static_cast<long double>(rest), least - digits);
        return sign *
               std::ldexp(static_cast<long double>(rest + (1 << digits)), exponent - most - digits);
    }
    [[nodiscard]] u16 nearest(long double x, int mode) const {
        const u16 sign = std::signbit(x) ? 0x8000 : 0;
        const u16 infinity = static_cast<u16>((2 * most + 1) << digits);
        if (std::isnan(x)) return 0x7fff;
        if (std::isinf(x)) return sign | infinity;
        if (x == 0) return sign;
        const int exponent = std::max(std::ilogb(x), least);
        // Volatile: compilers move arithmetic over changes of the rounding mode.
        const volatile long double in_steps = std::ldexp(x, digits - exponent);
        std::fesetround(mode);
        const volatile long double whole = std::nearbyint(in_steps);
        std::fesetround(FE_TONEAREST);
        const auto steps = static_cast<std::int64_t>(std::fabs(whole));
        if (exponent > most || (exponent == most && steps >> (digits + 1) != 0)) {
            const bool up = mode == FE_TONEAREST || mode == (sign != 0 ? FE_DOWNWARD : FE_UPWARD);
            return static_cast<u16>(sign | (up ? infinity : infinity - 1));
        }
        return static_cast<u16>(sign | (steps + (std::int64_t{exponent - least} << digits)));
    }
    [[nodiscard]] bool is_nan(u16 x) const { return std::isnan(value(x)); }
};
const format formats[] = {{"__half", "half", "cuda_fp16.h", 10, -14, 15},
                          {"__nv_bfloat16", "bfloat16", "cuda_bf16.h", 7, -126, 127}};

std::string text_of(const format& f) {
    const std::string t = f.type, n = f.name;
    return "#include <" + std::string(f.header) + ">\n" + "extern \"C\" __global__ void convert(" +
           t +
           "* out, const float* in) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"
           " out[5 * i] = __float2" +
           n + "_rn(in[i]); out[5 * i + 1] = __float2" + n +
           "_rz(in[i]); out[5 * i + 2] = __float2" + n + "_rd(in[i]); out[5 * i + 3] = __float2" +
           n + "_ru(in[i]); out[5 * i + 4] = " + t +
           "(__float_as_int(in[i])); }\n"
           "extern \"C\" __global__ void widen(float* out, const " +
           t +
           "* in) {"
           " unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[i]; }\n"
           "extern \"C\" __global__ void compute(" +
           t + "* out, const " + t +
           "* in) {"
           " unsigned i = blockIdx.x * blockDim.x + threadIdx.x; " +
           t +
           " a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];"
           " out[6 * i] = a + b; out[6 * i + 1] = __hsub(a, b); out[6 * i + 2] = a * b;"
           " out[6 * i + 3] = a / b; out[6 * i + 4] = __hfma(a, b, c); out[6 * i + 5] = hsqrt(a); "
           "}\n"
           "extern \"C\" __global__ void add(" +
           t +
           "* sums) {"
           " atomicAdd(&sums[threadIdx.x % 2], " +
           t +
           "(1.0f)); }\n"
           "extern \"C\" __global__ void compare(unsigned* out, const " +
           t +
           "* in) {"
           " unsigned i = blockIdx.x * blockDim.x + threadIdx.x; " +
           t +
           " a = in[2 * i], b = in[2 * i + 1]; out[i] = __hlt(a, b) | __hge(a, b) << 1 |"
           " __heq(a, b) << 2 | __hneu(a, b) << 3 | (a != b) << 4 | __hisnan(a) << 5 |"
           " (__float2int_rn((float)__hmax(a, b)) == 2) << 6 | (__" +
           n + "2int_rd(a) < 0) << 7; }\n";
}

class cuda_small_floats : public testing::TestWithParam<int> {
protected:
    const format& f_ = formats[GetParam()];
    cuda_kernels kernels_{text_of(f_)};

    static constexpr std::size_t count = 2048;

    /// Of any bits, and of sizes near 1 or near the format's ends.
    static std::vector<float> floats() {
        std::mt19937 random(7);
        std::vector<float> all{0.0F,     -0.0F,    65504.0F,    65519.0F, 65520.0F,   65536.0F,
                               INFINITY, NAN,      -INFINITY,   6e-8F,    3e-8F,      2.9e-8F,
                               1e-45F,   3.39e38F, -3.3999e38F, 1.0F,     1.00048828F};
        std::uniform_int_distribution<int> exponent(-28, 18);
        while (all.size() < count) {
            const auto word = static_cast<u32>(random());
            all.push_back(all.size() % 3 == 0
                              ? bits<float>(word)
                              : std::ldexp(static_cast<float>(word >> 8), exponent(random) - 23));
        }
        return all;
    }
    /// Numbers whose exact sums and products fit into a long double.
    [[nodiscard]] std::vector<u16> numbers(std::size_t how_many) const {
        std::mt19937 random(8);
        std::uniform_int_distribution<int> exponent(-9, 9);
        std::vector<u16> all;
        // A sum next to the middle of two numbers: a float would be in the middle.
        const long double unit = std::ldexp(1.0L, -f_.digits);
        for (const long double x : {1 + unit, 1 - unit, 2 / unit + 2}) {
            all.push_back(f_.nearest(x, FE_TONEAREST));
        }
        while (all.size() < how_many) {
            const auto digits = static_cast<u32>(random());
            all.push_back(
                static_cast<u16>((digits & ((1U << f_.digits) - 1)) |
                                 static_cast<u32>(exponent(random) + f_.most) << f_.digits |
                                 (digits >> 16 & 0x8000)));
        }
        return all;
    }
};

TEST_P(cuda_small_floats, convert_in_all_roundings) {
    const std::vector<float> in = floats();
    const device_buffer<float> input(kernels_.gpu(), in, "in");
    const device_buffer<u16> out(kernels_.gpu(), 5 * count, "out");
    kernels_.run("convert", {{count / 64}, {64}}, out.get(), input.get());
    const std::vector<u16> found = out.read();
    for (std::size_t i = 0; i < count; ++i) {
        const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
        for (std::size_t m = 0; m < 4; ++m) {
            EXPECT_EQ(found[5 * i + m], f_.nearest(in[i], modes[m])) << in[i] << " mode " << m;
        }
        EXPECT_EQ(found[5 * i + 4], f_.nearest(bits<i32>(in[i]), FE_TONEAREST)) << bits<i32>(in[i]);
    }
}

TEST_P(cuda_small_floats, become_floats_exactly) {
    std::vector<u16> in(65536);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<u16>(i);
    const device_buffer<u16> input(kernels_.gpu(), in, "in");
    const device_buffer<float> out(kernels_.gpu(), in.size(), "out");
    kernels_.run("widen", {{256}, {256}}, out.get(), input.get());
    const std::vector<float> found = out.read();
    for (std::size_t i = 0; i < in.size(); ++i) {
        const auto exact = static_cast<float>(f_.value(in[i]));
        const bool same =
            std::isnan(exact) ? std::isnan(found[i]) : bits<u32>(found[i]) == bits<u32>(exact);
        EXPECT_TRUE(same) << in[i];
    }
}

TEST_P(cuda_small_floats, compute_with_one_rounding) {
    const std::vector<u16> in = numbers(3 * count);
    const device_buffer<u16> input(kernels_.gpu(), in, "in");
    const device_buffer<u16> out(kernels_.gpu(), 6 * count, "out");
    kernels_.run("compute", {{count / 64}, {64}}, out.get(), input.get());
    const std::vector<u16> found = out.read();
    for (std::size_t i = 0; i < count; ++i) {
        const long double a = f_.value(in[3 * i]), b = f_.value(in[3 * i + 1]),
                          c = f_.value(in[3 * i + 2]);
        const long double exact[] = {a + b, a - b, a * b, a / b, a * b + c, std::sqrt(a)};
        for (std::size_t e = 0; e < 6; ++e) {
            EXPECT_EQ(found[6 * i + e], f_.nearest(exact[e], FE_TONEAREST))
                << "operation " << e << " of " << static_cast<double>(a) << ", "
                << static_cast<double>(b) << ", " << static_cast<double>(c);
        }
    }
}

TEST_P(cuda_small_floats, are_compared) {
    std::vector<u16> in = numbers(2 * 64);
    const u16 nan = 0x7fff, two = f_.nearest(2, FE_TONEAREST), one = f_.nearest(1, FE_TONEAREST);
    const u16 some[] = {nan, one, one, nan, one, one, two, one, one, two, 0, 0x8000};
    std::copy(std::begin(some), std::end(some), in.begin());
    const device_buffer<u16> input(kernels_.gpu(), in, "in");
    const device_buffer<u32> out(kernels_.gpu(), 64, "out");
    kernels_.run("compare", {{1}, {64}}, out.get(), input.get());
    const std::vector<u32> found = out.read();
    for (std::size_t i = 0; i < 64; ++i) {
        const long double a = f_.value(in[2 * i]), b = f_.value(in[2 * i + 1]);
        const auto most = static_cast<float>(std::fmax(a, b));
        const bool unordered = std::isnan(a) || std::isnan(b);
        const u32 exact = (a < b ? 1 : 0) | (a >= b ? 2 : 0) | (a == b ? 4 : 0) |
                          (a != b || unordered ? 8 : 0) | (a != b ? 16 : 0) |
                          (std::isnan(a) ? 32 : 0) | (std::nearbyint(most) == 2 ? 64 : 0) |
                          (std::floor(a) < 0 ? 128 : 0);
        EXPECT_EQ(found[i], exact) << static_cast<double>(a) << ", " << static_cast<double>(b);
    }
}

TEST_P(cuda_small_floats, are_added_atomically) {
    const device_buffer<u16> sums(kernels_.gpu(), std::vector<u16>(2, 0), "sums");
    kernels_.run("add", {{4}, {64}}, sums.get());
    for (const u16 sum : sums.read()) EXPECT_EQ(f_.value(sum), 128);
}

/// Beside the headers' own shuffles, which are no templates.
TEST_P(cuda_small_floats, leave_shuffles_of_other_types_alone) {
    cuda_kernels kernels("#include <" + std::string(f_.header) + R"(>
extern "C" __global__ void shuffle(unsigned* out) {
    const unsigned lane = threadIdx.x;
    out[lane] = (unsigned)__shfl_sync(~0u, lane * 1.5, 6) +
                (unsigned)(__shfl_xor_sync(~0u, (long long)lane << 32, 1) >> 32) +
                __shfl_up_sync(~0u, (unsigned char)lane, 2) + __shfl_down_sync(~0u, (int)lane, 3u);
})");
    const device_buffer<u32> out(kernels.gpu(), 32, "out");
    kernels.run("shuffle", {{1}, {32}}, out.get());
    const std::vector<u32> found = out.read();
    for (u32 lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(found[lane],
                  9 + (lane ^ 1) + (lane < 2 ? lane : lane - 2) + (lane > 28 ? lane : lane + 3))
            << lane;
    }
}

INSTANTIATE_TEST_SUITE_P(all, cuda_small_floats, testing::Values(0, 1), [](const auto& number) {
    return std::string(formats[number.param].name);
});

}  // namespace
}  // namespace heddle::cuda::test
