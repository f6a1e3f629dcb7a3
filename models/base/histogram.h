// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// Distribution of a non-negative integer quantity (cycles waited, active lanes, ...) with exact
/// count, sum, minimum and maximum.
class histogram {
public:
    /// `bins` bins of `width` values each, from 0; the last one also takes everything above.
    /// Throws std::invalid_argument for 0 bins or width 0.
    static histogram linear(std::uint64_t width, std::size_t bins);
    /// Bin 0 holds the 0, bin k the values 2^(k-1) ... 2^k - 1.
    static histogram powers_of_two();

    /// Counts `value` `times` times. O(1), no heap.
    void add(std::uint64_t value, std::uint64_t times = 1) noexcept {
        if (times == 0) return;
        counts_[bin_of(value)] += times;
        samples_ += times;
        sum_ += value * times;
        if (value < minimum_) minimum_ = value;
        if (value > maximum_) maximum_ = value;
    }
    /// Adds another one's samples. Throws std::invalid_argument if its bins differ.
    void merge(const histogram& other);

    [[nodiscard]] std::uint64_t samples() const noexcept { return samples_; }
    [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
    [[nodiscard]] std::uint64_t minimum() const noexcept { return samples_ == 0 ? 0 : minimum_; }
    [[nodiscard]] std::uint64_t maximum() const noexcept { return maximum_; }
    /// 0 without samples.
    [[nodiscard]] double mean() const noexcept {
        return samples_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(samples_);
    }

    struct bin {
        std::uint64_t low;    ///< smallest value of the bin
        std::uint64_t count;  ///< samples in it
    };
    /// From the first bin to the last one that holds a sample; empty without samples.
    [[nodiscard]] std::vector<bin> bins() const;

private:
    histogram(std::uint64_t width, std::size_t bins) : width_(width), counts_(bins) {}
    [[nodiscard]] std::size_t bin_of(std::uint64_t value) const noexcept;

    std::uint64_t width_;  ///< 0: powers of two
    std::vector<std::uint64_t> counts_;
    std::uint64_t samples_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t minimum_ = ~std::uint64_t{0};
    std::uint64_t maximum_ = 0;
};

inline std::size_t histogram::bin_of(std::uint64_t value) const noexcept {
    if (width_ == 0) {
        return value == 0 ? 0 : 64 - static_cast<std::size_t>(__builtin_clzll(value));
    }
    const std::uint64_t bin = value / width_;
    return bin < counts_.size() ? static_cast<std::size_t>(bin) : counts_.size() - 1;
}

}  // namespace heddle
