// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle {
namespace {

enum class verdict { legal, wrong_type, illegal };

verdict judge(const parameter_limits& limits, const parameter_value& value) {
    const auto legal_if = [](bool good) { return good ? verdict::legal : verdict::illegal; };
    const auto* integer = std::get_if<std::int64_t>(&value);
    const auto* text = std::get_if<std::string>(&value);
    if (const auto* allowed = std::get_if<integer_range>(&limits); allowed && integer) {
        return legal_if(allowed->low <= *integer && *integer <= allowed->high);
    }
    if (const auto* allowed = std::get_if<integer_set>(&limits); allowed && integer) {
        const auto& all = allowed->values;
        return legal_if(std::find(all.begin(), all.end(), *integer) != all.end());
    }
    if (const auto* allowed = std::get_if<real_range>(&limits)) {
        const auto* real = std::get_if<double>(&value);
        if (real) return legal_if(allowed->low <= *real && *real <= allowed->high);  // not for NaN
    }
    if (const auto* allowed = std::get_if<name_set>(&limits); allowed && text) {
        const auto& all = allowed->names;
        return legal_if(std::find(all.begin(), all.end(), *text) != all.end());
    }
    if (std::holds_alternative<any_text>(limits) && text) return verdict::legal;
    if (std::holds_alternative<any_boolean>(limits) && std::holds_alternative<bool>(value)) {
        return verdict::legal;
    }
    return verdict::wrong_type;
}

/// As it is written in a file: text in quotes, a real number with a point.
std::string quoted(const parameter_value& value) {
    const std::string text = to_text(value);
    if (std::holds_alternative<std::string>(value)) return '"' + text + '"';
    const bool integral = text.find_first_not_of("-0123456789") == std::string::npos;
    return std::holds_alternative<double>(value) && integral ? text + ".0" : text;
}

/// "smx.max_blocks must be an integer from 1 to 64 (unit: block)".
std::string expectation(const parameter& p) {
    return p.key + " must be " + to_text(p.limits) +
           (p.unit.empty() ? "" : " (unit: " + p.unit + ")");
}

template <class Number, class... Base>
std::errc convert(std::string_view text, Number& number, Base... base) {
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number, base...);
    if (result.ec == std::errc() && result.ptr != end) return std::errc::invalid_argument;
    return result.ec;
}

/// An integer as TOML writes it: decimal, or 0x, 0o, 0b and digits; '_' may stand between digits.
std::errc convert_integer(std::string_view text, std::int64_t& integer) {
    const std::string_view prefix = text.substr(0, 2);
    const int base = prefix == "0x" ? 16 : prefix == "0o" ? 8 : prefix == "0b" ? 2 : 10;
    if (base != 10) text.remove_prefix(prefix.size());
    if (base != 10 && text.substr(0, 1) == "-") return std::errc::invalid_argument;
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digit_at = [&](std::size_t at) {
            return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
        };
        if (text[i] == '_' && i != 0 && digit_at(i - 1) && digit_at(i + 1)) continue;
        digits += text[i];
    }
    return convert(digits, integer, base);
}

/// Of integers.
std::pair<std::int64_t, std::int64_t> least_and_most(const parameter_limits& limits) {
    if (const auto* allowed = std::get_if<integer_range>(&limits)) {
        return {allowed->low, allowed->high};
    }
    const auto& all = std::get<integer_set>(limits).values;
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return {*least, *most};
}

}  // namespace

std::string to_text(const parameter_limits& limits) {
    struct printer {
        std::string operator()(any_boolean) const { return "true or false"; }
        std::string operator()(any_text) const { return "text"; }
        std::string operator()(const integer_range& r) const {
            return fmt::format("an integer from {} to {}", r.low, r.high);
        }
        std::string operator()(const integer_set& s) const {
            std::vector<std::string> texts;
            for (const std::int64_t value : s.values) texts.push_back(std::to_string(value));
            return "one of " + joined(texts);
        }
        std::string operator()(const real_range& r) const {
            return fmt::format("a number from {} to {}", r.low, r.high);
        }
        std::string operator()(const name_set& s) const { return "one of " + joined(s.names); }
    };
    return std::visit(printer{}, limits);
}

const char* type_name(const parameter_limits& limits) {
    struct namer {
        const char* operator()(any_boolean) const { return "boolean"; }
        const char* operator()(any_text) const { return "text"; }
        const char* operator()(const integer_range&) const { return "integer"; }
        const char* operator()(const integer_set&) const { return "integer"; }
        const char* operator()(const real_range&) const { return "real"; }
        const char* operator()(const name_set&) const { return "choice"; }
    };
    return std::visit(namer{}, limits);
}

std::string to_text(const parameter_value& value) {
    return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string unknown_key_message(std::string_view key, const std::vector<std::string>& candidates,
                                const std::string& where) {
    const std::string suggestion = hint(key, candidates);
    return fmt::format("{}: unknown key '{}'{} `heddle list parameters` shows all keys", where,
                       shortened(key), suggestion.empty() ? ";" : suggestion);
}

parameter& parameter_list::add(std::string_view key, double& value, real_range limits,
                               std::string unit, std::string description) {
    return append({prefix_ + std::string(key), limits, std::move(unit), std::move(description),
                   value, "default", [&value] { return parameter_value(value); },
                   [&value](const parameter_value& given) { value = std::get<double>(given); }});
}

parameter& parameter_list::add(std::string_view key, bool& value, std::string description) {
    return append({prefix_ + std::string(key), any_boolean{}, "", std::move(description), value,
                   "default", [&value] { return parameter_value(value); },
                   [&value](const parameter_value& given) { value = std::get<bool>(given); }});
}

parameter& parameter_list::add(std::string_view key, std::string& value, std::string description) {
    return append(
        {prefix_ + std::string(key), any_text{}, "", std::move(description), value, "default",
         [&value] { return parameter_value(value); },
         [&value](const parameter_value& given) { value = std::get<std::string>(given); }});
}

parameter& parameter::set_ideal(better_value which, const parameter_value& value) {
    if (judge(limits, value) != verdict::legal) {
        throw std::logic_error("parameter " + key + ": illegal ideal value " + to_text(value));
    }
    better = which;
    ideal = value;
    return *this;
}

parameter& parameter::smaller_is_better() {
    return smaller_is_better(least_and_most(limits).first);
}

parameter& parameter::larger_is_better() {
    return larger_is_better(least_and_most(limits).second);
}

parameter& parameter::smaller_is_better(std::int64_t ideal_value) {
    return set_ideal(better_value::smaller, ideal_value);
}

parameter& parameter::larger_is_better(std::int64_t ideal_value) {
    return set_ideal(better_value::larger, ideal_value);
}

parameter& parameter::more_is_better() {
    better = better_value::larger;
    return *this;
}

parameter& parameter::best(const char* choice) {
    return set_ideal(better_value::one, std::string(choice));
}

parameter& parameter::best(bool value) {
    return set_ideal(better_value::one, value);
}

parameter& parameter::best(std::int64_t value) {
    return set_ideal(better_value::one, value);
}

parameter& parameter::of(std::string name) {
    block = std::move(name);
    return *this;
}

void parameter_list::require(std::initializer_list<const char*> keys, std::string text,
                             std::function<bool()> holds) {
    parameter_rule rule{{}, std::move(text), std::move(holds)};
    for (const char* key : keys) rule.keys.push_back(prefix_ + key);
    rules_.push_back(std::move(rule));
}

std::vector<std::string> parameter_list::keys() const {
    std::vector<std::string> result;
    for (const parameter& p : parameters_) result.push_back(p.key);
    return result;
}

const parameter* parameter_list::find(std::string_view key) const {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const parameter& p) { return p.key == key; });
    return found == parameters_.end() ? nullptr : &*found;
}

parameter& parameter_list::known(std::string_view key, const std::string& where) {
    for (parameter& p : parameters_) {
        if (p.key == key) return p;
    }
    throw configuration_error(unknown_key_message(key, keys(), where));
}

void parameter_list::assign(std::string_view key, const parameter_value& value,
                            const std::string& source, const std::string& where) {
    parameter& p = known(key, where);
    parameter_value given = value;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        if (std::holds_alternative<real_range>(p.limits)) given = static_cast<double>(*integer);
    }
    switch (judge(p.limits, given)) {
        case verdict::legal:
            break;
        case verdict::wrong_type:
            reject_type(key, quoted(value), where);
        case verdict::illegal: {
            const auto* names = std::get_if<name_set>(&p.limits);
            throw configuration_error(fmt::format(
                "{}: {} = {} is {}: {}{}", where, p.key, shortened(quoted(value)),
                names ? "not a choice" : "out of range", expectation(p),
                names ? hint(std::get<std::string>(given), names->names) : std::string()));
        }
    }
    p.set(given);
    p.source = source;
}

void parameter_list::reject_type(std::string_view key, const std::string& found,
                                 const std::string& where) {
    const parameter& p = known(key, where);
    throw configuration_error(fmt::format("{}: {} = {} has the wrong type: {}", where, p.key,
                                          shortened(found), expectation(p)));
}

void parameter_list::assign_text(std::string_view key, std::string_view text,
                                 const std::string& source, const std::string& where) {
    const parameter& p = known(key, where);
    const std::string type = type_name(p.limits);
    parameter_value value = std::string(text);
    if (type == "integer") {
        std::int64_t integer = 0;
        const std::errc error = convert_integer(text, integer);
        if (error == std::errc::result_out_of_range) {
            throw configuration_error(fmt::format("{}: {} = {} is out of range: {}", where, p.key,
                                                  shortened(text), expectation(p)));
        }
        if (error == std::errc()) value = integer;
    } else if (type == "real") {
        double real = 0;
        if (convert(text, real) == std::errc()) value = real;
    } else if (type == "boolean" && (text == "true" || text == "false")) {
        value = text == "true";
    }
    assign(key, value, source, where);
}

void parameter_list::check_rules() const {
    for (const parameter_rule& rule : rules_) {
        if (rule.holds()) continue;
        std::vector<std::string> values;
        for (const std::string& key : rule.keys) {
            const parameter& p = *find(key);
            values.push_back(fmt::format("{} = {} ({})", key, quoted(p.get()), p.source));
        }
        throw configuration_error(fmt::format(
            "inconsistent configuration: {}: it must hold that {}", joined(values), rule.text));
    }
}

parameter& parameter_list::append(parameter&& declared) {
    const auto wrong = [&](const char* what) {
        throw std::logic_error("parameter " + declared.key + ": " + what);
    };
    if (find(declared.key) != nullptr) wrong("declared twice");
    if (declared.description.empty()) wrong("has no description");
    if (judge(declared.limits, declared.default_value) != verdict::legal) wrong("illegal default");
    declared.block = declared.key.substr(0, declared.key.rfind('.'));
    return parameters_.emplace_back(std::move(declared));
}

void parameter_list::check_width(const parameter& declared, std::int64_t low,
                                 std::int64_t high) const {
    const auto check = [&](std::int64_t legal) {
        if (legal < low || legal > high) {
            throw std::logic_error("parameter " + declared.key + ": the member can't hold " +
                                   std::to_string(legal));
        }
    };
    if (const auto* allowed = std::get_if<integer_range>(&declared.limits)) {
        check(allowed->low);
        check(allowed->high);
    } else {
        for (const std::int64_t value : std::get<integer_set>(declared.limits).values) check(value);
    }
}

void parameter_list::check_declarations() const {
    for (const parameter_rule& rule : rules_) {
        for (const std::string& key : rule.keys) {
            if (find(key) == nullptr) {
                throw std::logic_error("rule '" + rule.text + "' names the unknown key " + key);
            }
        }
        if (!rule.holds()) throw std::logic_error("the defaults violate the rule: " + rule.text);
    }
}

}  // namespace heddle
