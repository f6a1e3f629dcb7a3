// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace heddle {

/// A parameter's value on its way between file, command line, configuration struct and report.
/// Choices travel as their name.
using parameter_value = std::variant<bool, std::int64_t, double, std::string>;

struct integer_range {
    std::int64_t low, high;  ///< both legal
};
struct integer_set {
    std::vector<std::int64_t> values;
};
struct real_range {
    double low, high;  ///< both legal
};
struct name_set {
    std::vector<std::string> names;
};
struct any_boolean {};
struct any_text {};
/// Type and legal values of a parameter.
using parameter_limits =
    std::variant<any_boolean, integer_range, integer_set, real_range, name_set, any_text>;

/// "an integer from 1 to 64", "one of lrr, gto", ...
[[nodiscard]] std::string to_text(const parameter_limits& limits);
/// "integer", "real", "boolean", "text" or "choice".
[[nodiscard]] const char* type_name(const parameter_limits& limits);
/// As a TOML file would show it, without quotes around text.
[[nodiscard]] std::string to_text(const parameter_value& value);

/// Integers low ... high if both are integers, else real numbers.
template <class Low, class High>
auto range(Low low, High high) {
    if constexpr (std::is_integral_v<Low> && std::is_integral_v<High>) {
        return integer_range{static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
    } else {
        return real_range{static_cast<double>(low), static_cast<double>(high)};
    }
}
inline integer_set one_of(std::initializer_list<std::int64_t> values) {
    return {values};
}

/// The names of values, as those of an enumeration: for files, the command line and reports.
template <class Value>
class choices {
public:
    choices(std::initializer_list<std::pair<const char*, Value>> entries) : entries_(entries) {}
    explicit choices(std::vector<std::pair<const char*, Value>> entries)
        : entries_(std::move(entries)) {}

    /// Name of `value`; empty if it has none.
    [[nodiscard]] std::string name(const Value& value) const {
        for (const auto& [name, candidate] : entries_) {
            if (candidate == value) return name;
        }
        return {};
    }
    [[nodiscard]] std::optional<Value> find(std::string_view name) const {
        for (const auto& [candidate, value] : entries_) {
            if (candidate == name) return value;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& entry : entries_) result.emplace_back(entry.first);
        return result;
    }

private:
    std::vector<std::pair<const char*, Value>> entries_;
};

/// Message for a key that is not declared, with the nearest candidate.
[[nodiscard]] std::string unknown_key_message(std::string_view key,
                                              const std::vector<std::string>& candidates,
                                              const std::string& where);

/// Which values of a parameter make programs faster, all else being equal.
enum class better_value { unknown, smaller, larger, one };

/// One declared parameter, bound to a member of a configuration struct.
///
/// A parameter that means a latency, a bandwidth, a size or a number of something says beside its
/// declaration what would help; `heddle why` tries it:
///
///     p.add("hit_latency", hit_latency, range(1, 64), "cycle", "...").smaller_is_better();
///     p.add("mshrs", mshrs, range(1, 1024), "line", "...").larger_is_better(256);
///
/// These functions throw std::logic_error for an illegal value.
struct parameter {
    std::string key;  ///< full key, "smx.max_blocks"
    parameter_limits limits;
    std::string unit;  ///< singular, as "byte"; empty if it has none
    std::string description;
    parameter_value default_value;
    std::string source = "default";  ///< or "FILE:LINE:COLUMN", or "--set"
    std::function<parameter_value()> get;
    std::function<void(const parameter_value&)> set;  ///< expects a legal value
    better_value better = better_value::unknown;
    std::optional<parameter_value> ideal = {};  ///< that of a part which limits nothing
    std::string block = {};                     ///< the block of the machine that it belongs to

    /// Ideal is the end of the range.
    parameter& smaller_is_better();
    parameter& larger_is_better();
    parameter& smaller_is_better(std::int64_t ideal_value);
    parameter& larger_is_better(std::int64_t ideal_value);
    /// A larger value helps, but none of them is ideal.
    parameter& more_is_better();
    /// One value is the best, and others have no order.
    parameter& best(const char* choice);
    parameter& best(bool value);
    parameter& best(std::int64_t value);
    /// Names the block where it is not what stands before the key's last dot.
    parameter& of(std::string name);

private:
    parameter& set_ideal(better_value which, const parameter_value& value);
};

/// A relation between parameters that has to hold, as "A is a multiple of B".
struct parameter_rule {
    std::vector<std::string> keys;  ///< full keys
    std::string text;
    std::function<bool()> holds;
};

/// The parameters of one configuration struct, in the order of their declaration.
///
/// A configuration struct gives its members their defaults and declares each once:
///
///     struct smx_configuration {
///         unsigned max_blocks = 16;
///         selection scheduler = selection::lrr;
///         void declare(parameter_list& p) {
///             p.add("max_blocks", max_blocks, range(1, 64), "block", "Resident thread blocks");
///             p.add("scheduler", scheduler, selection_names, "Picks the warp that issues");
///         }
///     };
///     struct gpu_configuration {
///         smx_configuration smx;
///         void declare(parameter_list& p) { p.nest("smx", smx); }
///     };
///
///     gpu_configuration gpu;
///     parameter_list parameters(gpu);
///     load_configuration(parameters, {"gk110", {"smx.max_blocks=8"}, directories});
///
/// Reader, validator, lists, reference and the effective configuration of a run come from this
/// list. It refers to the struct, which must outlive it and stay where it is.
/// A wrong declaration (key twice, illegal default, rule over an unknown key) throws
/// std::logic_error.
class parameter_list {
public:
    template <class Config>
    explicit parameter_list(Config& config) {
        config.declare(*this);
        check_declarations();
    }
    parameter_list(const parameter_list&) = delete;
    parameter_list& operator=(const parameter_list&) = delete;

    /// Declares an integer in a range or of a few values. What the functions add() return is valid
    /// until the next one.
    template <
        class Integer, class Limits,
        std::enable_if_t<std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>, int> = 0,
        std::enable_if_t<
            std::is_same_v<Limits, integer_range> || std::is_same_v<Limits, integer_set>, int> = 0>
    parameter& add(std::string_view key, Integer& value, Limits limits, std::string unit,
                   std::string description);
    /// Declares a real number.
    parameter& add(std::string_view key, double& value, real_range limits, std::string unit,
                   std::string description);
    parameter& add(std::string_view key, bool& value, std::string description);
    parameter& add(std::string_view key, std::string& value, std::string description);
    /// Declares an enumeration, or another value that is chosen by its name.
    template <class Value>
    parameter& add(std::string_view key, Value& value, const choices<Value>& names,
                   std::string description);

    /// Declares the parameters of an inner struct; their keys get "prefix." in front.
    template <class Config>
    void nest(std::string_view prefix, Config& config);

    /// Declares a relation between parameters; keys are relative to the struct, like in add().
    /// `text` completes "it must hold that ..." and is printed with the values and where they were
    /// set.
    void require(std::initializer_list<const char*> keys, std::string text,
                 std::function<bool()> holds);

    [[nodiscard]] const std::vector<parameter>& parameters() const noexcept { return parameters_; }
    [[nodiscard]] const std::vector<parameter_rule>& rules() const noexcept { return rules_; }
    [[nodiscard]] std::vector<std::string> keys() const;
    /// nullptr if there is none.
    [[nodiscard]] const parameter* find(std::string_view key) const;

    /// Gives a parameter a new value. Integers are accepted for real numbers.
    /// `source` becomes its source, `where` ("FILE:LINE:COLUMN" or "--set KEY=VALUE") starts the
    /// message of the configuration_error for an unknown key, a wrong type or an illegal value.
    void assign(std::string_view key, const parameter_value& value, const std::string& source,
                const std::string& where);
    /// Throws the configuration_error for a value of the wrong type (`found`) where the caller has
    /// no parameter_value for it.
    [[noreturn]] void reject_type(std::string_view key, const std::string& found,
                                  const std::string& where);
    /// The same as assign() for text from the command line, converted to the parameter's type.
    void assign_text(std::string_view key, std::string_view text, const std::string& source,
                     const std::string& where);
    /// Throws configuration_error for the first rule that does not hold.
    void check_rules() const;

private:
    [[nodiscard]] parameter& known(std::string_view key, const std::string& where);
    parameter& append(parameter&& declared);
    void check_declarations() const;
    void check_width(const parameter& declared, std::int64_t low, std::int64_t high) const;

    std::string prefix_;
    std::vector<parameter> parameters_;
    std::vector<parameter_rule> rules_;
};

template <class Integer, class Limits,
          std::enable_if_t<std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>, int>,
          std::enable_if_t<
              std::is_same_v<Limits, integer_range> || std::is_same_v<Limits, integer_set>, int>>
parameter& parameter_list::add(std::string_view key, Integer& value, Limits limits,
                               std::string unit, std::string description) {
    parameter declared{prefix_ + std::string(key),
                       std::move(limits),
                       std::move(unit),
                       std::move(description),
                       static_cast<std::int64_t>(value),
                       "default",
                       [&value] { return parameter_value(static_cast<std::int64_t>(value)); },
                       [&value](const parameter_value& given) {
                           value = static_cast<Integer>(std::get<std::int64_t>(given));
                       }};
    // TOML integers are signed 64-bit: an unsigned 64-bit member reaches up to 2^63 - 1.
    constexpr std::int64_t widest = std::numeric_limits<std::int64_t>::max();
    constexpr auto high = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    check_width(
        declared, static_cast<std::int64_t>(std::numeric_limits<Integer>::min()),
        high > static_cast<std::uint64_t>(widest) ? widest : static_cast<std::int64_t>(high));
    return append(std::move(declared));
}

template <class Value>
parameter& parameter_list::add(std::string_view key, Value& value, const choices<Value>& names,
                               std::string description) {
    return append({prefix_ + std::string(key), name_set{names.names()}, "", std::move(description),
                   names.name(value), "default",
                   [&value, names] { return parameter_value(names.name(value)); },
                   [&value, names](const parameter_value& given) {
                       value = *names.find(std::get<std::string>(given));
                   }});
}

template <class Config>
void parameter_list::nest(std::string_view prefix, Config& config) {
    const std::string outer = prefix_;
    prefix_ += std::string(prefix) + ".";
    config.declare(*this);
    prefix_ = outer;
}

}  // namespace heddle
