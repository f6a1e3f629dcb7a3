// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/base/histogram.h"
#include "models/base/parameter.h"

namespace heddle {

class output_file;

/// A statistic's declaration. A block keeps its own in one constexpr table:
///
///     inline constexpr statistic_declaration kmu_statistics[] = {
///         {"launches", "launch", "Kernels taken from the hardware work queues"},
///         {"wait", "cycle", "Time of a launch in the queue"},
///     };
struct statistic_declaration {
    const char* name;  ///< without the scope
    const char* unit;  ///< singular; "" for a ratio
    const char* description;
};

/// Not measured in this run, a count, a real number, or a distribution.
using statistic_value = std::variant<std::monostate, std::uint64_t, double, histogram>;

struct statistic {
    std::string name;  ///< scope and name, "gpu.cycles", "smx.3.cycles"
    std::string unit;
    std::string description;
    statistic_value value;
};

/// The statistics of a run, in the order of their declaration. Blocks count in plain members and
/// put the results here when the run (or an interval) ends.
/// An undeclared name, a name declared twice, or a negative count throws std::logic_error.
class statistics {
public:
    /// Declares a block's table under a scope ("gpu", "smx.3", "kernel.bfs"); values are unset.
    template <std::size_t Count>
    void declare(std::string_view scope, const statistic_declaration (&table)[Count]) {
        declare(scope, table, Count);
    }
    void declare(std::string_view scope, const statistic_declaration* table, std::size_t count);

    /// Sets a declared statistic by its full name; again overwrites.
    template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
    void set(std::string_view name, Number value) {
        if constexpr (std::is_integral_v<Number>) {
            if constexpr (std::is_signed_v<Number>) {
                if (value < 0) reject_negative(name);
            }
            put(name, static_cast<std::uint64_t>(value));
        } else {
            put(name, static_cast<double>(value));
        }
    }
    void set(std::string_view name, histogram value) { put(name, std::move(value)); }
    /// All values are unset again, as after declare().
    void unset() noexcept;

    [[nodiscard]] const std::vector<statistic>& entries() const noexcept { return entries_; }
    /// nullptr if not declared.
    [[nodiscard]] const statistic* find(std::string_view name) const;

private:
    void put(std::string_view name, statistic_value value);
    [[noreturn]] static void reject_negative(std::string_view name);

    std::vector<statistic> entries_;
    std::map<std::string, std::size_t, std::less<>> positions_;
};

/// A fact about a run; a seed may need all 64 bits.
using run_fact = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;

/// What a statistics file says about the run itself.
struct run_description {
    /// Version, workload, seed, ...: in this order.
    std::vector<std::pair<std::string, run_fact>> facts;
    const parameter_list* configuration = nullptr;  ///< effective; nullptr: left out
};

/// {"run": {facts..., "configuration": {key: value}}, "statistics": {name: {"value", "unit",
/// "description"}}}; a statistic is a line. An unset or not finite value is null. The value of a
/// distribution is its mean; beside it stands "histogram": {"samples", "minimum", "maximum",
/// "bins": [[low, count], ...]}.
[[nodiscard]] std::string to_json(const statistics& values, const run_description& run);
/// name,value,unit,description by RFC 4180 with '\n' line ends. A distribution is its mean, then
/// rows NAME.samples, NAME.minimum, NAME.maximum and NAME.bin.LOW. An unset value is empty.
[[nodiscard]] std::string to_csv(const statistics& values);
/// A CSV field by RFC 4180.
[[nodiscard]] std::string csv_field(const std::string& text);
/// Shortest text that reads back as the same number; a distribution is its mean. Empty if unset.
[[nodiscard]] std::string number_text(const statistic_value& value);
/// name, value, unit, description for the terminal; unset values are left out.
[[nodiscard]] std::string to_table(const statistics& values);

/// Completes the file: JSON or, if its name ends in ".csv", CSV.
void write_statistics(output_file& file, const statistics& values, const run_description& run);

}  // namespace heddle
