// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/protocol/item_set.h"

namespace heddle {

/// A word of shadow memory.
struct shadow_word {
    std::uint32_t value = 0;  ///< before the owner's first write
    std::uint8_t owner = 0;   ///< if owned
    bool owned = false;
    bool modified = false;  ///< by the owner: `value` counts
    bool shared = false;    ///< others have read it, too (smdcd)
};

/// Shadow memory of one bank for one block: by row, who owns the word and what it was before.
/// Its memory grows to the rows that transactions touch.
class shadow_memory {
public:
    [[nodiscard]] const shadow_word& at(std::uint32_t row) const noexcept {
        static constexpr shadow_word nobody{};
        return row < words_.size() ? words_[row] : nobody;
    }
    /// Nobody or the item itself owns the word; the item does from now on.
    void own(std::uint32_t row, unsigned item) {
        if (row >= words_.size() || !words_[row].owned) enter(row, item);
    }
    /// The owner writes the word for the first time; it holds `value`.
    void back_up(std::uint32_t row, std::uint32_t value) noexcept {
        shadow_word& word = words_[row];
        word.modified = true;
        word.value = value;
    }
    void share(std::uint32_t row) {
        shadow_word& word = make(row);
        if (!word.shared) shared_.push_back(row);
        word.shared = true;
    }
    /// No word is shared from now on.
    void unshare() noexcept {
        for (const std::uint32_t row : shared_) words_[row].shared = false;
        shared_.clear();
    }
    /// Calls restore(row, old value) for each word that one of `items` has written.
    template <class Restore>
    void for_each_modified(const protocol::item_set& items, Restore&& restore) const {
        for (const std::uint32_t row : owned_) {
            const shadow_word& word = words_[row];
            if (word.modified && items.test(word.owner)) restore(row, word.value);
        }
    }
    /// The items own nothing from now on.
    void release(const protocol::item_set& items) noexcept {
        const auto gone = [&](std::uint32_t row) {
            shadow_word& word = words_[row];
            if (!items.test(word.owner)) return false;
            word.owned = word.modified = false;
            return true;
        };
        owned_.erase(std::remove_if(owned_.begin(), owned_.end(), gone), owned_.end());
    }
    /// Whether anybody owns anything.
    [[nodiscard]] bool unused() const noexcept { return owned_.empty() && shared_.empty(); }

private:
    /// Out of line: an item owns a word once, and accesses it often.
    [[gnu::noinline]] void enter(std::uint32_t row, unsigned item) {
        shadow_word& word = make(row);
        word.owned = true;
        word.owner = static_cast<std::uint8_t>(item);
        owned_.push_back(row);
    }
    shadow_word& make(std::uint32_t row) {
        if (row >= words_.size()) words_.resize(row + 1);
        return words_[row];
    }

    std::vector<shadow_word> words_;     ///< by row
    std::vector<std::uint32_t> owned_;   ///< rows
    std::vector<std::uint32_t> shared_;  ///< rows
};

}  // namespace heddle
