// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/regx/automaton.h"

#include <algorithm>
#include <map>

#include "models/base/bits.h"
#include "models/base/error.h"

namespace heddle::workloads {

/// Recursive descent over one pattern.
class choice_automaton::parser {
public:
    parser(choice_automaton& built, const std::string& text) : built_(built), text_(text) {}

    part whole() {
        const part parsed = alternatives();
        if (at_ != text_.size()) fail("the end of the pattern");
        return parsed;
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        const std::string found =
            at_ < text_.size() ? "'" + text_.substr(at_, 1) + "'" : "the end of the pattern";
        throw configuration_error("pattern " + text_ + ": column " + std::to_string(at_ + 1) +
                                  ": found " + found + ", expected " + expected);
    }
    [[nodiscard]] bool more() const noexcept { return at_ < text_.size(); }
    bool take(char wanted) {
        if (!more() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    std::uint32_t fresh() { return built_.add({}); }
    void connect(std::uint32_t from, std::uint32_t to, std::uint32_t other) {
        built_.states_[from] = {{}, to, other};
    }

    part alternatives() {
        part left = sequence();
        while (take('|')) {
            const part right = sequence();
            const std::uint32_t end = fresh();
            connect(left.end, end, end);
            connect(right.end, end, end);
            const std::uint32_t begin = fresh();
            connect(begin, left.begin, right.begin);
            left = {begin, end};
        }
        return left;
    }
    part sequence() {
        part all = repeated();
        while (more() && text_[at_] != '|' && text_[at_] != ')') {
            const part next = repeated();
            connect(all.end, next.begin, next.begin);
            all.end = next.end;
        }
        return all;
    }
    part repeated() {
        part one = single();
        while (more() && (text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '?')) {
            const char how = text_[at_++];
            const std::uint32_t begin = fresh();
            const std::uint32_t end = fresh();
            connect(begin, one.begin, how == '+' ? one.begin : end);
            connect(one.end, how == '?' ? end : one.begin, end);
            one = {begin, end};
        }
        return one;
    }
    part single() {
        if (take('(')) {
            const part inner = alternatives();
            if (!take(')')) fail("')'");
            return inner;
        }
        const byte_set bytes = take('[') ? byte_class() : byte_or_any();
        const std::uint32_t end = fresh();
        return {built_.add({bytes, end, end}), end};
    }
    byte_set byte_or_any() {
        byte_set bytes;
        if (take('.')) return bytes.set();
        if (!more() || std::string(")|*+?]").find(text_[at_]) != std::string::npos) {
            fail("a byte, '.', '[' or '('");
        }
        return bytes.set(plain());
    }
    /// A byte that stands for itself.
    std::size_t plain() {
        take('\\');
        if (!more()) fail("a byte");
        return static_cast<unsigned char>(text_[at_++]);
    }
    byte_set byte_class() {
        const bool others = take('^');
        byte_set bytes;
        do {
            const std::size_t low = plain();
            std::size_t high = low;
            if (more() && text_[at_] == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
                ++at_;
                high = plain();
            }
            if (high < low) fail("a range that ends behind its start");
            for (std::size_t byte = low; byte <= high; ++byte) bytes.set(byte);
        } while (more() && text_[at_] != ']');
        if (!take(']')) fail("']'");
        return others ? ~bytes : bytes;
    }

    choice_automaton& built_;
    const std::string& text_;
    std::size_t at_ = 0;
};

choice_automaton::choice_automaton(const std::vector<std::string>& patterns) {
    std::vector<std::uint32_t> starts;
    for (const std::string& pattern : patterns) {
        const part parsed = parser(*this, pattern).whole();
        states_[parsed.end] = {{}, accept, accept};
        if (accepts(closure_of(parsed.begin))) {
            throw configuration_error("pattern " + pattern + ": it matches the empty string");
        }
        starts.push_back(parsed.begin);
    }
    start_ = none();
    for (const std::uint32_t one : starts) unite(start_, closure_of(one));
    for (const state& each : states_) {
        closures_.push_back(each.on.any() ? closure_of(each.to) : none());
    }
}

std::uint32_t choice_automaton::add(const state& added) {
    states_.push_back(added);
    return static_cast<std::uint32_t>(states_.size() - 1);
}

void choice_automaton::unite(states& into, const states& others) {
    for (std::size_t word = 0; word < into.size(); ++word) into[word] |= others[word];
}

choice_automaton::states choice_automaton::closure_of(std::uint32_t from) const {
    states reached = none();
    std::vector<std::uint32_t> waiting{from};
    while (!waiting.empty()) {
        const std::uint32_t now = waiting.back();
        waiting.pop_back();
        if (bits::test(reached[now / 64], now % 64)) continue;
        reached[now / 64] |= bits::one(now % 64);
        if (now == accept || states_[now].on.any()) continue;
        waiting.push_back(states_[now].to);
        waiting.push_back(states_[now].other);
    }
    return reached;
}

choice_automaton::states choice_automaton::step(const states& from, std::uint8_t byte) const {
    states reached = none();
    for (std::size_t word = 0; word < from.size(); ++word) {
        bits::for_each(from[word], [&](unsigned bit) {
            const std::size_t now = word * 64 + bit;
            if (states_[now].on[byte]) unite(reached, closures_[now]);
        });
    }
    return reached;
}

bool choice_automaton::matches_at(const std::uint8_t* text, std::size_t length) const {
    states now = start_;
    for (std::size_t i = 0; i < length; ++i) {
        now = step(now, text[i]);
        if (accepts(now)) return true;
        if (now == none()) return false;
    }
    return false;
}

automaton::automaton(const choice_automaton& choices) {
    using states = choice_automaton::states;
    // All that end a match are one state, "accepted", which gets its number in the end.
    constexpr std::uint32_t accepted = 0xffffffff;
    constexpr std::size_t most = 1 << 16;
    const states& start = choices.start();
    std::map<states, std::uint32_t> numbers{{choices.none(), 0}, {start, 1}};
    std::vector<states> sets{choices.none(), start};
    for (std::size_t now = 0; now < sets.size(); ++now) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            const states next = choices.step(sets[now], static_cast<std::uint8_t>(byte));
            if (choices.accepts(next)) {
                transitions_.push_back(accepted);
                continue;
            }
            const auto [known, added] =
                numbers.emplace(next, static_cast<std::uint32_t>(sets.size()));
            if (added) sets.push_back(next);
            transitions_.push_back(known->second);
        }
        if (sets.size() > most) {
            throw configuration_error("the patterns need more than 2^16 states");
        }
    }
    accepting_ = static_cast<std::uint32_t>(sets.size());
    std::replace(transitions_.begin(), transitions_.end(), accepted, accepting_);
    transitions_.resize(transitions_.size() + 256, accepting_);
}

}  // namespace heddle::workloads
