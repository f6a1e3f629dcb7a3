/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Two halves or four bytes of a word at once. The machine has no such instructions: each lane is
 * computed by itself, but for plain sums and differences. */
#ifndef HEDDLE_CUDA_WORD_VECTORS_H
#define HEDDLE_CUDA_WORD_VECTORS_H

/* The highest bit of each lane. */
#define HEDDLE_TOP_2 0x80008000u
#define HEDDLE_TOP_4 0x80808080u

/* `expression` of the lanes a and b; `low` and `high` are the ends of their type. */
#define HEDDLE_LANES_OF(name, bits, type, least, most, expression)  \
    HEDDLE_DEVICE unsigned name(unsigned x, unsigned y) {           \
        const int low = least, high = most;                         \
        unsigned result = 0;                                        \
        for (unsigned i = 0; i < 32; i += bits) {                   \
            const int a = (type)(x >> i), b = (type)(y >> i);       \
            const int lane = expression;                            \
            result |= ((unsigned)lane & (~0u >> (32 - bits))) << i; \
        }                                                           \
        (void)low, (void)high;                                      \
        return result;                                              \
    }
#define HEDDLE_SIGNED_LANES(name, expression)                      \
    HEDDLE_LANES_OF(name##2, 16, short, -32768, 32767, expression) \
    HEDDLE_LANES_OF(name##4, 8, signed char, -128, 127, expression)
#define HEDDLE_UNSIGNED_LANES(name, expression)                        \
    HEDDLE_LANES_OF(name##2, 16, unsigned short, 0, 65535, expression) \
    HEDDLE_LANES_OF(name##4, 8, unsigned char, 0, 255, expression)
#define HEDDLE_SATURATED(value) ((value) < low ? low : (value) > high ? high : (value))

#define HEDDLE_SUMS(n)                                         \
    HEDDLE_DEVICE unsigned __vadd##n(unsigned x, unsigned y) { \
        const unsigned top = HEDDLE_TOP_##n;                   \
        return ((x & ~top) + (y & ~top)) ^ ((x ^ y) & top);    \
    }                                                          \
    HEDDLE_DEVICE unsigned __vsub##n(unsigned x, unsigned y) { \
        const unsigned top = HEDDLE_TOP_##n;                   \
        return ((x | top) - (y & ~top)) ^ ((x ^ ~y) & top);    \
    }
HEDDLE_SUMS(2)
HEDDLE_SUMS(4)
#undef HEDDLE_SUMS

HEDDLE_SIGNED_LANES(__vaddss, HEDDLE_SATURATED(a + b))
HEDDLE_UNSIGNED_LANES(__vaddus, HEDDLE_SATURATED(a + b))
HEDDLE_SIGNED_LANES(__vsubss, HEDDLE_SATURATED(a - b))
HEDDLE_UNSIGNED_LANES(__vsubus, HEDDLE_SATURATED(a - b))
/* Halves are rounded up, of negative sums down: away from zero. */
HEDDLE_SIGNED_LANES(__vavgs, (a + b + (a + b >= 0)) >> 1)
HEDDLE_UNSIGNED_LANES(__vavgu, (a + b + 1) >> 1)
HEDDLE_UNSIGNED_LANES(__vhaddu, (a + b) >> 1)
HEDDLE_SIGNED_LANES(__vmaxs, a > b ? a : b)
HEDDLE_UNSIGNED_LANES(__vmaxu, a > b ? a : b)
HEDDLE_SIGNED_LANES(__vmins, a < b ? a : b)
HEDDLE_UNSIGNED_LANES(__vminu, a < b ? a : b)
HEDDLE_SIGNED_LANES(__vabsdiffs, a > b ? a - b : b - a)
HEDDLE_UNSIGNED_LANES(__vabsdiffu, a > b ? a - b : b - a)

/* Lanes of ones, or 1, where the comparison holds; zeros elsewhere. */
#define HEDDLE_COMPARED(lanes, name, comparison) \
    lanes(__vcmp##name, a comparison b ? -1 : 0) lanes(__vset##name, a comparison b ? 1 : 0)
HEDDLE_COMPARED(HEDDLE_UNSIGNED_LANES, eq, ==)
HEDDLE_COMPARED(HEDDLE_UNSIGNED_LANES, ne, !=)
HEDDLE_COMPARED(HEDDLE_SIGNED_LANES, ges, >=)
HEDDLE_COMPARED(HEDDLE_UNSIGNED_LANES, geu, >=)
HEDDLE_COMPARED(HEDDLE_SIGNED_LANES, gts, >)
HEDDLE_COMPARED(HEDDLE_UNSIGNED_LANES, gtu, >)
HEDDLE_COMPARED(HEDDLE_SIGNED_LANES, les, <=)
HEDDLE_COMPARED(HEDDLE_UNSIGNED_LANES, leu, <=)
HEDDLE_COMPARED(HEDDLE_SIGNED_LANES, lts, <)
HEDDLE_COMPARED(HEDDLE_UNSIGNED_LANES, ltu, <)
#undef HEDDLE_COMPARED

/* Of one word. */
#define HEDDLE_ALONE(n)                              \
    HEDDLE_DEVICE unsigned __vneg##n(unsigned x) {   \
        return __vsub##n(0, x);                      \
    }                                                \
    HEDDLE_DEVICE unsigned __vnegss##n(unsigned x) { \
        return __vsubss##n(0, x);                    \
    }                                                \
    HEDDLE_DEVICE unsigned __vabs##n(unsigned x) {   \
        return __vabsdiffs##n(x, 0);                 \
    }                                                \
    HEDDLE_DEVICE unsigned __vabsss##n(unsigned x) { \
        return __vmaxs##n(x, __vnegss##n(x));        \
    }
HEDDLE_ALONE(2)
HEDDLE_ALONE(4)
#undef HEDDLE_ALONE

/* Sums of the lanes' differences. */
#define HEDDLE_LANE_SUM(name, bits, differences)                                        \
    HEDDLE_DEVICE unsigned name(unsigned x, unsigned y) {                               \
        const unsigned all = differences(x, y);                                         \
        unsigned sum = 0;                                                               \
        for (unsigned i = 0; i < 32; i += bits) sum += all >> i & (~0u >> (32 - bits)); \
        return sum;                                                                     \
    }
HEDDLE_LANE_SUM(__vsads2, 16, __vabsdiffs2)
HEDDLE_LANE_SUM(__vsadu2, 16, __vabsdiffu2)
HEDDLE_LANE_SUM(__vsads4, 8, __vabsdiffs4)
HEDDLE_LANE_SUM(__vsadu4, 8, __vabsdiffu4)
#undef HEDDLE_LANE_SUM

#undef HEDDLE_LANES_OF
#undef HEDDLE_SIGNED_LANES
#undef HEDDLE_UNSIGNED_LANES
#undef HEDDLE_SATURATED
#undef HEDDLE_TOP_2
#undef HEDDLE_TOP_4

#endif
