// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::iss {

/// Which transactions under way have read and written the words of a block's shared memory:
/// exactly, whatever a machine's detection remembers. Two of them may meet at a word only if both
/// read it.
class transaction_words {
public:
    static constexpr std::uint32_t most_items = 256;  ///< threads of a block with transactions

    explicit transaction_words(std::size_t bytes = 0) : words_((bytes + 3) / 4) {}

    /// An item reads or writes the word at a byte offset. Gives the other item that it meets and
    /// should have lost to.
    std::optional<std::uint32_t> read(std::size_t offset, std::uint32_t item) {
        word& at = words_[offset / 4];
        if (at.writer != nobody && at.writer != item) return at.writer;
        touch(at, offset, item);
        return std::nullopt;
    }
    std::optional<std::uint32_t> write(std::size_t offset, std::uint32_t item) {
        word& at = words_[offset / 4];
        if (at.writer != nobody && at.writer != item) return at.writer;
        for (std::uint32_t part = 0; part < at.readers.size(); ++part) {
            const std::uint64_t own = item / 64 == part ? std::uint64_t{1} << item % 64 : 0;
            const std::uint64_t others = at.readers[part] & ~own;
            if (others != 0) {
                return part * 64 + static_cast<std::uint32_t>(__builtin_ctzll(others));
            }
        }
        touch(at, offset, item);
        at.writer = item;
        return std::nullopt;
    }
    /// Whether a transaction under way has accessed the word.
    [[nodiscard]] bool owned(std::size_t offset) const noexcept {
        for (const std::uint64_t part : words_[offset / 4].readers) {
            if (part != 0) return true;
        }
        return false;
    }
    /// The item's attempt is over.
    void forget(std::uint32_t item) {
        for (const std::size_t index : touched_[item]) {
            words_[index].readers[item / 64] &= ~(std::uint64_t{1} << item % 64);
            if (words_[index].writer == item) words_[index].writer = nobody;
        }
        touched_[item].clear();
    }

private:
    static constexpr std::uint32_t nobody = most_items;

    struct word {
        std::array<std::uint64_t, most_items / 64> readers{};  ///< a writer is one, too
        std::uint32_t writer = nobody;
    };

    void touch(word& at, std::size_t offset, std::uint32_t item) {
        at.readers[item / 64] |= std::uint64_t{1} << item % 64;
        touched_[item].push_back(offset / 4);
    }

    std::vector<word> words_;
    std::array<std::vector<std::size_t>, most_items> touched_;  ///< words of each item
};

}  // namespace heddle::iss
