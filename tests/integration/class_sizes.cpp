// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/integration/class_sizes.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace heddle::layering {

std::string without_text(const std::string& source) {
    static const std::regex text(
        R"rx(//[^\n]*|/\*[^]*?\*/|R"([a-z]*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')rx");
    std::string kept = source;
    for (auto it = std::sregex_iterator(source.begin(), source.end(), text);
         it != std::sregex_iterator(); ++it) {
        // 64'000 is a number, not the begin of a character.
        const auto at = static_cast<std::size_t>(it->position());
        if (source[at] == '\'' && at > 0 && std::isalnum(source[at - 1]) != 0) continue;
        std::replace_if(
            kept.begin() + it->position(), kept.begin() + it->position() + it->length(),
            [](char c) { return c != '\n'; }, ' ');
    }
    static const std::regex directive(R"((^|\n)[ \t]*#[^\n]*)");
    return std::regex_replace(kept, directive, "$1");
}

namespace {

/// The statement without attributes, template headers and template arguments, which may hold any
/// brackets.
std::string without_templates(const std::string& statement) {
    static const std::regex prefix(
        R"((\[\[[^\]]*\]\]|alignas\s*\([^)]*\)|\b(public|private|protected)\s*:))");
    const std::string text = std::regex_replace(statement, prefix, " ");
    std::string kept;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool shift =
            c == '<' && (text.compare(i, 2, "<<") == 0 || text.compare(i, 2, "<=") == 0);
        if (c == '<' && !shift && kept.find("operator") == std::string::npos) ++depth;
        if (depth == 0) kept += c;
        if (c == '>' && depth > 0) --depth;
    }
    return kept;
}

class reader {
public:
    explicit reader(const std::string& source) : text_(without_text(source)) {}

    std::vector<class_size> read() {
        read_scope("", nullptr);
        return std::move(found_);
    }

private:
    /// Reads statements up to the closing bracket. `owner`: the class that they belong to, or null.
    void read_scope(const std::string& outer, class_size* owner) {
        std::string statement;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '}') return;
            if (c == ';') {
                if (owner != nullptr) count(statement, *owner);
                statement.clear();
            } else if (c == '{') {
                open(outer, owner, statement);
            } else {
                statement += c;
            }
        }
    }

    void open(const std::string& outer, class_size* owner, std::string& statement) {
        static const std::regex declares(
            R"((?:^|[\s>:])(?:class|struct|union)\s+(?:alignas\s*\([^)]*\)\s*)?([\w:]+)[^=(){}]*$)");
        static const std::regex space(R"((?:^|\s)(?:namespace\b[^()]*|extern)\s*$)");
        const std::string plain = without_templates(statement);
        std::smatch match;
        if (std::regex_search(plain, space)) {
            read_scope(outer, nullptr);
            statement.clear();
        } else if (std::regex_search(plain, match, declares) &&
                   plain.find("enum") == std::string::npos) {
            class_size one;
            one.name = outer.empty() ? match[1].str() : outer + "::" + match[1].str();
            one.line = line();
            read_scope(one.name, &one);
            found_.push_back(one);
            statement = " type ";  // what follows up to the semicolon may declare members of it
        } else {
            skip_block();
            // A function's body ends its declaration; an initializer does not.
            if (is_function(plain)) {
                if (owner != nullptr) count(statement, *owner);
                statement.clear();
            }
        }
    }

    void skip_block() {
        for (int depth = 1; at_ < text_.size() && depth != 0; ++at_) {
            depth += text_[at_] == '{' ? 1 : text_[at_] == '}' ? -1 : 0;
        }
    }

    static void count(const std::string& statement, class_size& owner) {
        static const std::regex nothing(
            R"(^\s*(using|friend|static_assert|typedef|enum|class|struct|union|type\s*$|$).*)");
        static const std::regex forgotten(R"([^]*=\s*(delete|default)\s*$)");
        static const std::regex constant(R"(^\s*(inline\s+)?(static|constexpr)\b[^(]*$)");
        std::string plain = without_templates(statement);
        std::replace(plain.begin(), plain.end(), '\n', ' ');
        static const std::regex header(R"(^\s*template\s*)");
        plain = std::regex_replace(plain, header, "");
        if (std::regex_match(plain, nothing) || std::regex_match(plain, forgotten)) return;
        if (is_function(plain)) {
            ++owner.functions;
        } else if (!std::regex_match(plain.substr(0, plain.find('=')), constant)) {
            owner.members += declarators(plain);
        }
    }

    /// A parenthesis comes before any initial value.
    static bool is_function(const std::string& plain) {
        return plain.find("operator") != std::string::npos || plain.find('(') < plain.find('=');
    }

    static unsigned declarators(const std::string& plain) {
        unsigned count = 1;
        int depth = 0;
        for (const char c : plain) {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            count += c == ',' && depth == 0 ? 1 : 0;
        }
        return count;
    }

    [[nodiscard]] unsigned line() const {
        return 1 + static_cast<unsigned>(
                       std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n'));
    }

    std::string text_;
    std::size_t at_ = 0;
    std::vector<class_size> found_;
};

}  // namespace

std::vector<class_size> class_sizes(const std::string& source) {
    return reader(source).read();
}

}  // namespace heddle::layering
