// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::workloads {

/// A finite automaton with choices for a list of regular expressions, any of which may match
/// (Thompson, "Regular Expression Search Algorithm", CACM 11, 1968).
///
/// Patterns are of bytes, with . (any byte), [a-z0-9] and [^a-z], ( ), |, *, + and ?. A backslash
/// takes the meaning from the character that follows it.
class choice_automaton {
public:
    /// Throws configuration_error for a pattern that is wrong or matches the empty string, with the
    /// place.
    explicit choice_automaton(const std::vector<std::string>& patterns);

    /// Whether a match starts at the first of these bytes: every state that the bytes can lead to
    /// is followed at once.
    [[nodiscard]] bool matches_at(const std::uint8_t* text, std::size_t length) const;

private:
    friend class automaton;
    using byte_set = std::bitset<256>;
    using states = std::vector<std::uint64_t>;  ///< a set, a bit for each state

    /// A step on one of `on` to `to`, or without a byte to `to` and `other`.
    struct state {
        byte_set on;
        std::uint32_t to = 0;
        std::uint32_t other = 0;
    };
    /// Part of a pattern; `end` has no step yet.
    struct part {
        std::uint32_t begin, end;
    };

    class parser;
    std::uint32_t add(const state& added);
    [[nodiscard]] states none() const { return states((states_.size() + 63) / 64); }
    static void unite(states& into, const states& others);
    /// The state and all that it reaches without a byte.
    [[nodiscard]] states closure_of(std::uint32_t from) const;
    [[nodiscard]] const states& start() const { return start_; }
    [[nodiscard]] states step(const states& from, std::uint8_t byte) const;
    [[nodiscard]] static bool accepts(const states& reached) { return (reached[0] & 1) != 0; }

    static constexpr std::uint32_t accept = 0;  ///< the state that ends a match
    std::vector<state> states_{1};
    std::vector<states> closures_;  ///< of the state behind each state's byte
    states start_;
};

/// The same without choices: one next state for each byte (subset construction).
class automaton {
public:
    /// Throws configuration_error beyond 2^16 states.
    explicit automaton(const choice_automaton& choices);

    /// 256 next states for each state. State 0 is dead, 1 the start.
    [[nodiscard]] const std::vector<std::uint32_t>& transitions() const noexcept {
        return transitions_;
    }
    /// The first of the states that end a match, which are the last ones.
    [[nodiscard]] std::uint32_t accepting() const noexcept { return accepting_; }

private:
    std::vector<std::uint32_t> transitions_;
    std::uint32_t accepting_ = 0;
};

}  // namespace heddle::workloads
