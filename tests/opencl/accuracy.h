// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "tests/opencl/built_ins.h"

namespace heddle::opencl::test {

template <class Real>
[[nodiscard]] Real of_bits(std::uint64_t bits) {
    Real value;
    std::memcpy(&value, &bits, sizeof(Real));
    return value;
}

/// Error of `got` in units in the last place of `exact`, subnormals included. An infinite or NaN
/// result that is the exact one has none; one that is not has infinite error.
template <class Real>
[[nodiscard]] double error_of(Real got, long double exact) {
    using limits = std::numeric_limits<Real>;
    if (std::isnan(exact) || std::isnan(got)) {
        return std::isnan(exact) && std::isnan(got) ? 0 : HUGE_VAL;
    }
    if (static_cast<Real>(exact) == got) return 0;  // also where both are infinite
    if (std::isinf(exact)) return HUGE_VAL;
    // An infinite result is as wrong as the next power of two would be.
    const long double value = std::isinf(got)
                                  ? std::copysign(std::ldexp(1.0L, limits::max_exponent), got)
                                  : static_cast<long double>(got);
    const int exponent = exact == 0 ? limits::min_exponent - 1
                                    : std::max(std::ilogb(exact), limits::min_exponent - 1);
    return static_cast<double>(std::fabs(value - exact) /
                               std::ldexp(1.0L, exponent - limits::digits + 1));
}

/// Arguments: edge cases, numbers of everyday size, larger ones, and any bit patterns. The edge
/// cases of the first and the second argument of a function come in all pairs.
template <class Real>
[[nodiscard]] std::vector<Real> arguments(unsigned position = 0) {
    using limits = std::numeric_limits<Real>;
    std::vector<Real> edges;
    for (const Real magnitude : {Real(0),
                                 limits::denorm_min(),
                                 limits::min() / 3,
                                 limits::min(),
                                 limits::epsilon(),
                                 Real(0.1L),
                                 Real(0.5L),
                                 std::nextafter(Real(1), Real(0)),
                                 Real(1),
                                 std::nextafter(Real(1), Real(2)),
                                 Real(1.5L),
                                 Real(2),
                                 Real(2.5L),
                                 Real(3),
                                 Real(10),
                                 Real(1.57079632679489662L),
                                 Real(3.14159265358979324L),
                                 Real(88.5L),
                                 Real(127.9L),
                                 Real(1048577.25L),
                                 std::ldexp(Real(1), limits::digits - 1) + 1,
                                 std::sqrt(limits::max()),
                                 limits::max(),
                                 limits::infinity()}) {
        edges.push_back(magnitude);
        edges.push_back(-magnitude);
    }
    edges.push_back(limits::quiet_NaN());
    std::vector<Real> all;
    const std::size_t count = edges.size();
    for (std::size_t n = 0; n < count * count; ++n) {
        const std::size_t at = position == 0 ? n : position == 1 ? n / count : n * 5 + n / count;
        all.push_back(edges[at % count]);
    }
    std::mt19937_64 random(position + 1);
    std::normal_distribution<double> usual(0, 4);
    while (all.size() < elements) {
        switch (all.size() % 4) {
            case 0:
                all.push_back(static_cast<Real>(usual(random)));
                break;
            case 2:
                all.push_back(static_cast<Real>(16 * usual(random)));
                break;
            default:
                all.push_back(of_bits<Real>(sizeof(Real) == 4 ? random() >> 32 : random()));
        }
    }
    return all;
}

}  // namespace heddle::opencl::test
