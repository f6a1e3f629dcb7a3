// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 calls itself that
class App;
}

namespace heddle {

/// The options of a testbench's own. What an option's variable holds before is its default.
///
/// Stands in front of CLI11, whose header takes longer to compile than most testbenches. A name
/// "--x" gives the option --x; a value outside the bounds ends the program with a message.
class command_line {
public:
    explicit command_line(CLI::App& app) : app_(app) {}

    /// A number from `low` to `high`.
    void number(const std::string& name, std::uint32_t& value, const std::string& text,
                std::uint32_t low = 0,
                std::uint32_t high = std::numeric_limits<std::uint32_t>::max());
    void number(const std::string& name, std::uint64_t& value, const std::string& text,
                std::uint64_t low = 0,
                std::uint64_t high = std::numeric_limits<std::uint64_t>::max());
    void number(const std::string& name, double& value, const std::string& text, double low,
                double high);
    /// One of the legal numbers.
    void number_of(const std::string& name, std::uint32_t& value, const std::string& text,
                   const std::vector<std::uint32_t>& legal);
    /// Numbers with commas between them.
    void numbers(const std::string& name, std::vector<std::uint32_t>& values,
                 const std::string& text);
    void numbers(const std::string& name, std::vector<double>& values, const std::string& text,
                 double low, double high);
    /// Given: true. A name "!--no-x" gives the option --no-x, which sets false.
    void flag(const std::string& name, bool& value, const std::string& text);
    void words(const std::string& name, std::string& value, const std::string& text);
    /// May be repeated.
    void repeated(const std::string& name, std::vector<std::string>& values,
                  const std::string& text);
    /// One of `names`, which `chosen` is told.
    void name_of(const std::string& name, const std::vector<std::string>& names,
                 const std::function<void(const std::string&)>& chosen, const std::string& text);
    /// `name` is an error without `other`.
    void needs(const std::string& name, const std::string& other);
    /// The value beside the name that is given.
    template <class Value>
    void choice(const std::string& name, Value& value,
                const std::vector<std::pair<std::string, Value>>& choices,
                const std::string& text) {
        std::vector<std::string> names;
        for (const auto& [key, unused] : choices) names.push_back(key);
        name_of(
            name, names,
            [&value, choices](const std::string& given) {
                for (const auto& [key, meaning] : choices) {
                    if (key == given) value = meaning;
                }
            },
            text);
    }

private:
    CLI::App& app_;
};

}  // namespace heddle
