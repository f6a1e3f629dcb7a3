// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/inline_ptx.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "models/program/pass/unknown_assembly_text.h"
#include "models/program/ptx_statement.h"

namespace heddle::program {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the literal that begins at `at` with a quotation mark.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
    const char mark = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == mark) {
            return i + 1;
        }
    }
    return text.size();
}

/// R"mark(...)mark", whose quotation mark is at `at`.
std::size_t end_of_raw_literal(const std::string& text, std::size_t at) {
    const auto open = text.find('(', at);
    if (open == std::string::npos) return text.size();
    const std::string close = ")" + text.substr(at + 1, open - at - 1) + "\"";
    const auto end = text.find(close, open);
    return end == std::string::npos ? text.size() : end + close.size();
}

/// Behind what is at `at`: a literal, a word, or one character.
std::size_t next(const std::string& text, std::size_t at) {
    const char c = text[at];
    if (c == '"' || c == '\'') return end_of_literal(text, at);
    if (!is_word(c)) return at + 1;
    std::size_t end = at;
    while (end < text.size() &&
           (is_word(text[end]) ||
            (text[end] == '\'' && std::isdigit(static_cast<unsigned char>(c)) != 0)))
        ++end;
    const bool raw = end < text.size() && text[end] == '"' && text[end - 1] == 'R';
    return raw ? end_of_raw_literal(text, end) : end;
}

/// Behind the bracket that closes the one at `at`.
std::size_t end_of_bracket(const std::string& text, std::size_t at) {
    int depth = 0;
    for (std::size_t i = at; i < text.size(); i = next(text, i)) {
        if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
        if (text[i] == ')' || text[i] == ']' || text[i] == '}') --depth;
        if (depth == 0) return i + 1;
    }
    return std::string::npos;
}

std::size_t skip_blanks(const std::string& text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    return at;
}

/// Parts between a character outside of brackets and literals.
std::vector<std::string> parts_of(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < text.size();) {
        const bool opens = text[i] == '(' || text[i] == '[' || text[i] == '{';
        const std::size_t end =
            opens ? std::min(end_of_bracket(text, i), text.size()) : next(text, i);
        if (text[i] == separator) {
            parts.emplace_back();
        } else {
            parts.back() += text.substr(i, end - i);
        }
        i = end;
    }
    return parts;
}

/// What string literals, one behind the other, say; nothing if there is something else.
std::optional<std::string> literals(const std::string& text) {
    std::string out;
    for (std::size_t i = skip_blanks(text, 0); i < text.size(); i = skip_blanks(text, i)) {
        if (text[i] != '"') return std::nullopt;
        const std::size_t end = end_of_literal(text, i);
        for (std::size_t c = i + 1; c + 1 < end; ++c) {
            if (text[c] != '\\') {
                out += text[c];
                continue;
            }
            const char escaped = text[++c];
            out += escaped == 'n' || escaped == 'r' ? '\n' : escaped == 't' ? '\t' : escaped;
        }
        i = end;
    }
    return out;
}

/// What is between the brackets of an asm statement.
class asm_statement {
public:
    asm_statement(const std::string& text, bool is_volatile) : is_volatile_(is_volatile) {
        const std::vector<std::string> sections = parts_of(text, ':');
        const auto said = literals(sections[0]);
        if (!said || said->find(';') == std::string::npos) return;
        text_ = *said;
        // As the compiler has it: without a result, or with all of memory.
        is_volatile_ |= sections.size() < 2 || sections[1].find('(') == std::string::npos ||
                        (sections.size() > 3 && sections[3].find("memory") != std::string::npos);
        is_ptx_ = true;
        for (std::size_t i = 1; i < sections.size() && i <= 2; ++i) {
            for (const std::string& each : parts_of(sections[i], ',')) add(each, i == 1);
        }
    }

    [[nodiscard]] bool is_ptx() const { return is_ptx_; }

    [[nodiscard]] std::string replacement() const {
        const auto made = translate_ptx(instructions(), names_, is_volatile_);
        // As the statement, what stands for it does not move.
        const std::string barrier =
            is_volatile_ ? "__asm__ __volatile__(\"\" ::: \"memory\"); " : "";
        if (made)
            return "do { " + declarations_ + ties_ + barrier + *made + barrier + "} while (0)";
        std::string kept;
        for (const char c : text_) {
            if (c == '\\' || c == '"') kept += '\\';
            kept += c == '\n' || c == '\t' ? ' ' : c;
            if (c == '%') kept += c;
        }
        return "__asm__ __volatile__(\"" + kept + "\" ::)";
    }

private:
    void add(const std::string& operand, bool is_output) {
        const auto open = operand.find('(');
        if (open == std::string::npos) return;
        const auto close = operand.rfind(')');
        const std::string name = "heddle_operand" + std::to_string(names_.size());
        declarations_ += (is_output ? "auto&& " : "const auto ") + name + " = " +
                         operand.substr(open, close - open + 1) + "; ";
        const auto bracket = operand.find('[');
        if (bracket < open) {
            symbols_.emplace_back(operand.substr(bracket, operand.find(']') - bracket + 1),
                                  names_.size());
        }
        const auto digit = operand.find_first_of("0123456789", operand.find('"'));
        if (!is_output && digit < open) {
            ties_ +=
                "heddle::ptx::put(heddle_operand" + operand.substr(digit, 1) + ", " + name + "); ";
        }
        names_.push_back(name);
    }

    /// With numbers in place of names, and one % in place of two.
    [[nodiscard]] std::string instructions() const {
        std::string out = text_;
        for (const auto& [symbol, number] : symbols_) {
            for (std::size_t at; (at = out.find("%" + symbol)) != std::string::npos;) {
                out.replace(at, symbol.size() + 1, "%" + std::to_string(number));
            }
        }
        for (std::size_t at = 0; (at = out.find("%%", at)) != std::string::npos; ++at) {
            out.erase(at, 1);
        }
        return out;
    }

    bool is_volatile_;
    bool is_ptx_ = false;
    std::string text_, declarations_;
    std::string ties_;  ///< operands that an output begins with ("0")
    std::vector<std::string> names_;
    std::vector<std::pair<std::string, std::size_t>> symbols_;
};

/// Without the lines of the preprocessor.
std::string without_markers(const std::string& text) {
    std::string out;
    bool at_begin = false, in_marker = false;
    for (const char c : text) {
        in_marker = (in_marker && c != '\n') || (at_begin && c == '#');
        if (!in_marker) out += c;
        at_begin = c == '\n';
    }
    return out;
}

}  // namespace

std::string replace_inline_ptx(const std::string& source) {
    std::string out;
    for (std::size_t i = 0; i < source.size();) {
        const std::size_t end = next(source, i);
        const std::string word = source.substr(i, end - i);
        if (word != "asm" && word != "__asm__" && word != "__asm") {
            out += word;
            i = end;
            continue;
        }
        std::size_t open = skip_blanks(source, end);
        bool is_volatile = false;
        for (const char* const qualifier : {"volatile", "__volatile__", "__volatile"}) {
            const std::string text = qualifier;
            if (source.compare(open, text.size(), text) != 0 || is_word(source[open + text.size()]))
                continue;
            open = skip_blanks(source, open + text.size());
            is_volatile = true;
        }
        const std::size_t close = open < source.size() && source[open] == '('
                                      ? end_of_bracket(source, open)
                                      : std::string::npos;
        if (close == std::string::npos) {
            out += word;
            i = end;
            continue;
        }
        const std::string whole = source.substr(i, close - i);
        const asm_statement statement(without_markers(source.substr(open + 1, close - open - 2)),
                                      is_volatile);
        if (statement.is_ptx()) {
            out += statement.replacement();
            out.append(static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n')),
                       '\n');
        } else {
            out += whole;
        }
        i = close;
    }
    return out;
}

bool is_about_inline_ptx(const std::string& message) {
    return message.find(pass::unknown_assembly_text) != std::string::npos ||
           message.find("invalid % escape in inline assembly") != std::string::npos ||
           (message.find("put constraint '") != std::string::npos &&
            message.find("' in asm") != std::string::npos);
}

}  // namespace heddle::program
