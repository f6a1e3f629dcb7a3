// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A part of functions.cl: Bessel functions. Up to 25 by their power series (Abramowitz and Stegun,
// "Handbook of Mathematical Functions", 9.1.10 to 9.1.13, 9.6.10), whose terms cancel each other:
// they are sums of two doubles. Beyond that by Hankel's asymptotic expansions (9.2.5 to 9.2.10,
// 9.7.1), which are exact to less than e^-50 there.
#pragma once

typedef struct {
    double high, low;  // what the sum of both is
} pair;

static pair normal(double high, double low) {
    const double sum = high + low;
    return (pair){sum, low - (sum - high)};
}
static pair pair_add(pair a, pair b) {
    const double sum = a.high + b.high, part = sum - a.high;
    const double lost = (a.high - (sum - part)) + (b.high - part);
    return normal(sum, lost + (a.low + b.low));
}
static pair pair_multiply(pair a, pair b) {
    const double product = a.high * b.high;
    return normal(product, fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high));
}
static pair pair_divide(pair a, double by) {
    const double quotient = a.high / by;
    return normal(quotient, (fma(-quotient, by, a.high) + a.low) / by);
}

// ln(x / 2) + Euler's constant: 2^n m, and the logarithm of m as 2 atanh((m - 1) / (m + 1)).
static pair log_of_half(double x) {
    int n;
    double m = frexp(x, &n);
    if (m < M_SQRT1_2) m *= 2.0, n -= 1;
    const pair below = normal(m, 1.0);
    pair s = pair_divide((pair){m - 1.0, 0.0}, below.high);
    s = pair_add(s, (pair){-s.high * below.low / below.high, 0.0});
    const pair square = pair_multiply(s, s);
    pair power = s, sum = s;
    for (int k = 3; k < 45; k += 2) {
        power = pair_multiply(power, square);
        sum = pair_add(sum, pair_divide(power, k));
    }
    const pair two =
        pair_multiply((pair){n - 1, 0.0}, (pair){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
    return pair_add(pair_add((pair){0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58}, two),
                    (pair){2.0 * sum.high, 2.0 * sum.low});
}

// J of an order 0 or 1, or I with a sign of 1; with `weighted` also the sum in which each term has
// the weight of Y's: H(k), or H(k) + H(k + 1).
static pair power_series(int order, double x, int sign, pair* weighted) {
    const pair middle = {0.5 * x, 0.0};
    const pair square = pair_multiply(middle, middle);
    pair term = order == 0 ? (pair){1.0, 0.0} : middle, sum = term;
    pair harmonic = {order, 0.0};
    if (weighted != 0) *weighted = pair_multiply(term, harmonic);
    for (int k = 1; k < 120; ++k) {
        term = pair_divide(pair_multiply(term, square), sign * k * (k + order));
        sum = pair_add(sum, term);
        if (weighted != 0) {
            const pair one = {1.0, 0.0};
            harmonic = pair_add(harmonic, pair_divide(one, k));
            if (order == 1) harmonic = pair_add(harmonic, pair_divide(one, k + 1));
            *weighted = pair_add(*weighted, pair_multiply(term, harmonic));
        }
        // Its terms grow up to half of x.
        if (k > middle.high && fabs(term.high) < 0x1p-110 * fabs(sum.high)) break;
    }
    return sum;
}

// sqrt(2 / (pi x)) times P cos(w) - Q sin(w), or P sin(w) + Q cos(w), with
// w = x - (2 order + 1) pi / 4.
static double hankel(int order, double x, bool second) {
    const double m = 4.0 * order * order;
    double term = 1.0, p = 1.0, q = 0.0;
    for (int k = 1; k < 50 && fabs(term) > 0x1p-60; ++k) {
        const double odd = 2.0 * k - 1.0;
        term *= (m - odd * odd) / (k * 8.0 * x);
        const double signed_term = (k & 2) == 0 ? term : -term;
        if ((k & 1) == 0)
            p += signed_term;
        else
            q += signed_term;
    }
    const double sine = sin(x), cosine = cos(x);
    // Both by sqrt(1/2).
    const double c = order == 0 ? cosine + sine : sine - cosine;
    const double s = order == 0 ? sine - cosine : -sine - cosine;
    return (second ? p * s + q * c : p * c - q * s) * (0x1.20dd750429b6dp-1 / sqrt(x));
}

static double first_kind(int order, double x) {
    const double size = fabs(x);
    if (isinf(x)) return 0.0;
    const double value =
        size < 25.0 ? power_series(order, size, -1, 0).high : hankel(order, size, false);
    return order == 1 && x < 0.0 ? -value : value;
}

static double second_kind(int order, double x) {
    if (!(x > 0.0)) return x == 0.0 ? -INFINITY : NAN;
    if (isinf(x)) return 0.0;
    if (x >= 25.0) return hankel(order, x, true);
    if (order == 1 && x < 0x1p-60) return -M_2_PI / x;
    pair weighted;
    const pair j = power_series(order, x, -1, &weighted);
    pair sum = pair_multiply(log_of_half(x), j);
    if (order == 0) {
        sum = pair_add(sum, (pair){-weighted.high, -weighted.low});
    } else {
        sum = pair_add(sum, (pair){-0.5 * weighted.high, -0.5 * weighted.low});
        const pair inverse = pair_divide((pair){1.0, 0.0}, x);
        sum = pair_add(sum, (pair){-inverse.high, -inverse.low});
    }
    return pair_multiply(sum, (pair){0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55}).high;
}

static double modified(int order, double x) {
    const double size = fabs(x);
    double value = size;
    if (size < 25.0) {
        value = power_series(order, size, 1, 0).high;
    } else if (size < INFINITY) {
        const double m = 4.0 * order;
        double term = 1.0, sum = 1.0;
        for (int k = 1; k < 50 && fabs(term) > 0x1p-60; ++k) {
            const double odd = 2.0 * k - 1.0;
            term *= (odd * odd - m) / (k * 8.0 * size);
            sum += term;
        }
        // The function may be finite where the exponential is not.
        const double root = exp(0.5 * fmin(size, 1000.0));
        value = root * (sum * (0x1.9884533d43651p-2 / sqrt(size))) * root;
    }
    return order == 1 ? copysign(value, x) : value;
}

double __nv_j0(double x) {
    return first_kind(0, x);
}
double __nv_j1(double x) {
    return x == 0.0 ? x : first_kind(1, x);
}
double __nv_y0(double x) {
    return second_kind(0, x);
}
double __nv_y1(double x) {
    return second_kind(1, x);
}
double __nv_cyl_bessel_i0(double x) {
    return modified(0, x);
}
double __nv_cyl_bessel_i1(double x) {
    return modified(1, x);
}

// 9.1.27: upwards where that is stable. Else downwards (Miller) from where the function is as good
// as 0, with a factor that the sum of all even orders tells (9.1.46).
double __nv_jn(int n, double x) {
    if (isnan(x)) return x;
    const bool odd = (n & 1) != 0;
    double factor = odd && (n < 0) != (x < 0.0) ? -1.0 : 1.0;
    n = n < 0 ? -n : n;
    x = fabs(x);
    if (n == 0) return __nv_j0(x);
    if (n == 1) return factor * __nv_j1(x);
    if (x == 0.0 || isinf(x)) return 0.0 * factor;
    if (x >= 25.0 && n < x) {
        double below = __nv_j0(x), value = __nv_j1(x);
        for (int k = 1; k < n; ++k) {
            const double next = 2.0 * k / x * value - below;
            below = value;
            value = next;
        }
        return factor * value;
    }
    const int largest = n > x ? n : (int)x;
    const int start = (largest + 30 + (int)(3.0 * sqrt((double)largest))) & ~1;
    double above = 0.0, value = 0x1p-900, sum = 0.0, wanted = 0.0;
    for (int k = start; k > 0; --k) {
        // Of order k.
        if (k == n) wanted = value;
        if ((k & 1) == 0) sum += 2.0 * value;
        const double next = 2.0 * k / x * value - above;
        above = value;
        value = next;
        if (fabs(value) > 0x1p500) {
            value *= 0x1p-600;
            above *= 0x1p-600;
            wanted *= 0x1p-600;
            sum *= 0x1p-600;
        }
    }
    return factor * (wanted / (sum + value));
}

double __nv_yn(int n, double x) {
    const double factor = n < 0 && (n & 1) != 0 ? -1.0 : 1.0;
    n = n < 0 ? -n : n;
    double below = __nv_y0(x), value = __nv_y1(x);
    if (n == 0) return below;
    if (!(x > 0.0)) return factor * value;
    for (int k = 1; k < n && value > -INFINITY; ++k) {
        const double next = 2.0 * k / x * value - below;
        below = value;
        value = next;
    }
    return factor * value;
}

float __nv_j0f(float x) {
    return (float)__nv_j0((double)x);
}
float __nv_j1f(float x) {
    return (float)__nv_j1((double)x);
}
float __nv_y0f(float x) {
    return (float)__nv_y0((double)x);
}
float __nv_y1f(float x) {
    return (float)__nv_y1((double)x);
}
float __nv_jnf(int n, float x) {
    return (float)__nv_jn(n, (double)x);
}
float __nv_ynf(int n, float x) {
    return (float)__nv_yn(n, (double)x);
}
float __nv_cyl_bessel_i0f(float x) {
    return (float)__nv_cyl_bessel_i0((double)x);
}
float __nv_cyl_bessel_i1f(float x) {
    return (float)__nv_cyl_bessel_i1((double)x);
}
