// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "models/base/bits.h"

namespace heddle {

/// A set of contexts of transactions (tm_engine), of which an SMX may have more than warps.
class context_set {
public:
    explicit context_set(unsigned contexts) : words_((contexts + 63) / 64) {}

    void insert(unsigned context) noexcept {
        count_ += test(context) ? 0 : 1;
        words_[context / 64] |= bits::one(context % 64);
    }
    void erase(unsigned context) noexcept {
        count_ -= test(context) ? 1 : 0;
        words_[context / 64] &= ~bits::one(context % 64);
    }
    [[nodiscard]] bool test(unsigned context) const noexcept {
        return bits::test(words_[context / 64], context % 64);
    }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    /// Calls f(context) in ascending order; f may change the set.
    template <class Function>
    void for_each(Function&& f) const {
        if (count_ == 0) return;
        for (std::size_t at = 0; at < words_.size(); ++at) {
            bits::for_each(words_[at],
                           [&](unsigned bit) { f(static_cast<unsigned>(at * 64 + bit)); });
        }
    }
    /// The first 64 of them, where contexts are warp slots.
    [[nodiscard]] const protocol::warp_mask& warps() const noexcept { return words_.front(); }

private:
    std::vector<std::uint64_t> words_;
    unsigned count_ = 0;
};

}  // namespace heddle
