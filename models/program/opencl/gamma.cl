// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The gamma function within the error that OpenCL 1.2 allows (section 7.4), 16 units in the last
// place. libclc's goes by way of the logarithm, which has lost too much where it is large.
#include "models/program/opencl/overloads.h"

// 1 / gamma(1 + r) is 1 + r * (sum of these * r^n) for |r| <= 1/2: the polynomial through Chebyshev's
// points, off by 8e-9 and 1e-17.
constant float float_terms[] = {
    0.577215672f, -0.655878075f, -0.0420035138f, 0.166539109f, -0.042180224f, -0.00963192914f,
    0.00710791935f, -0.00110136775f};
constant double double_terms[] = {
    0.577215664901532861, -0.655878071520253596, -0.0420026350340953011, 0.166538611382248955,
    -0.0421977345555345421, -0.00962197152604008825, 0.00721894324623992089,
    -0.00116516762682700085, -0.000215241666052744673, 0.000128050623958722534,
    -0.000020134933638703093, -1.25227890619539598e-6, 1.13344041568306346e-6,
    -2.00890294265464253e-7, 5.01287194250554566e-9};

// Up to here gamma(x) is made of gamma(1 + r), where r is x without its nearest whole number, by
// factors x - k, which are exact.
#define STIRLING 16.5f

// `beyond`: from there on the result is infinite, or less than the least number.
//
// By Stirling's formula gamma(y) is y^(y - 1/2) * e^-y * sqrt(2 pi) * e^series. Half of the power's
// exponent is exact, and the half power is finite where gamma is not. Negative x are reflected:
// gamma(x) = -pi / (x * sin(pi x) * gamma(-x)).
#define TGAMMA(type, terms, beyond)                                                             \
    static __attribute__((noinline)) type gamma_of(type x) {                                    \
        const type whole = rint(x), r = x - whole;                                              \
        if (x < 0 && r == 0) return NAN;                                                        \
        if (!(fabs(x) < beyond)) return x > 0 ? INFINITY : x * 0 + copysign((type)0, sinpi(x)); \
        if (fabs(x) < STIRLING) {                                                               \
            type sum = 0;                                                                       \
            for (int n = sizeof terms / sizeof terms[0]; n-- > 0;) sum = sum * r + terms[n];    \
            type above = 1, below = 1 + r * sum;                                                \
            const int n = (int)whole;                                                           \
            for (int k = 1; k < n; ++k) above *= x - k;                                         \
            for (int k = 0; k >= n; --k) below *= x - k;                                        \
            return above / below;                                                               \
        }                                                                                       \
        const type y = fabs(x), i = 1 / y, i2 = i * i;                                          \
        type series = (type)(1.0 / 1188) - i2 * (type)(691.0 / 360360);                         \
        series = (type)(1.0 / 1260) - i2 * ((type)(1.0 / 1680) - i2 * series);                  \
        series = i * ((type)(1.0 / 12) - i2 * ((type)(1.0 / 360) - i2 * series));               \
        const type root = pow(y, y / 2 - (type)0.25);                                           \
        const type rest = (type)2.50662827463100050242 * exp(-y) * root * exp(series);          \
        if (x > 0) return rest * root;                                                          \
        return (type)-3.14159265358979323846 / (x * sinpi(x) * rest) / root;                    \
    }                                                                                           \
    OVERLOAD type tgamma(type x) { return gamma_of(x); }                                        \
    VECTORS_1(type, tgamma)

#define gamma_of float_gamma
TGAMMA(float, float_terms, 44.0f)
#undef gamma_of
#define gamma_of double_gamma
TGAMMA(double, double_terms, 190.0)
