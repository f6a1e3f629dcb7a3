// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace heddle {

/// Which parts are due at which edge: a wheel of bit masks of parts for the near future, and a heap
/// for later edges.
///
/// Adding is O(1) within `horizon` edges and O(log n) beyond; taking costs one word per 64 parts.
/// Nothing is allocated once the heap has reached its largest size; a part that repeats its last
/// request beyond the horizon takes no entry.
class due_times {
public:
    static constexpr std::uint64_t horizon = 256;
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    /// Forgets everything.
    void resize(std::size_t parts);
    /// Part `part` is due at `edge`. No pending due edge is before `base`, and neither is `edge`.
    void add(std::uint32_t part, std::uint64_t edge, std::uint64_t base) {
        if (edge - base >= horizon) return add_far(part, edge);
        const std::uint64_t slot = edge % horizon;
        wheel_[slot * words_ + part / 64] |= std::uint64_t{1} << (part % 64);
        used_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    /// Moves the parts that are due at `edge` into `mask` (one bit per part). The caller has taken
    /// every earlier due edge before.
    void take(std::uint64_t edge, std::uint64_t* mask) {
        if (slot_used(edge)) {
            take_slot(edge, mask);
        }
        while (!far_.empty() && far_.front().edge <= edge) {
            take_far(mask);
        }
    }
    /// The earliest due edge after `edge`, or `never`; nothing is due at or before `edge`.
    [[nodiscard]] std::uint64_t next_after(std::uint64_t edge) const;

private:
    struct far_entry {
        std::uint64_t edge;
        std::uint32_t part;
    };
    static constexpr std::uint64_t slot_words = horizon / 64;

    [[nodiscard]] bool slot_used(std::uint64_t edge) const {
        const std::uint64_t slot = edge % horizon;
        return ((used_[slot / 64] >> (slot % 64)) & 1) != 0;
    }
    void add_far(std::uint32_t part, std::uint64_t edge);
    void take_slot(std::uint64_t edge, std::uint64_t* mask);
    void take_far(std::uint64_t* mask);

    std::size_t words_ = 0;
    std::uint64_t used_[slot_words] = {};  ///< one bit per slot with a due part
    std::vector<std::uint64_t> wheel_;     ///< horizon slots of words_ words
    std::vector<far_entry> far_;           ///< min-heap by edge
    std::vector<std::uint64_t> last_far_;  ///< per part: the last edge that went to the heap
};

}  // namespace heddle
