// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/histogram.h"

#include <algorithm>
#include <stdexcept>

namespace heddle {

histogram histogram::linear(std::uint64_t width, std::size_t bins) {
    if (width == 0 || bins == 0) {
        throw std::invalid_argument("histogram: needs at least one bin, of width 1 or more");
    }
    return {width, bins};
}

histogram histogram::powers_of_two() {
    return {0, 65};
}

void histogram::merge(const histogram& other) {
    if (width_ != other.width_ || counts_.size() != other.counts_.size()) {
        throw std::invalid_argument("histogram: only one with the same bins can be merged");
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    samples_ += other.samples_;
    sum_ += other.sum_;
    minimum_ = std::min(minimum_, other.minimum_);
    maximum_ = std::max(maximum_, other.maximum_);
}

std::vector<histogram::bin> histogram::bins() const {
    std::vector<bin> result;
    if (samples_ == 0) return result;
    for (std::size_t i = 0; i <= bin_of(maximum_); ++i) {
        const std::uint64_t power = i == 0 ? 0 : std::uint64_t{1} << (i - 1);
        result.push_back({width_ == 0 ? power : width_ * i, counts_[i]});
    }
    return result;
}

}  // namespace heddle
