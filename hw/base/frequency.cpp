// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/frequency.h"

#include <limits>
#include <numeric>

#include "models/base/error.h"

namespace heddle {
namespace {

__extension__ using wide = unsigned __int128;

constexpr std::uint64_t ps_per_us = 1000000;

}  // namespace

frequency frequency::megahertz(std::uint64_t numerator, std::uint64_t denominator) {
    // Beyond 10^12 the products of the edge arithmetic could leave 128 bits.
    constexpr std::uint64_t largest = 1000000000000;
    if (numerator == 0 || denominator == 0 || numerator > largest || denominator > largest ||
        numerator / ps_per_us > denominator ||
        (numerator / ps_per_us == denominator && numerator % ps_per_us != 0)) {
        throw configuration_error("clock frequency: " + std::to_string(numerator) + "/" +
                                  std::to_string(denominator) +
                                  " MHz is not a frequency above 0 and up to 1000000 MHz");
    }
    const std::uint64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

frequency frequency::kilohertz(std::uint64_t value) {
    return megahertz(value, 1000);
}

std::uint64_t frequency::edge_time(std::uint64_t edge) const noexcept {
    return static_cast<std::uint64_t>(wide{edge} * period_ / numerator_);
}

std::uint64_t frequency::edge_remainder(std::uint64_t edge) const noexcept {
    return static_cast<std::uint64_t>(wide{edge} * period_ % numerator_);
}

std::uint64_t frequency::first_edge_after(std::uint64_t time) const noexcept {
    // floor(k * P / n) > t  <=>  k * P >= (t + 1) * n  <=>  k >= ceil((t + 1) * n / P)
    if (time < std::numeric_limits<std::uint64_t>::max() / numerator_ - 1) {
        const std::uint64_t product = (time + 1) * numerator_;
        return product / period_ + (product % period_ != 0 ? 1 : 0);
    }
    const wide product = (wide{time} + 1) * numerator_;
    return static_cast<std::uint64_t>((product + period_ - 1) / period_);
}

std::string frequency::to_string() const {
    std::string text = std::to_string(numerator_);
    if (denominator_ != 1) {
        text += "/" + std::to_string(denominator_);
    }
    return text + " MHz";
}

}  // namespace heddle
