// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// Sets of ports as bit masks: port p is bit p % 64 of word p / 64. A set is a pointer to its words
/// and their number; whoever owns the words knows the number of ports. Nothing is allocated.
namespace heddle::port_bits {

/// The number of words of up to 64 ports, which the compiler knows: loops over words, and the
/// search for a port's word, are not there.
using one_word = std::integral_constant<std::size_t, 1>;

[[nodiscard]] constexpr std::size_t words_for(std::size_t ports) noexcept {
    return (ports + 63) / 64;
}
[[nodiscard]] inline bool test(const std::uint64_t* set, std::uint32_t port) noexcept {
    return ((set[port / 64] >> (port % 64)) & 1U) != 0;
}
inline void insert(std::uint64_t* set, std::uint32_t port) noexcept {
    set[port / 64] |= std::uint64_t{1} << (port % 64);
}
inline void erase(std::uint64_t* set, std::uint32_t port) noexcept {
    set[port / 64] &= ~(std::uint64_t{1} << (port % 64));
}
/// The same for a set of so many words. Whether the port was not in it.
template <class Words>
bool insert(std::uint64_t* set, std::uint32_t port, Words words) noexcept {
    std::uint64_t& word = set[words == 1 ? 0 : port / 64];
    const std::uint64_t before = word;
    word = before | std::uint64_t{1} << (port % 64);
    return word != before;
}
/// Whether it was.
template <class Words>
bool erase(std::uint64_t* set, std::uint32_t port, Words words) noexcept {
    std::uint64_t& word = set[words == 1 ? 0 : port / 64];
    const std::uint64_t before = word;
    word = before & ~(std::uint64_t{1} << (port % 64));
    return word != before;
}
// Most sets are one word: without a case of its own the loops are made for many, and take longer to
// begin than the word does.
inline void clear(std::uint64_t* set, std::size_t words) noexcept {
    if (words == 1) {
        *set = 0;
        return;
    }
    for (std::size_t word = 0; word < words; ++word) {
        set[word] = 0;
    }
}
[[nodiscard]] inline bool any(const std::uint64_t* set, std::size_t words) noexcept {
    if (words == 1) return *set != 0;
    std::uint64_t all = 0;
    for (std::size_t word = 0; word < words; ++word) {
        all |= set[word];
    }
    return all != 0;
}
[[nodiscard]] inline std::uint32_t count(const std::uint64_t* set, std::size_t words) noexcept {
    if (words == 1) return static_cast<std::uint32_t>(__builtin_popcountll(*set));
    std::uint32_t sum = 0;
    for (std::size_t word = 0; word < words; ++word) {
        sum += static_cast<std::uint32_t>(__builtin_popcountll(set[word]));
    }
    return sum;
}
[[nodiscard]] inline std::uint32_t lowest(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(__builtin_ctzll(word));
}

/// Calls f(port) for each member in ascending order.
template <class F>
void for_each(const std::uint64_t* set, std::size_t words, const F& f) {
    for (std::size_t word = 0; word < words; ++word) {
        for (std::uint64_t left = set[word]; left != 0; left &= left - 1) {
            f(static_cast<std::uint32_t>(64 * word) + lowest(left));
        }
    }
}

/// The union of f(0), f(1), ... of so many words, as a word: 0 if all are empty.
template <class F>
[[nodiscard]] std::uint64_t together(std::size_t words, const F& f) {
    if (words == 1) return f(0);
    std::uint64_t all = 0;
    for (std::size_t word = 0; word < words; ++word) all |= f(word);
    return all;
}

/// The first member at or after `from`, else the first of all. The set is not empty.
[[nodiscard]] inline std::uint32_t first_from(const std::uint64_t* set, std::size_t words,
                                              std::uint32_t from) noexcept {
    std::size_t word = from / 64;
    std::uint64_t left = set[word] & (~std::uint64_t{0} << (from % 64));
    while (left == 0) {
        word = word + 1 == words ? 0 : word + 1;
        left = set[word];
    }
    return static_cast<std::uint32_t>(64 * word) + lowest(left);
}
/// The same of a set of one word.
[[nodiscard]] inline std::uint32_t first_from(std::uint64_t set, std::uint32_t from) noexcept {
    const std::uint64_t behind = set & (~std::uint64_t{0} << from);
    return lowest(behind != 0 ? behind : set);
}

}  // namespace heddle::port_bits
