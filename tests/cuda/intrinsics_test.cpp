// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Intrinsics of integers, conversions and rounded arithmetic, against the host.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/cuda/cuda_kernels.h"
#include "tests/cuda/intrinsic_check.h"

namespace heddle::cuda::test {
namespace {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

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
