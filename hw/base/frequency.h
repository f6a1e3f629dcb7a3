// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// A clock frequency as an exact fraction of a megahertz, and the arithmetic of its edges.
///
/// Edge k lies at floor(k * 10^6 / f_MHz) ps, computed in integers, so that no edge ever drifts
/// (2600/4 MHz and 706 MHz have no period in whole picoseconds). Edge 0 lies at 0 ps.
/// All functions cost one 128-bit division or less. Valid for edges up to 2^63 ps (106 days).
class frequency {
public:
    /// `numerator / denominator` MHz, above 0 and at most 1 THz (an edge per picosecond).
    /// Throws configuration_error otherwise.
    static frequency megahertz(std::uint64_t numerator, std::uint64_t denominator = 1);
    /// Throws configuration_error outside 1 kHz ... 1 THz.
    static frequency kilohertz(std::uint64_t value);

    /// Time of edge k in ps.
    [[nodiscard, gnu::noinline]] std::uint64_t edge_time(std::uint64_t edge) const noexcept;
    /// First edge strictly after `time` (ps).
    [[nodiscard, gnu::noinline]] std::uint64_t first_edge_after(std::uint64_t time) const noexcept;
    /// First edge at or after `time` (ps).
    [[nodiscard]] std::uint64_t first_edge_not_before(std::uint64_t time) const noexcept {
        return time == 0 ? 0 : first_edge_after(time - 1);
    }

    /// Exact period in ps = period_numerator() / mhz_numerator(): an edge's time advances by the
    /// quotient, and the remainders add up.
    [[nodiscard]] std::uint64_t period_numerator() const noexcept { return period_; }
    /// Remainder of the division that floors edge_time(edge).
    [[nodiscard]] std::uint64_t edge_remainder(std::uint64_t edge) const noexcept;
    /// The exact frequency in MHz is mhz_numerator() / mhz_denominator(), in lowest terms.
    [[nodiscard]] std::uint64_t mhz_numerator() const noexcept { return numerator_; }
    [[nodiscard]] std::uint64_t mhz_denominator() const noexcept { return denominator_; }
    /// As "706 MHz" or "2600/3 MHz".
    [[nodiscard]] std::string to_string() const;

    friend bool operator==(const frequency& a, const frequency& b) noexcept {
        return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
    }
    friend bool operator!=(const frequency& a, const frequency& b) noexcept { return !(a == b); }

private:
    frequency(std::uint64_t numerator, std::uint64_t denominator) noexcept
        : numerator_(numerator), denominator_(denominator), period_(1000000 * denominator) {}

    std::uint64_t numerator_;
    std::uint64_t denominator_;
    std::uint64_t period_;  ///< period_ / numerator_ is the exact period in ps
};

}  // namespace heddle
