// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::workloads {

/// One line of a run's summary table.
struct report_row {
    std::string name;
    std::variant<std::uint64_t, double, std::string> value;
    std::string unit;  ///< "" for pure numbers and texts

    [[nodiscard]] std::string text() const;  ///< the value, without the unit
};

/// One comparison of results with a serial reference.
struct result_check {
    std::string what;
    std::size_t values;      ///< how many were compared
    std::string comparison;  ///< "exact" or the tolerance
    /// First difference: index, value found, value expected, tolerance. Empty if there is none.
    std::string difference;

    [[nodiscard]] bool passed() const noexcept { return difference.empty(); }
};

/// A result that has the same bytes on every device, whatever its timing.
struct deterministic_buffer {
    std::string name;
    std::vector<std::byte> bytes;
};

/// What a workload says about its run: table rows, checked results, deterministic buffers.
class workload_report {
public:
    void add_row(std::string name, std::variant<std::uint64_t, double, std::string> value,
                 std::string unit = "");

    /// Compares results with the reference, value by value, and records the first difference.
    /// The vectors differ if their sizes do.
    void compare(std::string what, const std::vector<std::uint32_t>& found,
                 const std::vector<std::uint32_t>& expected);
    /// The same for floats: |found - expected| <= tolerance (absolute); equal bit patterns pass
    /// too. With tolerance 0, equal values.
    void compare(std::string what, const std::vector<float>& found,
                 const std::vector<float>& expected, double tolerance = 0);

    /// Declares a result that must be equal, byte by byte, on every device.
    template <class T>
    void declare_deterministic(std::string name, const std::vector<T>& values) {
        const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
        buffers_.push_back({std::move(name), {bytes, bytes + values.size() * sizeof(T)}});
    }

    [[nodiscard]] const std::vector<report_row>& rows() const noexcept { return rows_; }
    [[nodiscard]] const std::vector<result_check>& checks() const noexcept { return checks_; }
    [[nodiscard]] const std::vector<deterministic_buffer>& buffers() const noexcept {
        return buffers_;
    }
    /// Whether something was checked and every check passed.
    [[nodiscard]] bool correct() const noexcept;
    /// Throws run_error(wrong_result) with every failed check's first difference unless correct().
    void require_correct(const std::string& workload) const;

private:
    std::vector<report_row> rows_;
    std::vector<result_check> checks_;
    std::vector<deterministic_buffer> buffers_;
};

/// First difference between the deterministic buffers of a run and of the golden run (the same
/// workload and options on the functional simulator); none if all bytes are equal.
std::optional<std::string> golden_difference(const workload_report& run,
                                             const workload_report& golden);

}  // namespace heddle::workloads
