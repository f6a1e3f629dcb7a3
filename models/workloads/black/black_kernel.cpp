// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <heddle.h>

// Prices of European options by the formula of Black and Scholes (1973). Exponential and logarithm
// are subroutines with branches, as the C libraries of processors without such instructions have.

namespace {

using heddle::keep_branch;

// ln 2 in two parts: the first has so few digits that its product with a small integer is exact.
constexpr float ln2_high = 0x1.62e300p-1f;
constexpr float ln2_low = 0x1.2fefa2p-17f;

__forceinline__ float float_of(unsigned bits) {
    return __builtin_bit_cast(float, bits);
}
__forceinline__ unsigned bits_of(float value) {
    return __builtin_bit_cast(unsigned, value);
}

/// exp(x) = 2^k exp(r) with |r| <= ln 2 / 2, exp(r) by its series. Right to 2 units of the last
/// place, 0 where the result is below 2^-149.
__device__ __noinline__ float exponential(float x) {
    const float size = fabsf(x);
    if (size > 88.0f) {
        if (x > 0.0f) return float_of(0x7f800000u);
        if (x < -104.0f) return 0.0f;
    }
    int k = 0;
    float rest = x;
    if (size > 0.34657359f) {     // ln 2 / 2
        if (size < 1.0397208f) {  // 3 ln 2 / 2: no multiplication
            if (x > 0.0f) {
                keep_branch();
                rest = (x - ln2_high) - ln2_low;
                k = 1;
            } else {
                keep_branch();
                rest = (x + ln2_high) + ln2_low;
                k = -1;
            }
        } else {
            float rounding = 0.5f;
            if (x < 0.0f) {
                keep_branch();
                rounding = -0.5f;
            }
            k = static_cast<int>(x * 1.44269504f + rounding);
            rest = (x - k * ln2_high) - k * ln2_low;
        }
    } else if (size < 0x1p-14f) {
        return 1.0f + x;
    }
    const float series =
        1.0f +
        rest *
            (1.0f + rest * (1.0f / 2 +
                            rest * (1.0f / 6 +
                                    rest * (1.0f / 24 +
                                            rest * (1.0f / 120 +
                                                    rest * (1.0f / 720 + rest * (1.0f / 5040)))))));
    if (k == 0) return series;
    if (k >= -125) return float_of(bits_of(series) + (static_cast<unsigned>(k) << 23));
    // Not a normal number.
    return float_of(bits_of(series) + (static_cast<unsigned>(k + 100) << 23)) * 0x1p-100f;
}

/// ln(x) = k ln 2 + ln(1 + f) of a normal number, where sqrt(1/2) < 1 + f <= sqrt(2). Right to 2
/// units of the last place.
__device__ __noinline__ float logarithm(float x) {
    int k = static_cast<int>(bits_of(x) >> 23) - 127;
    float mantissa = float_of((bits_of(x) & 0x007fffffu) | 0x3f800000u);
    if (mantissa > 1.41421356f) {
        keep_branch();
        mantissa *= 0.5f;
        k += 1;
    }
    const float f = mantissa - 1.0f;
    if (fabsf(f) < 0x1p-12f) {
        if (f == 0.0f) return k * ln2_high + k * ln2_low;
        const float tail = f * f * (0.5f - f * (1.0f / 3));
        if (k == 0) return f - tail;
        return k * ln2_high - ((tail - k * ln2_low) - f);
    }
    const float s = f / (2.0f + f);
    const float z = s * s;
    const float odd =
        z * (2.0f / 3 + z * (2.0f / 5 + z * (2.0f / 7 + z * (2.0f / 9 + z * (2.0f / 11)))));
    if (k == 0) return f - s * (f - odd);
    return k * ln2_high - ((s * (f - odd) - k * ln2_low) - f);
}

/// Probability that a standard normal number is below d: Abramowitz, Stegun 26.2.17, right to
/// 7.5e-8.
__forceinline__ float normal_below(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float series =
        k * (0.319381530f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float below = 0.39894228f * exponential(-0.5f * d * d) * series;
    if (d > 0.0f) {
        keep_branch();
        below = 1.0f - below;
    }
    return below;
}

}  // namespace

/// One thread an option: prices of the call and of the put.
__global__ void black(unsigned options, float interest, float volatility, const float* spots,
                      const float* strikes, const float* years, float* calls, float* puts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= options) return;
    const float spot = spots[i], strike = strikes[i], time = years[i];
    const float spread = volatility * __builtin_sqrtf(time);
    const float high =
        (logarithm(spot / strike) + (interest + 0.5f * volatility * volatility) * time) / spread;
    const float above = normal_below(high), exercised = normal_below(high - spread);
    const float discounted = strike * exponential(-interest * time);
    calls[i] = spot * above - discounted * exercised;
    puts[i] = discounted * (1.0f - exercised) - spot * (1.0f - above);
}
