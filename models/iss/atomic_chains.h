// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace heddle::iss {

/// Whether atomics have been performed one after another: each finds what another one left. An
/// update that is lost leaves two that found the same value.
///
/// A word is judged whenever no atomic is under way at it: of every value, as many atomics must
/// have left it as have found it, but for the first found and the last left. A word that is stored
/// to as well is not judged until clear().
class atomic_chains {
public:
    /// `stored`: tells whether a write that is no atomic may be under way at the word.
    template <class Predicate>
    void began(std::uint32_t word, Predicate&& stored) {
        chain& c = words_[word];
        if (c.under_way++ == 0 && !c.mixed) c.mixed = stored();
    }
    /// The atomic found `old` and left `next`. A value that too many atomics have found, if the
    /// word is to be judged now and is wrong.
    std::optional<std::uint32_t> ended(std::uint32_t word, std::uint32_t old, std::uint32_t next) {
        chain& c = words_[word];
        if (old != next) {
            add(c, old, -1);
            add(c, next, 1);
        }
        if (--c.under_way != 0 || c.mixed) return std::nullopt;
        std::optional<std::uint32_t> wrong;
        int found = 0;
        for (const auto& [value, balance] : c.balance) {
            if (balance >= 0) continue;
            found -= balance;
            // The most often found one, and of those the lowest: no dependence on hash order.
            const bool worse = !wrong || balance < c.balance[*wrong] ||
                               (balance == c.balance[*wrong] && value < *wrong);
            if (worse) wrong = value;
        }
        if (found > 1) return wrong;
        c.balance.clear();  // what was left last is found first from now on
        return std::nullopt;
    }
    /// Something else writes to the word.
    void disturb(std::uint32_t word) {
        if (const auto c = words_.find(word); c != words_.end()) c->second.mixed = true;
    }
    /// Words begin anew; no atomic is under way at them.
    void forget(std::uint32_t first, std::uint32_t bytes) {
        if (words_.size() > bytes / 4) {
            for (std::uint32_t at = 0; at < bytes; at += 4) words_.erase(first + at);
            return;
        }
        for (auto c = words_.begin(); c != words_.end();) {
            c = c->first - first < bytes ? words_.erase(c) : std::next(c);
        }
    }
    void clear() { words_.clear(); }

private:
    struct chain {
        std::uint32_t under_way = 0;
        bool mixed = false;
        std::unordered_map<std::uint32_t, int> balance;  ///< left minus found, by value; not 0
    };

    static void add(chain& c, std::uint32_t value, int count) {
        const auto at = c.balance.try_emplace(value, 0).first;
        if ((at->second += count) == 0) c.balance.erase(at);
    }

    std::unordered_map<std::uint32_t, chain> words_;
};

}  // namespace heddle::iss
