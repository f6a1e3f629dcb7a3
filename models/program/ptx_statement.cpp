// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/program/ptx_statement.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "models/program/ptx_tables.h"
#include "models/program/ptx_words.h"

namespace heddle::program {
namespace {

using namespace ptx;

/// Something that is not known.
struct unknown_ptx {};

class translator {
public:
    translator(const words& operands, bool is_volatile)
        : operands_(operands), is_volatile_(is_volatile) {}

    std::string translate(const std::string& text) {
        std::string statement;
        for (const char c : without_comments(text)) {
            // A brace in front of a statement opens a scope; in one it holds a vector.
            if ((c == '{' || c == '}') && trimmed(statement).empty()) continue;
            if (c != ';') {
                statement += c;
                continue;
            }
            add(trimmed(statement));
            statement.clear();
        }
        if (!trimmed(statement).empty()) throw unknown_ptx();
        return out_;
    }

private:
    static std::string without_comments(const std::string& text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text.compare(i, 2, "//") == 0) i = std::min(text.find('\n', i), text.size());
            if (text.compare(i, 2, "/*") == 0)
                i = std::min(text.find("*/", i), text.size() - 2) + 2;
            if (i < text.size()) out += text[i];
        }
        return out;
    }

    void add(std::string statement) {
        if (statement.empty()) return;
        if (statement[0] == '.') return declare(statement);
        std::string guard;
        if (statement[0] == '@') {
            const auto end = statement.find_first_of(" \t");
            if (end == std::string::npos) throw unknown_ptx();
            const bool negated = statement[1] == '!';
            guard = std::string(negated ? "!" : "") +
                    value(statement.substr(negated ? 2 : 1, end - (negated ? 2 : 1)), "bool");
            statement = trimmed(statement.substr(end));
        }
        const auto end = std::min(statement.find_first_of(" \t\n"), statement.size());
        words parts = split(statement.substr(0, end), '.');
        words arguments;
        for (const std::string& each : split(statement.substr(end), ',')) {
            if (!trimmed(each).empty()) arguments.push_back(trimmed(each));
        }
        const std::string made = instruction(std::move(parts), arguments);
        out_ += guard.empty() ? made : "if (" + guard + ") { " + made + "} ";
    }

    /// `.reg .u32 a, b;`, `.reg .pred p<3>;`
    void declare(const std::string& statement) {
        const auto space = statement.find_first_of(" \t");
        if (statement.substr(0, space) != ".reg") throw unknown_ptx();
        const std::string rest = trimmed(statement.substr(space));
        const auto end = rest.find_first_of(" \t");
        const ptx_type* const type = rest[0] == '.' && end != std::string::npos
                                         ? find_type(rest.substr(1, end - 1))
                                         : nullptr;
        if (type == nullptr) throw unknown_ptx();
        for (const std::string& each : split(rest.substr(end), ',')) {
            const std::string name = trimmed(each);
            const auto count = name.find('<');
            if (count == std::string::npos) {
                out_ += std::string(type->type) + " " + variable(name) + " = 0; ";
                continue;
            }
            for (int i = 0; i < std::atoi(name.c_str() + count + 1); ++i) {
                out_ += std::string(type->type) + " " +
                        variable(name.substr(0, count) + std::to_string(i)) + " = 0; ";
            }
        }
    }

    static std::string variable(const std::string& name) {
        std::string out = "ptx_";
        for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
        return out;
    }

    /// An operand as it is, which may be assigned to.
    [[nodiscard]] std::string place(const std::string& text) const {
        if (text.empty()) throw unknown_ptx();
        if (text == "_") return "heddle::ptx::sink()";
        if (const char* const special = find(special_registers, text)) return special;
        if (text[0] == '%' && text.size() > 1 && std::isdigit(text[1]) != 0) {
            const auto number = static_cast<std::size_t>(std::atoi(text.c_str() + 1));
            if (number >= operands_.size()) throw unknown_ptx();
            return operands_[number];
        }
        static constexpr std::string_view vectors[] = {"%tid.", "%ntid.", "%ctaid.", "%nctaid."};
        static constexpr const char* names[] = {"threadIdx.", "blockDim.", "blockIdx.", "gridDim."};
        for (std::size_t i = 0; i < std::size(vectors); ++i) {
            if (text.compare(0, vectors[i].size(), vectors[i]) == 0)
                return names[i] + text.substr(vectors[i].size());
        }
        if (text.compare(0, 2, "0f") == 0 || text.compare(0, 2, "0F") == 0) {
            return "__uint_as_float(0x" + text.substr(2) + "u)";
        }
        if (text.compare(0, 2, "0d") == 0 || text.compare(0, 2, "0D") == 0) {
            return "__longlong_as_double(0x" + text.substr(2) + "ll)";
        }
        if (std::isdigit(text[0]) != 0 || text[0] == '-') return "(" + text + ")";
        if (std::isalpha(text[0]) != 0 || text[0] == '_' || text[0] == '$') return variable(text);
        if (text[0] == '%' && std::isalpha(text[1]) != 0 &&
            out_.find(" " + variable(text) + " ") != std::string::npos) {
            return variable(text);
        }
        throw unknown_ptx();
    }
    [[nodiscard]] std::string value(const std::string& text, const std::string& type) const {
        if (text[0] == '!') return "!" + value(text.substr(1), type);
        return "heddle::ptx::as<" + type + ">(" + place(text) + ")";
    }
    /// Statements that store `what` of a type.
    [[nodiscard]] std::string assign(const std::string& text, const std::string& what) const {
        return "heddle::ptx::put(" + place(text) + ", " + what + "); ";
    }

    std::string instruction(words parts, const words& arguments) {
        const std::string base = parts[0];
        if (base == "ld" || base == "ldu" || base == "st") return access(parts, arguments);
        if (base == "atom" || base == "red") return atomic(parts, arguments);
        if (base == "cvt") return convert(parts, arguments);
        if (base == "setp") return compare(parts, arguments);
        if (base == "shfl") return shuffle(parts, arguments);
        if (base == "bar" || base == "barrier") {
            const bool all = arguments.size() == 1 && arguments[0] == "0";
            if (parts.size() > 1 && parts[1] == "sync" && all) return "__syncthreads(); ";
            if (parts.size() > 2 && parts[1] == "warp" && parts[2] == "sync") {
                return "__syncwarp(); ";
            }
            throw unknown_ptx();
        }
        const ptx_type* type = nullptr;
        if (parts.size() > 1) type = find_type(parts.back());
        if (type != nullptr) parts.pop_back();
        std::string name = base;
        bool saturated = false;
        for (std::size_t i = 1; i < parts.size(); ++i) {
            saturated |= parts[i] == "sat";
            const bool idle = is_one_of(parts[i], std::begin(idle_parts), std::end(idle_parts)) ||
                              (base == "cvta" || base == "prefetch") || parts[i] == "sat";
            if (!idle) name += "." + parts[i];
        }
        if (const char* const action = find(actions, name)) return std::string(action) + "; ";
        const char* const text = find(values, name);
        if (text == nullptr || type == nullptr || arguments.empty()) throw unknown_ptx();
        if (saturated && std::string_view(type->name) != "f32") throw unknown_ptx();
        if (base == "mov" && arguments.size() == 2 &&
            (arguments[0][0] == '{' || arguments[1][0] == '{')) {
            return move_halves(*type, arguments);
        }
        const std::string made = expression(text, *type, arguments);
        return assign(arguments[0], saturated ? "__saturatef(" + made + ")" : made);
    }

    [[nodiscard]] std::string expression(const char* text, const ptx_type& type,
                                         const words& arguments) const {
        std::string out;
        for (const char* c = text; *c != '\0'; ++c) {
            const bool alone = c == text || std::isalnum(static_cast<unsigned char>(c[-1])) == 0;
            const bool ends = std::isalnum(static_cast<unsigned char>(c[1])) == 0 && c[1] != '_';
            if (*c == 'T' && alone && ends) {
                out += type.type;
            } else if (*c == 'W' && alone && ends) {
                if (type.wide[0] == '\0') throw unknown_ptx();
                out += type.wide;
            } else if (*c != '$') {
                out += *c;
            } else {
                std::string as = type.type;
                if (std::isalpha(static_cast<unsigned char>(c[1])) != 0) {
                    ++c;
                    as = *c == 'w' ? type.wide : *c == 'p' ? "bool" : "unsigned";
                }
                const auto number = static_cast<std::size_t>(*++c - '0');
                if (number >= arguments.size()) throw unknown_ptx();
                out += value(arguments[number], as);
            }
        }
        return out;
    }

    /// mov.b64 of two words, mov.b32 of two halves.
    [[nodiscard]] std::string move_halves(const ptx_type& type, const words& arguments) const {
        const bool wide = std::string_view(type.name) == "b64";
        if (!wide && std::string_view(type.name) != "b32") throw unknown_ptx();
        const std::string half = wide ? "unsigned" : "unsigned short", bits = wide ? "32" : "16";
        const bool apart = arguments[0][0] == '{';
        const std::string& both = arguments[apart ? 0 : 1];
        const words halves = split(both.substr(1, both.size() - 2), ',');
        if (halves.size() != 2) throw unknown_ptx();
        const std::string low = trimmed(halves[0]), high = trimmed(halves[1]), t = type.type;
        if (!apart) {
            return assign(arguments[0], "(" + t + ")" + value(high, half) + " << " + bits + " | " +
                                            value(low, half));
        }
        return "{ const " + t + " heddle_both = " + value(arguments[1], t) + "; " +
               assign(low, "(" + half + ")heddle_both") +
               assign(high, "(" + half + ")(heddle_both >> " + bits + ")") + "} ";
    }

    /// `[a]`, `[a+8]`: an address.
    [[nodiscard]] std::string address(const std::string& text) const {
        if (text.size() < 3 || text.front() != '[' || text.back() != ']') throw unknown_ptx();
        std::string inner = trimmed(text.substr(1, text.size() - 2));
        std::string offset = "0";
        const auto plus = inner.find_first_of("+-", 1);
        if (plus != std::string::npos) {
            offset = trimmed(inner.substr(inner[plus] == '+' ? plus + 1 : plus));
            inner = trimmed(inner.substr(0, plus));
        }
        return "(" + value(inner, "unsigned") + " + (" + offset + "))";
    }

    [[nodiscard]] std::string access(const words& parts, const words& arguments) const {
        if (arguments.size() != 2) throw unknown_ptx();
        const bool is_store = parts[0] == "st";
        const ptx_type* const type = find_type(parts.back());
        if (type == nullptr) throw unknown_ptx();
        std::string way = "plain";
        std::size_t elements = 1;
        for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
            const std::string& part = parts[i];
            if (part == "v2" || part == "v4") {
                elements = static_cast<std::size_t>(part[1] - '0');
            } else if (part == "cg" || part == "nc" || part == "ca") {
                way = way == "plain" ? part : way;
            } else if (part == "cv" || part == "volatile" || part == "relaxed" ||
                       part == "acquire") {
                way = "fresh";
            } else if (part == "shared" || part == "local" || part == "const" || part == "param") {
                way = "near";  // no L1 in between
            } else if (!is_idle(part) && find(cache_hints, part) == nullptr) {
                throw unknown_ptx();
            }
        }
        // A loop may wait for what another block stores.
        if (way == "plain" && is_volatile_) way = "fresh";
        if (way == "ca") way = "plain";
        const std::string& at = arguments[is_store ? 0 : 1];
        std::string list = arguments[is_store ? 1 : 0];
        if (elements > 1) {
            if (list.front() != '{') throw unknown_ptx();
            list = list.substr(1, list.size() - 2);
        }
        const words each = split(list, ',');
        if (each.size() != elements) throw unknown_ptx();
        std::string out = "{ const unsigned heddle_at = " + address(at) + "; ";
        const std::string t = type->type;
        for (std::size_t i = 0; i < elements; ++i) {
            const std::string where = "(" + t + "*)heddle_at + " + std::to_string(i);
            const std::string name = trimmed(each[i]);
            out += is_store ? "*(volatile " + t + "*)(" + where + ") = " + value(name, t) + "; "
                            : assign(name, "heddle::ptx::load_" + way + "(" + where + ")");
        }
        return fenced(parts, out + "} ");
    }

    /// Between the fences that its order asks for.
    static std::string fenced(const words& parts, const std::string& statements) {
        const auto has = [&](const char* order) {
            return std::find(parts.begin(), parts.end(), order) != parts.end();
        };
        const std::string fence = "__threadfence(); ";
        const bool both = has("acq_rel") || has("sc");
        return (both || has("release") ? fence : "") + statements +
               (both || has("acquire") ? fence : "");
    }

    [[nodiscard]] std::string atomic(const words& parts, const words& arguments) const {
        const ptx_type* const type = find_type(parts.back());
        const char* function = nullptr;
        for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
            const char* const found = find(atomics, parts[i]);
            if (found == nullptr && !is_idle(parts[i])) throw unknown_ptx();
            if (found != nullptr) function = found;
        }
        const std::size_t first = parts[0] == "red" ? 0 : 1;
        if (function == nullptr || type == nullptr || arguments.size() < first + 2)
            throw unknown_ptx();
        // All but the comparisons are the same for both kinds of integers.
        const bool compares =
            std::string_view(function) == "atomicMin" || std::string_view(function) == "atomicMax";
        const std::string t =
            std::string_view(type->name) == "s64" && !compares ? "unsigned long long" : type->type;
        std::string call = std::string(function) + "((" + t + "*)" + address(arguments[first]);
        for (std::size_t i = first + 1; i < arguments.size(); ++i) {
            call += ", " + value(arguments[i], t);
        }
        call += ")";
        return fenced(parts, first == 0 ? call + "; " : assign(arguments[0], call));
    }

    [[nodiscard]] std::string convert(const words& parts, const words& arguments) const {
        if (parts.size() < 3 || arguments.size() != 2) throw unknown_ptx();
        const ptx_type* const to = find_type(parts[parts.size() - 2]);
        const ptx_type* const from = find_type(parts.back());
        if (to == nullptr || from == nullptr) throw unknown_ptx();
        std::string way = "rn";
        for (std::size_t i = 1; i + 2 < parts.size(); ++i) {
            if (parts[i] == "ftz") continue;
            if (parts[i].size() < 2 || parts[i][0] != 'r') throw unknown_ptx();
            way = parts[i];
        }
        return assign(arguments[0], std::string("heddle::ptx::converted<") + to->type + ">(" +
                                        value(arguments[1], from->type) + ", heddle::ptx::" + way +
                                        ")");
    }

    [[nodiscard]] std::string compare(const words& parts, const words& arguments) const {
        const ptx_type* const type = find_type(parts.back());
        const std::size_t last = parts.size() - 1 - (parts.size() > 3 && parts[2] == "ftz" ? 1 : 0);
        if (type == nullptr || last != 2 || arguments.size() != 3) throw unknown_ptx();
        const char* const text = find(comparisons, parts[1]);
        if (text == nullptr) throw unknown_ptx();
        std::string made;
        std::size_t next = 1;
        for (const char* c = text; *c != '\0'; ++c) {
            made += *c == '$' ? value(arguments[next++], type->type) : std::string(1, *c);
        }
        const words both = split(arguments[0], '|');
        std::string out =
            "{ const bool heddle_holds = " + made + "; " + assign(trimmed(both[0]), "heddle_holds");
        if (both.size() == 2) out += assign(trimmed(both[1]), "!heddle_holds");
        return out + "} ";
    }

    /// shfl d|p, a, b, c, mask: c has the segment's width in bits 8 to 12.
    [[nodiscard]] std::string shuffle(const words& parts, const words& arguments) const {
        const bool is_sync = parts.size() > 1 && parts[1] == "sync";
        const std::size_t at = is_sync ? 2 : 1;
        static constexpr std::pair<std::string_view, const char*> names[] = {
            {"idx", "__shfl_sync"},
            {"up", "__shfl_up_sync"},
            {"down", "__shfl_down_sync"},
            {"bfly", "__shfl_xor_sync"}};
        if (parts.size() != at + 2 || arguments.size() < 4) throw unknown_ptx();
        const char* const name = find(names, parts[at]);
        const bool plain = split(arguments[0], '|').size() == 1;
        if (name == nullptr || parts.back() != "b32" || !plain) throw unknown_ptx();
        return assign(
            arguments[0],
            std::string(name) + "(" +
                (is_sync && arguments.size() == 5 ? value(arguments[4], "unsigned") : "~0u") +
                ", " + value(arguments[1], "unsigned") + ", " + value(arguments[2], "unsigned") +
                ", heddle::ptx::width(" + value(arguments[3], "unsigned") + "))");
    }

    const words& operands_;
    bool is_volatile_;
    std::string out_;
};

}  // namespace

std::optional<std::string> translate_ptx(const std::string& text,
                                         const std::vector<std::string>& operands,
                                         bool is_volatile) {
    try {
        return translator(operands, is_volatile).translate(text);
    } catch (const unknown_ptx&) {
        return std::nullopt;
    }
}

}  // namespace heddle::program
