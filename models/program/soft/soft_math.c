// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Functions that the compiler calls where the machine has no instruction, and libgcc no function:
// double precision beyond arithmetic and conversions, and halves. Results are rounded once, to the
// nearest, as IEEE 754 wants. Compiled when Heddle is built, and linked into programs that call
// them.
typedef unsigned int word;
typedef unsigned long long bits;

enum { mantissa_bits = 52, largest_exponent = 2047 };
#define SIGN (1ull << 63)
#define IMPLICIT (1ull << mantissa_bits)
#define INFINITE ((bits)largest_exponent << mantissa_bits)

static bits bits_of(double x) {
    bits value;
    __builtin_memcpy(&value, &x, sizeof value);
    return value;
}
static double of_bits(bits value) {
    double x;
    __builtin_memcpy(&x, &value, sizeof x);
    return x;
}
static bits magnitude(double x) {
    return bits_of(x) & ~SIGN;
}
static double with_sign_of(double magnitude, double sign) {
    return of_bits((bits_of(magnitude) & ~SIGN) | (bits_of(sign) & SIGN));
}

// ---- To whole numbers ---------------------------------------------------------------------------

double trunc(double x) {
    const int whole_bits = (int)(magnitude(x) >> mantissa_bits) - 1023;
    if (whole_bits >= mantissa_bits) return x;
    if (whole_bits < 0) return of_bits(bits_of(x) & SIGN);
    return of_bits(bits_of(x) & ~((IMPLICIT - 1) >> whole_bits));
}
double floor(double x) {
    const double whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}
double ceil(double x) {
    const double whole = trunc(x);
    return whole < x ? with_sign_of(whole + 1, x) : whole;
}
double round(double x) {
    const double whole = trunc(x);
    const double rest = with_sign_of(x - whole, 1);
    return rest >= 0.5 ? whole + with_sign_of(1, x) : whole;
}
double rint(double x) {
    const double whole = trunc(x);
    const double rest = with_sign_of(x - whole, 1);
    const int odd = trunc(whole * 0.5) * 2 != whole;
    return rest > 0.5 || (rest == 0.5 && odd) ? whole + with_sign_of(1, x) : whole;
}
double nearbyint(double x) {
    return rint(x);
}
float nearbyintf(float x) {
    return __builtin_rintf(x);
}

// ---- Of two -------------------------------------------------------------------------------------

double fmin(double x, double y) {
    return y != y || x < y || (x == y && bits_of(x) >> 63) ? x : y;
}
double fmax(double x, double y) {
    return y != y || x > y || (x == y && !(bits_of(x) >> 63)) ? x : y;
}

// ---- Roots, products and sums -------------------------------------------------------------------

/// mantissa * 2^exponent, not zero: how a number is taken apart.
struct parts {
    bits mantissa;
    int exponent;
};
static struct parts parts_of(double x) {
    const bits value = magnitude(x);
    const int exponent = (int)(value >> mantissa_bits);
    struct parts of = {value & (IMPLICIT - 1), exponent == 0 ? -1074 : exponent - 1075};
    if (exponent != 0) {
        of.mantissa |= IMPLICIT;
    } else {
        const int shift = __builtin_clzll(of.mantissa) - 11;
        of.mantissa <<= shift;
        of.exponent -= shift;
    }
    return of;
}

/// 128 bits.
struct wide {
    bits high, low;
};
/// The last bit stands for all that were shifted out.
static struct wide __df_shifted_right(struct wide x, int by) {
    if (by == 0) return x;
    if (by >= 128) return (struct wide){0, (x.high | x.low) != 0};
    if (by >= 64) {
        const bits lost = x.low | (by == 64 ? 0 : x.high << (128 - by));
        return (struct wide){0, (x.high >> (by - 64)) | (lost != 0)};
    }
    const bits lost = x.low << (64 - by);
    return (struct wide){x.high >> by, (x.low >> by) | (x.high << (64 - by)) | (lost != 0)};
}
static struct wide shifted_left(struct wide x, int by) {
    if (by == 0) return x;
    if (by >= 64) return (struct wide){x.low << (by - 64), 0};
    return (struct wide){(x.high << by) | (x.low >> (64 - by)), x.low << by};
}

/// x * 2^exponent, rounded; x is not zero.
static double __df_rounded(bits sign, struct wide x, int exponent) {
    // The highest bit to bit 127; then x.high holds the mantissa above 11 bits that decide.
    const int shift = x.high != 0 ? __builtin_clzll(x.high) : 64 + __builtin_clzll(x.low);
    x = shifted_left(x, shift);
    exponent += 128 - shift - 1 - mantissa_bits;  // of the mantissa's last bit
    const int subnormal_by = -1074 - exponent;
    if (subnormal_by > 0) {
        x = __df_shifted_right(x, subnormal_by < 127 ? subnormal_by : 127);
        exponent = -1074;
    }
    const bits rest = (x.high & 0x7ff) << 1 | (x.low != 0);
    bits mantissa = x.high >> 11;
    mantissa += rest > 0x800 || (rest == 0x800 && (mantissa & 1) != 0);
    // A mantissa that has become 2^53, or the smallest normal one, carries into the exponent.
    const bits biased = (bits)(exponent + 1074) << mantissa_bits;
    const bits result = exponent + 1074 >= largest_exponent - 1 ? INFINITE : biased + mantissa;
    return of_bits(sign | (result > INFINITE ? INFINITE : result));
}

static struct wide product(bits x, bits y) {
    const bits x0 = (word)x, x1 = x >> 32, y0 = (word)y, y1 = y >> 32;
    const bits middle = x1 * y0 + (x0 * y0 >> 32);
    const bits other = x0 * y1 + (word)middle;
    return (struct wide){x1 * y1 + (middle >> 32) + (other >> 32), x * y};
}

double fma(double x, double y, double z) {
    if (magnitude(x) == 0 || magnitude(y) == 0 || magnitude(x) >= INFINITE ||
        magnitude(y) >= INFINITE || magnitude(z) >= INFINITE) {
        return magnitude(z) >= INFINITE && magnitude(x) < INFINITE && magnitude(y) < INFINITE
                   ? z
                   : x * y + z;
    }
    if (magnitude(z) == 0) return x * y;
    const bits sign = (bits_of(x) ^ bits_of(y)) & SIGN;
    const struct parts a = parts_of(x), b = parts_of(y), c = parts_of(z);
    // Both with their highest bits around bit 125, so that neither a sum nor what is shifted out
    // (never more than a bit where they cancel) is lost.
    struct wide p = shifted_left(product(a.mantissa, b.mantissa), 20);
    int p_exponent = a.exponent + b.exponent - 20;
    struct wide s = {c.mantissa << 8, 0};  // 72 to the left
    const int s_exponent = c.exponent - 72;
    if (p_exponent < s_exponent) {
        p = __df_shifted_right(p, s_exponent - p_exponent);
        p_exponent = s_exponent;
    } else {
        s = __df_shifted_right(s, p_exponent - s_exponent);
    }
    if (((bits_of(z) & SIGN) ^ sign) == 0) {
        const struct wide sum = {p.high + s.high + (p.low + s.low < p.low), p.low + s.low};
        return __df_rounded(sign, sum, p_exponent);
    }
    const int less = p.high < s.high || (p.high == s.high && p.low < s.low);
    const struct wide large = less ? s : p, small = less ? p : s;
    const struct wide difference = {large.high - small.high - (large.low < small.low),
                                    large.low - small.low};
    if ((difference.high | difference.low) == 0) return 0;
    return __df_rounded(less ? sign ^ SIGN : sign, difference, p_exponent);
}

/// Bit by bit.
double sqrt(double x) {
    if (magnitude(x) == 0 || magnitude(x) > INFINITE || bits_of(x) == INFINITE) return x;
    if ((bits_of(x) & SIGN) != 0) return of_bits(INFINITE | IMPLICIT >> 1);
    struct parts of = parts_of(x);
    // x = m * 2^e with an even e; 55 bits of the root, the last one for all that follow.
    const int odd = of.exponent & 1;
    bits root = 0, rest = 0;
    const struct wide m = shifted_left((struct wide){0, of.mantissa}, 56 + odd);
    struct wide left = shifted_left(m, 128 - 110);  // its 110 bits, two at a time
    for (int n = 0; n < 55; ++n) {
        rest = rest << 2 | left.high >> 62;
        left = shifted_left(left, 2);
        const bits trial = root << 2 | 1;
        const int fits = rest >= trial;
        rest -= fits ? trial : 0;
        root = root << 1 | (bits)fits;
    }
    return __df_rounded(0, (struct wide){0, root << 1 | (rest != 0)},
                        (of.exponent - 56 - odd) / 2 - 1);
}

// ---- Halves -------------------------------------------------------------------------------------

/// `value` without its last `by` bits, rounded to the nearest, of two to the even one.
static word nearest(word value, word by) {
    const word rest = value & ((1u << by) - 1), half = 1u << (by - 1);
    value >>= by;
    return value + (rest > half || (rest == half && (value & 1) != 0));
}

unsigned short __truncsfhf2(float x) {
    word value;
    __builtin_memcpy(&value, &x, sizeof value);
    const unsigned short sign = (unsigned short)(value >> 16 & 0x8000);
    value &= 0x7fffffff;
    if (value > 0x7f800000) return sign | 0x7e00;                            // NaN
    if (value >= 0x47800000) return sign | 0x7c00;                           // 2^16 and more
    if (value >= 0x38800000) return sign + nearest(value - 0x38000000, 13);  // 2^-14 and more
    const word shift = 126 - (value >> 23);                                  // to units of 2^-24
    if (shift > 24) return sign;
    return sign | nearest((value & 0x7fffff) | 0x800000, shift);
}

float __extendhfsf2(unsigned short x) {
    const word sign = (word)(x & 0x8000) << 16;
    word value = x & 0x7fff;
    if (value >= 0x7c00) {
        value = value << 13 | 0x7f800000;
    } else if (value >= 0x400) {
        value = (value << 13) + 0x38000000;
    } else {
        const float small = (float)value * 0x1p-24f;
        __builtin_memcpy(&value, &small, sizeof value);
    }
    value |= sign;
    float result;
    __builtin_memcpy(&result, &value, sizeof result);
    return result;
}

/// Rounded once: what a float loses goes into its last bit.
unsigned short __truncdfhf2(double x) {
    const bits value = magnitude(x);
    const bits two_to_17 = 0x4100000000000000ull;
    if (value >= two_to_17 || value == 0) return __truncsfhf2((float)x);
    // All that a float lacks: below the last of 24 bits.
    const bits kept = value & ~0x1fffffffull;
    const float odd = (float)of_bits(kept);
    word result;
    __builtin_memcpy(&result, &odd, sizeof result);
    result |= value != kept;
    result |= (word)(bits_of(x) >> 32) & 0x80000000;
    float rounded_to_odd;
    __builtin_memcpy(&rounded_to_odd, &result, sizeof rounded_to_odd);
    return __truncsfhf2(rounded_to_odd);
}
