// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Intrinsics of integers, conversions and rounded arithmetic, against the host.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "tests/cuda/cuda_kernels.h"

namespace heddle::cuda::test {
namespace {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

constexpr std::size_t count = 1024;

template <class To, class From>
To bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

/// `expression` of device code in words x, y, z gives a word, or with `wide` two.
struct intrinsic {
    std::string expression;
    std::function<u64(u32, u32, u32)> exact;
    bool wide = false;
};

u32 byte_perm(u32 x, u32 y, u32 selector) {
    const u64 all = u64{y} << 32 | x;
    u32 result = 0;
    for (int i = 0; i < 4; ++i) {
        const u32 chosen = selector >> (4 * i) & 15;
        u32 byte = static_cast<u32>(all >> (chosen % 8 * 8)) & 255;
        if (chosen >= 8) byte = byte >= 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

template <class T>
T sign24(u32 x) {
    return static_cast<T>(static_cast<i32>(x << 8) >> 8);
}

/// A float operation under a rounding mode of the host.
u32 rounded(int mode, const std::function<float()>& operation) {
    std::fesetround(mode);
    const volatile float result = operation();
    std::fesetround(FE_TONEAREST);
    return bits<u32>(static_cast<float>(result));
}

std::vector<intrinsic> integers() {
    const auto wide = [](u32 x, u32 y) { return u64{x} << 32 | y; };
    return {
        {"__popc(x)", [](u32 x, u32, u32) -> u64 { return __builtin_popcount(x); }},
        {"__clz((int)x)", [](u32 x, u32, u32) -> u64 { return x == 0 ? 32 : __builtin_clz(x); }},
        {"__ffs((int)x)",
         [](u32 x, u32, u32) -> u64 { return __builtin_ffs(static_cast<int>(x)); }},
        {"__brev(x)",
         [](u32 x, u32, u32) -> u64 {
             u32 r = 0;
             for (int i = 0; i < 32; ++i) r |= (x >> i & 1) << (31 - i);
             return r;
         }},
        {"__clzll(xy)",
         [=](u32 x, u32 y, u32) -> u64 {
             return wide(x, y) == 0 ? 64 : __builtin_clzll(wide(x, y));
         }},
        {"__popcll(xy)",
         [=](u32 x, u32 y, u32) -> u64 { return __builtin_popcountll(wide(x, y)); }},
        {"__ffsll(xy)",
         [=](u32 x, u32 y, u32) -> u64 { return __builtin_ffsll(static_cast<i64>(wide(x, y))); }},
        {"__mul24((int)x, (int)y)",
         [](u32 x, u32 y, u32) -> u64 {
             return static_cast<u32>(sign24<i64>(x) * sign24<i64>(y));
         }},
        {"__umul24(x, y)",
         [](u32 x, u32 y, u32) -> u64 {
             return static_cast<u32>(u64{x & 0xffffff} * (y & 0xffffff));
         }},
        {"__mulhi((int)x, (int)y)",
         [](u32 x, u32 y, u32) -> u64 {
             return static_cast<u32>(i64{static_cast<i32>(x)} * static_cast<i32>(y) >> 32);
         }},
        {"__umulhi(x, y)", [](u32 x, u32 y, u32) -> u64 { return u64{x} * y >> 32; }},
        {"__umul64hi(xy, yz)",
         [=](u32 x, u32 y, u32 z) -> u64 {
             return static_cast<u64>(static_cast<u128>(wide(x, y)) * wide(y, z) >> 64);
         },
         true},
        {"__mul64hi(xy, yz)",
         [=](u32 x, u32 y, u32 z) -> u64 {
             return static_cast<u64>(static_cast<i128>(static_cast<i64>(wide(x, y))) *
                                         static_cast<i64>(wide(y, z)) >>
                                     64);
         },
         true},
        {"__sad((int)x, (int)y, z)",
         [](u32 x, u32 y, u32 z) -> u64 {
             return static_cast<u32>(std::llabs(i64{static_cast<i32>(x)} - static_cast<i32>(y)) +
                                     z);
         }},
        {"__usad(x, y, z)",
         [](u32 x, u32 y, u32 z) -> u64 { return static_cast<u32>((x > y ? x - y : y - x) + z); }},
        {"__hadd((int)x, (int)y)",
         [](u32 x, u32 y, u32) -> u64 {
             return static_cast<u32>((i64{static_cast<i32>(x)} + static_cast<i32>(y)) >> 1);
         }},
        {"__rhadd((int)x, (int)y)",
         [](u32 x, u32 y, u32) -> u64 {
             return static_cast<u32>((i64{static_cast<i32>(x)} + static_cast<i32>(y) + 1) >> 1);
         }},
        {"__uhadd(x, y)", [](u32 x, u32 y, u32) -> u64 { return (u64{x} + y) >> 1; }},
        {"__urhadd(x, y)", [](u32 x, u32 y, u32) -> u64 { return (u64{x} + y + 1) >> 1; }},
        {"__byte_perm(x, y, z)", [](u32 x, u32 y, u32 z) -> u64 { return byte_perm(x, y, z); }},
        {"__funnelshift_l(x, y, z)",
         [=](u32 x, u32 y, u32 z) -> u64 { return wide(y, x) << (z & 31) >> 32; }},
        {"__funnelshift_r(x, y, z)",
         [=](u32 x, u32 y, u32 z) -> u64 { return static_cast<u32>(wide(y, x) >> (z & 31)); }},
        {"__funnelshift_lc(x, y, z & 63)",
         [=](u32 x, u32 y, u32 z) -> u64 {
             const u32 n = z & 63;
             return n >= 32 ? x : wide(y, x) << n >> 32;
         }},
        {"__funnelshift_rc(x, y, z & 63)",
         [=](u32 x, u32 y, u32 z) -> u64 {
             const u32 n = z & 63;
             return n >= 32 ? y : static_cast<u32>(wide(y, x) >> n);
         }},
        {"__dp4a((int)x, (int)y, (int)z)",
         [](u32 x, u32 y, u32 z) -> u64 {
             for (int i = 0; i < 32; i += 8) {
                 z += static_cast<u32>(static_cast<std::int8_t>(x >> i) *
                                       static_cast<std::int8_t>(y >> i));
             }
             return z;
         }},
        {"__dp4a(x, y, z)",
         [](u32 x, u32 y, u32 z) -> u64 {
             for (int i = 0; i < 32; i += 8) z += (x >> i & 255) * (y >> i & 255);
             return z;
         }},
        {"__dp2a_hi((int)x, (int)y, (int)z)",
         [](u32 x, u32 y, u32 z) -> u64 {
             return z + static_cast<u32>(
                            static_cast<std::int16_t>(x) * static_cast<std::int8_t>(y >> 16) +
                            static_cast<std::int16_t>(x >> 16) * static_cast<std::int8_t>(y >> 24));
         }},
        {"(unsigned)min((int)x, (int)y) + max(y, z)",
         [](u32 x, u32 y, u32 z) -> u64 {
             return static_cast<u32>(std::min(static_cast<i32>(x), static_cast<i32>(y))) +
                    std::max(y, z);
         }},
        {"min((int)x, y)", [](u32 x, u32 y, u32) -> u64 { return std::min(x, y); }},
        {"max((long long)(int)x, (long long)yz)",
         [=](u32 x, u32 y, u32 z) -> u64 {
             return static_cast<u64>(
                 std::max(i64{static_cast<i32>(x)}, static_cast<i64>(wide(y, z))));
         },
         true},
        {"(unsigned)abs((int)x | 1)",
         [](u32 x, u32, u32) -> u64 { return std::llabs(i64{static_cast<i32>(x | 1)}); }},
        {"__double2hiint(__hiloint2double(x, y)) ^ __double2loint(__longlong_as_double(yz))",
         [](u32 x, u32, u32 z) -> u64 { return x ^ z; }},
        // Through 32 bits, which saturate.
        {"(unsigned)(unsigned char)(float)(int)(x & 0xfff) + ((unsigned)(short)((float)(x & "
         "0xfffff)) << 8)",
         [](u32 x, u32, u32) -> u64 {
             return (x & 0xff) + (static_cast<u32>(static_cast<std::int16_t>(x & 0xffff)) << 8);
         }},
        {"(unsigned)(char)x",
         [](u32 x, u32, u32) -> u64 { return static_cast<u32>(static_cast<signed char>(x)); }},
    };
}

/// Operands are the words as floats.
std::vector<intrinsic> floats() {
    std::vector<intrinsic> all;
    struct mode {
        const char* name;
        int host;
    };
    for (const mode m : {mode{"rn", FE_TONEAREST}, mode{"rz", FE_TOWARDZERO},
                         mode{"rd", FE_DOWNWARD}, mode{"ru", FE_UPWARD}}) {
        const std::string n = m.name;
        const int host = m.host;
        const auto add = [&](const std::string& text,
                             const std::function<float(float, float, float)>& f) {
            all.push_back({"__float_as_uint(" + text + ")", [=](u32 x, u32 y, u32 z) -> u64 {
                               return rounded(host, [&] {
                                   return f(bits<float>(x), bits<float>(y), bits<float>(z));
                               });
                           }});
        };
        add("__fadd_" + n + "(a, b)", [](float a, float b, float) { return a + b; });
        add("__fsub_" + n + "(a, b)", [](float a, float b, float) { return a - b; });
        add("__fmul_" + n + "(a, b)", [](float a, float b, float) { return a * b; });
        add("__fdiv_" + n + "(a, b)", [](float a, float b, float) { return a / b; });
        add("__fsqrt_" + n + "(a)", [](float a, float, float) { return std::sqrt(a); });
        add("__frcp_" + n + "(a)", [](float a, float, float) { return 1 / a; });
        add("__int2float_" + n + "((int)x)",
            [](float a, float, float) { return static_cast<float>(bits<i32>(a)); });
        add("__uint2float_" + n + "(x)",
            [](float a, float, float) { return static_cast<float>(bits<u32>(a)); });
        const auto whole = [=](u32 x) {
            std::fesetround(host);
            const volatile float result = std::nearbyint(bits<float>(x));
            std::fesetround(FE_TONEAREST);
            return static_cast<float>(result);
        };
        all.push_back({"(unsigned)__float2int_" + n + "(a)", [=](u32 x, u32, u32) -> u64 {
                           const float w = whole(x);
                           if (w != w) return 0;
                           if (w >= 0x1p31f) return 0x7fffffff;
                           return w <= -0x1p31f ? 0x80000000u
                                                : static_cast<u32>(static_cast<i32>(w));
                       }});
        all.push_back({"__float2uint_" + n + "(a)", [=](u32 x, u32, u32) -> u64 {
                           const float w = whole(x);
                           return !(w > 0) ? 0 : w >= 0x1p32f ? 0xffffffffu : static_cast<u32>(w);
                       }});
        all.push_back({"(unsigned long long)__float2ll_" + n + "(a)",
                       [=](u32 x, u32, u32) -> u64 {
                           const float w = whole(x);
                           if (w != w) return 0;
                           if (w >= 0x1p63f) return 0x7fffffffffffffffu;
                           return w <= -0x1p63f ? u64{1} << 63
                                                : static_cast<u64>(static_cast<i64>(w));
                       },
                       true});
    }
    all.push_back(
        {"__float_as_uint(__double2float_rz((double)a * 1.0000001))", [](u32 x, u32, u32) -> u64 {
             const double d = static_cast<double>(bits<float>(x)) * 1.0000001;
             std::fesetround(FE_TOWARDZERO);
             const volatile float f = static_cast<float>(d);
             std::fesetround(FE_TONEAREST);
             return bits<u32>(static_cast<float>(f));
         }});
    return all;
}

std::vector<u32> words(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<u32> all{0,          1,          0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000,
                         0xbf800000, 0x4effffff, 0x4f000000, 0x3f000000, 0x00800000, 0x7f800000};
    std::normal_distribution<float> usual(0, 1000);
    while (all.size() < count) {
        all.push_back(all.size() % 2 == 0 ? static_cast<u32>(random()) : bits<u32>(usual(random)));
    }
    std::shuffle(all.begin(), all.end(), random);
    return all;
}

/// Results that are NaNs are alike.
bool is_nan(u64 word) {
    return (word & 0x7fffffff) > 0x7f800000;
}

void check(const std::vector<intrinsic>& all) {
    std::string text;
    for (std::size_t n = 0; n < all.size(); ++n) {
        text += "extern \"C\" __global__ void k" + std::to_string(n) +
                "(unsigned long long* out, const unsigned* in) {"
                " unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], y = in[i + 1024],"
                " z = in[i + 2048]; float a = __uint_as_float(x), b = __uint_as_float(y);"
                " unsigned long long xy = (unsigned long long)x << 32 | y,"
                " yz = (unsigned long long)y << 32 | z; out[i] = " +
                (all[n].wide ? "(unsigned long long)(" : "(unsigned)(") + all[n].expression +
                "); }\n";
    }
    cuda_kernels kernels(text);
    std::vector<u32> in = words(1);
    for (const unsigned seed : {2U, 3U}) {
        const std::vector<u32> more = words(seed);
        in.insert(in.end(), more.begin(), more.end());
    }
    const device_buffer<u32> input(kernels.gpu(), in, "in");
    const device_buffer<u64> out(kernels.gpu(), count, "out");
    for (std::size_t n = 0; n < all.size(); ++n) {
        kernels.run("k" + std::to_string(n), {{count / 64}, {64}}, out.get(), input.get());
        const std::vector<u64> found = out.read();
        for (std::size_t i = 0; i < count; ++i) {
            const u32 x = in[i], y = in[i + count], z = in[i + 2 * count];
            const u64 exact = all[n].exact(x, y, z);
            if (found[i] == exact) continue;
            const bool of_float = all[n].expression.rfind("__float_as_uint", 0) == 0;
            if (of_float && is_nan(found[i]) && is_nan(exact)) continue;
            ADD_FAILURE() << std::hex << all[n].expression << " of 0x" << x << ", 0x" << y << ", 0x"
                          << z << " is 0x" << found[i] << ", not 0x" << exact;
            break;
        }
    }
}

TEST(cuda_intrinsics, integers_are_exact) {
    check(integers());
}
TEST(cuda_intrinsics, named_roundings_are_those) {
    check(floats());
}

TEST(cuda_intrinsics, fast_math_takes_the_special_function_unit) {
    const std::string text =
        "extern \"C\" __global__ void k(float* x) { x[threadIdx.x] = expf(x[threadIdx.x]) + "
        "sinf(x[threadIdx.x]) + powf(x[threadIdx.x], 1.5f); }";
    const auto instructions = [&](const std::vector<std::string>& options) {
        return compile_device(text, options)->get_kernel("k").code.instructions.size();
    };
    const std::size_t fast = instructions({"-use_fast_math"}), exact = instructions({});
    EXPECT_LT(fast * 4, exact);
    EXPECT_LT(fast, 60U);
}

}  // namespace
}  // namespace heddle::cuda::test
