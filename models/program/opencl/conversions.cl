// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Conversions (OpenCL C 1.2, 6.2.3) that libclc gets wrong: saturated ones of NaN, which give 0, and
// rounded ones of the largest integers to reals. Vectors go by halves.
#define OVERLOAD __attribute__((overloadable, always_inline))

#define CONVERSION(to, from, suffix, expression)                                           \
    OVERLOAD to convert_##to##suffix(from x) { return expression; }                        \
    OVERLOAD to##2 convert_##to##2##suffix(from##2 x) {                                    \
        return (to##2)(convert_##to##suffix(x.x), convert_##to##suffix(x.y));              \
    }                                                                                      \
    OVERLOAD to##3 convert_##to##3##suffix(from##3 x) {                                    \
        return (to##3)(convert_##to##2##suffix(x.xy), convert_##to##suffix(x.z));          \
    }                                                                                      \
    OVERLOAD to##4 convert_##to##4##suffix(from##4 x) {                                    \
        return (to##4)(convert_##to##2##suffix(x.lo), convert_##to##2##suffix(x.hi));      \
    }                                                                                      \
    OVERLOAD to##8 convert_##to##8##suffix(from##8 x) {                                    \
        return (to##8)(convert_##to##4##suffix(x.lo), convert_##to##4##suffix(x.hi));      \
    }                                                                                      \
    OVERLOAD to##16 convert_##to##16##suffix(from##16 x) {                                 \
        return (to##16)(convert_##to##8##suffix(x.lo), convert_##to##8##suffix(x.hi));     \
    }

// --- Reals to integers: `end` is the first number above the largest of the type ---
#define SATURATED(to, from, least, most, end)                                              \
    static to saturated_##from##_to_##to(from x) {                                         \
        return x != x ? 0 : x < (from)(least) ? (least) : x >= (from)(end) ? (most) : (to)x; \
    }                                                                                      \
    CONVERSION(to, from, _sat, saturated_##from##_to_##to(x))                              \
    CONVERSION(to, from, _sat_rtz, saturated_##from##_to_##to(x))                          \
    CONVERSION(to, from, _sat_rte, saturated_##from##_to_##to(rint(x)))                    \
    CONVERSION(to, from, _sat_rtp, saturated_##from##_to_##to(ceil(x)))                    \
    CONVERSION(to, from, _sat_rtn, saturated_##from##_to_##to(floor(x)))
#define SATURATED_OF(from)                                           \
    SATURATED(char, from, CHAR_MIN, CHAR_MAX, 0x1p7f)                \
    SATURATED(uchar, from, 0, UCHAR_MAX, 0x1p8f)                     \
    SATURATED(short, from, SHRT_MIN, SHRT_MAX, 0x1p15f)              \
    SATURATED(ushort, from, 0, USHRT_MAX, 0x1p16f)                   \
    SATURATED(int, from, INT_MIN, INT_MAX, 0x1p31f)                  \
    SATURATED(uint, from, 0, UINT_MAX, 0x1p32f)                      \
    SATURATED(long, from, LONG_MIN, LONG_MAX, 0x1p63f)               \
    SATURATED(ulong, from, 0, ULONG_MAX, 0x1p64f)
SATURATED_OF(float)
SATURATED_OF(double)

// --- Integers to reals: the nearest one that is not larger, and the next if that is another ---
#define ROUNDED(to, real_word, digits, word, sign)                                         \
    static to below_##word##_##to(word x) {                                                \
        const int lost = (int)(8 * sizeof(x)) - (digits) - (int)clz(x);                    \
        return lost > 0 ? (to)(x >> lost << lost) : (to)x;                                 \
    }                                                                                      \
    static to above_##word##_##to(word x) {                                                \
        const int lost = (int)(8 * sizeof(x)) - (digits) - (int)clz(x);                    \
        const to below = below_##word##_##to(x);                                           \
        return lost > 0 && (x >> lost << lost) != x ? as_##to(as_##real_word(below) + 1)   \
                                                    : below;                               \
    }                                                                                      \
    CONVERSION(to, word, _rtz, below_##word##_##to(x))                                     \
    CONVERSION(to, word, _rtp, above_##word##_##to(x))                                     \
    CONVERSION(to, word, _rtn, below_##word##_##to(x))                                     \
    CONVERSION(to, sign, _rtz,                                                             \
               x < 0 ? -below_##word##_##to(0 - (word)x) : below_##word##_##to((word)x))   \
    CONVERSION(to, sign, _rtp,                                                             \
               x < 0 ? -below_##word##_##to(0 - (word)x) : above_##word##_##to((word)x))   \
    CONVERSION(to, sign, _rtn,                                                             \
               x < 0 ? -above_##word##_##to(0 - (word)x) : below_##word##_##to((word)x))
ROUNDED(float, uint, 24, uint, int)
ROUNDED(float, uint, 24, ulong, long)
ROUNDED(double, ulong, 53, ulong, long)
