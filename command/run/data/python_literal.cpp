// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/data/python_literal.h"

#include <charconv>

namespace heddle::command {

namespace {

using literal_kind = python_literal::kind;

constexpr unsigned deepest_literal = 32;
constexpr std::string_view blanks = " \t\r\n";

class literal_reader {
public:
    explicit literal_reader(std::string_view text) : text_(text) {}

    std::optional<python_literal> read() {
        python_literal literal;
        if (!value(literal, 0)) return std::nullopt;
        skip_blanks();
        if (at_ != text_.size()) return std::nullopt;
        return literal;
    }

private:
    void skip_blanks() {
        while (at_ < text_.size() && blanks.find(text_[at_]) != std::string_view::npos) ++at_;
    }

    /// Whether the next character is `c`, which is then behind.
    bool take(char c) {
        skip_blanks();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool take_word(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    bool value(python_literal& out, unsigned depth) {
        skip_blanks();
        if (at_ == text_.size() || depth > deepest_literal) return false;
        const std::size_t begin = at_;
        if (!unmarked(out, depth)) return false;
        out.source = text_.substr(begin, at_ - begin);
        return true;
    }

    bool unmarked(python_literal& out, unsigned depth) {
        const char c = text_[at_];
        if (c == '\'' || c == '"') return quoted(out, c);
        if (take('(')) return items(out, literal_kind::tuple, ')', depth);
        if (take('[')) return items(out, literal_kind::list, ']', depth);
        if (take('{')) return items(out, literal_kind::dictionary, '}', depth);
        if (take_word("True") || take_word("False")) {
            out.what = literal_kind::boolean;
            out.number = text_[at_ - 2] == 'u' ? 1 : 0;
            return true;
        }
        out.what = literal_kind::number;
        const char* const end = text_.data() + text_.size();
        const auto [next, error] = std::from_chars(text_.data() + at_, end, out.number);
        if (error != std::errc{}) return false;
        at_ = static_cast<std::size_t>(next - text_.data());
        (void)take_word("L");  // of Python 2
        return true;
    }

    /// Names with escapes are refused: no field of a kernel's struct has such a name.
    bool quoted(python_literal& out, char quote) {
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return false;
        out.what = literal_kind::text;
        out.text = std::string(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return out.text.find('\\') == std::string::npos;
    }

    bool items(python_literal& out, literal_kind what, char close, unsigned depth) {
        out.what = what;
        while (!take(close)) {
            if (!out.items.empty() && !take(',')) return false;
            if (!out.items.empty() && take(close)) return true;  // (3,)
            if (!value(out.items.emplace_back(), depth + 1)) return false;
            if (what != literal_kind::dictionary) continue;
            if (!take(':') || !value(out.items.emplace_back(), depth + 1)) return false;
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

const python_literal* python_literal::find(std::string_view key) const {
    if (what != literal_kind::dictionary) return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].what == literal_kind::text && items[i].text == key) return &items[i + 1];
    }
    return nullptr;
}

std::optional<python_literal> read_python_literal(std::string_view text) {
    return literal_reader(text).read();
}

}  // namespace heddle::command
