/* SPDX-License-Identifier: Apache-2.0
 * Copyright The Heddle authors
 *
 * Integer intrinsics beyond those of Heddle's own kernels (heddle/bits.h). */
#ifndef HEDDLE_CUDA_BIT_INTRINSICS_H
#define HEDDLE_CUDA_BIT_INTRINSICS_H

/* Counting and turning round. */
HEDDLE_DEVICE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
HEDDLE_DEVICE int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
HEDDLE_DEVICE int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
HEDDLE_DEVICE unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}

/* Products. Of 24-bit factors the upper 8 bits of the words are not looked at. */
HEDDLE_DEVICE int __mul24(int x, int y) {
    return (int)((unsigned)((x << 8) >> 8) * (unsigned)((y << 8) >> 8));
}
HEDDLE_DEVICE unsigned __umul24(unsigned x, unsigned y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
HEDDLE_DEVICE int mul24(int x, int y) {
    return __mul24(x, y);
}
HEDDLE_DEVICE unsigned umul24(unsigned x, unsigned y) {
    return __umul24(x, y);
}
HEDDLE_DEVICE int mulhi(int x, int y) {
    return __mulhi(x, y);
}
HEDDLE_DEVICE unsigned umulhi(unsigned x, unsigned y) {
    return __umulhi(x, y);
}
HEDDLE_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    const unsigned long long x0 = (unsigned)x, x1 = x >> 32, y0 = (unsigned)y, y1 = y >> 32;
    const unsigned long long middle = x1 * y0 + (x0 * y0 >> 32);
    const unsigned long long other = x0 * y1 + (unsigned)middle;
    return x1 * y1 + (middle >> 32) + (other >> 32);
}
HEDDLE_DEVICE long long __mul64hi(long long x, long long y) {
    const unsigned long long high = __umul64hi((unsigned long long)x, (unsigned long long)y);
    return (long long)(high - (x < 0 ? (unsigned long long)y : 0) -
                       (y < 0 ? (unsigned long long)x : 0));
}

/* Differences and means. */
HEDDLE_DEVICE unsigned __sad(int x, int y, unsigned z) {
    return (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x) + z;
}
HEDDLE_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z) {
    return (x > y ? x - y : y - x) + z;
}
HEDDLE_DEVICE int __hadd(int x, int y) {
    return (x & y) + ((x ^ y) >> 1);
}
HEDDLE_DEVICE int __rhadd(int x, int y) {
    return (x | y) - ((x ^ y) >> 1);
}
HEDDLE_DEVICE unsigned __uhadd(unsigned x, unsigned y) {
    return (x & y) + ((x ^ y) >> 1);
}
HEDDLE_DEVICE unsigned __urhadd(unsigned x, unsigned y) {
    return (x | y) - ((x ^ y) >> 1);
}

/* Bytes 0 to 3 are those of x, 4 to 7 those of y. Bit 3 of a selector repeats the byte's sign. */
HEDDLE_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long all = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned chosen = selector >> (4 * i);
        unsigned byte = (unsigned)(all >> (8 * (chosen & 7))) & 0xffu;
        if ((chosen & 8) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0;
        result |= byte << (8 * i);
    }
    return result;
}

/* The upper word of high:low to the left, the lower one of it to the right. */
HEDDLE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
HEDDLE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
HEDDLE_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
HEDDLE_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/* Sums of products of four bytes. */
HEDDLE_DEVICE int __dp4a(int x, int y, int sum) {
    for (int i = 0; i < 32; i += 8) sum += (int)(signed char)(x >> i) * (int)(signed char)(y >> i);
    return sum;
}
HEDDLE_DEVICE unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
    for (int i = 0; i < 32; i += 8) sum += (x >> i & 0xffu) * (y >> i & 0xffu);
    return sum;
}
HEDDLE_DEVICE int __dp4a(char4 x, char4 y, int sum) {
    return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
HEDDLE_DEVICE unsigned __dp4a(uchar4 x, uchar4 y, unsigned sum) {
    return sum + (unsigned)(x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w);
}
/* Of two halves of x with two bytes of y. */
HEDDLE_DEVICE int __dp2a_lo(int x, int y, int sum) {
    return sum + (short)x * (signed char)y + (short)(x >> 16) * (signed char)(y >> 8);
}
HEDDLE_DEVICE int __dp2a_hi(int x, int y, int sum) {
    return __dp2a_lo(x, y >> 16, sum);
}
HEDDLE_DEVICE unsigned __dp2a_lo(unsigned x, unsigned y, unsigned sum) {
    return sum + (x & 0xffffu) * (y & 0xffu) + (x >> 16) * (y >> 8 & 0xffu);
}
HEDDLE_DEVICE unsigned __dp2a_hi(unsigned x, unsigned y, unsigned sum) {
    return __dp2a_lo(x, y >> 16, sum);
}
HEDDLE_DEVICE int __dp2a_lo(short2 x, char4 y, int sum) {
    return sum + x.x * y.x + x.y * y.y;
}
HEDDLE_DEVICE int __dp2a_hi(short2 x, char4 y, int sum) {
    return sum + x.x * y.z + x.y * y.w;
}
HEDDLE_DEVICE unsigned __dp2a_lo(ushort2 x, uchar4 y, unsigned sum) {
    return sum + (unsigned)x.x * y.x + (unsigned)x.y * y.y;
}
HEDDLE_DEVICE unsigned __dp2a_hi(ushort2 x, uchar4 y, unsigned sum) {
    return sum + (unsigned)x.x * y.z + (unsigned)x.y * y.w;
}

/* The place of the set bit that is `offset`-th from bit `first` on, upwards, or downwards if it is
 * negative; the bit `first` itself is the first one. ~0: there is none. */
HEDDLE_DEVICE unsigned __fns(unsigned mask, unsigned first, int offset) {
    if (offset == 0) return (mask >> (first & 31) & 1) != 0 && first < 32 ? first : ~0u;
    const int step = offset < 0 ? -1 : 1;
    for (int at = (int)first; at >= 0 && at < 32; at += step) {
        if ((mask >> at & 1) != 0 && (offset -= step) == 0) return (unsigned)at;
    }
    return ~0u;
}

#endif
