// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/program/value_layout.h"

namespace heddle::command {

/// How far a real number a may be from its expected value b: |a - b| <= absolute + relative * |b|.
struct golden_tolerance {
    double relative = 0;
    double absolute = 0;

    [[nodiscard]] bool is_exact() const noexcept { return relative == 0 && absolute == 0; }
    /// "exact", "tolerance 1e-05", "tolerance 1e-05,1e-08".
    [[nodiscard]] std::string text() const;
};

/// Reads REL or REL,ABS, numbers from 0 on. Throws configuration_error that begins with `where`.
golden_tolerance parse_tolerance(const std::string& text, const std::string& where);

/// Numbers of a buffer that are not as expected.
struct golden_differences {
    std::uint64_t numbers = 0;  ///< compared
    std::uint64_t different = 0;
    std::uint64_t first = 0;  ///< index of the value with the first difference
    std::string field;        ///< ".mass" of a record; empty: the value is a number
    std::string found, expected;
};

/// Compares the numbers of two buffers with one layout and size. NaN is equal to NaN, and -0 to 0.
/// The tolerance is for real numbers; all others must be equal. What lies between the fields of a
/// record is not compared.
golden_differences compare_values(const program::value_layout& layout,
                                  const std::vector<std::byte>& found,
                                  const std::vector<std::byte>& expected,
                                  const golden_tolerance& tolerance);

/// "[5]", or "[1,2]" of an array with two dimensions.
std::string index_text(std::uint64_t index, const std::vector<std::uint64_t>& shape);

}  // namespace heddle::command
