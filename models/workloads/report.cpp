// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/workloads/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "models/base/error.h"

namespace heddle::workloads {
namespace {

std::string number_text(double value, int digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

std::string value_text(std::uint32_t value) {
    return std::to_string(value);
}
std::string value_text(float value) {
    return number_text(value, 9);  // tells any two floats apart
}

/// First difference in the terms of result_check::difference.
template <class T, class Equal>
std::string first_difference(const std::vector<T>& found, const std::vector<T>& expected,
                             const std::string& comparison, Equal equal) {
    if (found.size() != expected.size()) {
        return std::to_string(found.size()) + " values instead of " +
               std::to_string(expected.size());
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!equal(found[i], expected[i])) {
            return "index " + std::to_string(i) + ": found " + value_text(found[i]) +
                   ", expected " + value_text(expected[i]) + " (" + comparison + ")";
        }
    }
    return "";
}

}  // namespace

std::string report_row::text() const {
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) return std::to_string(*whole);
    if (const auto* real = std::get_if<double>(&value)) return number_text(*real, 4);
    return std::get<std::string>(value);
}

void workload_report::add_row(std::string name,
                              std::variant<std::uint64_t, double, std::string> value,
                              std::string unit) {
    rows_.push_back({std::move(name), std::move(value), std::move(unit)});
}

void workload_report::compare(std::string what, const std::vector<std::uint32_t>& found,
                              const std::vector<std::uint32_t>& expected) {
    const std::string comparison = "exact";
    auto difference =
        first_difference(found, expected, comparison, [](auto a, auto b) { return a == b; });
    checks_.push_back({std::move(what), expected.size(), comparison, std::move(difference)});
}

void workload_report::compare(std::string what, const std::vector<float>& found,
                              const std::vector<float>& expected, double tolerance) {
    const std::string comparison =
        tolerance == 0 ? "exact" : "absolute tolerance " + number_text(tolerance, 4);
    const auto equal = [tolerance](float a, float b) {
        // A NaN or an infinity is right only where the reference has the same.
        return std::memcmp(&a, &b, sizeof a) == 0 ||
               std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
    };
    auto difference = first_difference(found, expected, comparison, equal);
    checks_.push_back({std::move(what), expected.size(), comparison, std::move(difference)});
}

bool workload_report::correct() const noexcept {
    return !checks_.empty() && std::all_of(checks_.begin(), checks_.end(),
                                           [](const auto& check) { return check.passed(); });
}

void workload_report::require_correct(const std::string& workload) const {
    if (correct()) return;
    std::string message = "workload " + workload + ": ";
    if (checks_.empty()) message += "no result was compared with the reference";
    bool first = true;
    for (const auto& check : checks_) {
        if (check.passed()) continue;
        if (!first) message += "; ";
        first = false;
        message += check.what + ", compared with the serial reference: " + check.difference;
    }
    throw run_error(error_kind::wrong_result, message);
}

std::optional<std::string> golden_difference(const workload_report& run,
                                             const workload_report& golden) {
    if (run.buffers().size() != golden.buffers().size()) {
        return "the run declares " + std::to_string(run.buffers().size()) +
               " deterministic buffers, the golden run " + std::to_string(golden.buffers().size());
    }
    for (std::size_t i = 0; i < run.buffers().size(); ++i) {
        const auto& mine = run.buffers()[i];
        const auto& theirs = golden.buffers()[i];
        if (mine.name != theirs.name) {
            return "buffer \"" + mine.name + "\" stands where the golden run has \"" + theirs.name +
                   "\"";
        }
        if (mine.bytes.size() != theirs.bytes.size()) {
            return "buffer \"" + mine.name + "\" has " + std::to_string(mine.bytes.size()) +
                   " bytes, the golden run's " + std::to_string(theirs.bytes.size());
        }
        const auto at = std::mismatch(mine.bytes.begin(), mine.bytes.end(), theirs.bytes.begin());
        if (at.first != mine.bytes.end()) {
            char values[48];
            std::snprintf(values, sizeof values, "found 0x%02x, golden run 0x%02x",
                          std::to_integer<unsigned>(*at.first),
                          std::to_integer<unsigned>(*at.second));
            return "buffer \"" + mine.name + "\" byte " +
                   std::to_string(at.first - mine.bytes.begin()) + ": " + values;
        }
    }
    return std::nullopt;
}

}  // namespace heddle::workloads
