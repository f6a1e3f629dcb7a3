// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <vector>

#include "hw/smx/thread_pool/dwf/warp_update_register.h"

namespace heddle {

/// Arrivals that wait for a warp update register, first in, first out. Allocates only when more of
/// them wait than ever before.
class arrival_queue {
public:
    arrival_queue() : ring_(16) {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] unsigned threads() const noexcept { return threads_; }
    /// The place behind the last arrival, to be written and then added by push().
    [[nodiscard]] warp_update_register& back() {
        if (size_ == ring_.size()) grow();
        return ring_[(head_ + size_) & (ring_.size() - 1)];
    }
    void push() noexcept {
        threads_ += ring_[(head_ + size_) & (ring_.size() - 1)].count();
        ++size_;
    }
    /// Precondition: size() != 0.
    void take(warp_update_register& into) noexcept {
        into = ring_[head_];
        threads_ -= into.count();
        head_ = (head_ + 1) & (ring_.size() - 1);
        --size_;
    }

private:
    void grow() {
        std::vector<warp_update_register> larger(2 * ring_.size());
        for (std::size_t i = 0; i < size_; ++i) {
            larger[i] = ring_[(head_ + i) & (ring_.size() - 1)];
        }
        ring_.swap(larger);
        head_ = 0;
    }

    std::vector<warp_update_register> ring_;  ///< a power of two
    std::size_t head_ = 0;
    std::size_t size_ = 0;
    unsigned threads_ = 0;
};

}  // namespace heddle
