// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// A level over time (entries in use, queue length): its mean while it is above 0, and its
/// maximum. `now` counts cycles and never goes back. Sleeping owners need no account of the cycles
/// between two changes.
class level_meter {
public:
    /// From cycle `now` on the level is `level`.
    void set(std::uint64_t now, std::uint64_t level) noexcept {
        weighted_ += level_ * (now - since_);
        busy_ += level_ != 0 ? now - since_ : 0;
        since_ = now;
        level_ = level;
        maximum_ = level > maximum_ ? level : maximum_;
    }

    [[nodiscard]] std::uint64_t level() const noexcept { return level_; }
    [[nodiscard]] std::uint64_t maximum() const noexcept { return maximum_; }
    /// Cycles before `now` with a level above 0.
    [[nodiscard]] std::uint64_t busy(std::uint64_t now) const noexcept {
        return busy_ + (level_ != 0 ? since(now) : 0);
    }
    /// Sum of the level over the cycles before `now`.
    [[nodiscard]] std::uint64_t sum(std::uint64_t now) const noexcept {
        return weighted_ + level_ * since(now);
    }
    /// Mean level over busy(now); 0 if that is 0.
    [[nodiscard]] double mean(std::uint64_t now) const noexcept {
        const std::uint64_t cycles = busy(now);
        return cycles == 0 ? 0.0 : static_cast<double>(sum(now)) / static_cast<double>(cycles);
    }

private:
    /// Cycles from the last change to `now`, which may lie before it.
    [[nodiscard]] std::uint64_t since(std::uint64_t now) const noexcept {
        return now > since_ ? now - since_ : 0;
    }

    std::uint64_t since_ = 0;
    std::uint64_t level_ = 0;
    std::uint64_t weighted_ = 0;
    std::uint64_t busy_ = 0;
    std::uint64_t maximum_ = 0;
};

}  // namespace heddle
