// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/histogram.h"

namespace heddle::inputs {

/// How values are spread, as the degrees of vertices or the lengths of strings.
struct spread {
    std::uint32_t minimum = 0;
    std::uint32_t maximum = 0;
    double mean = 0;
    double median = 0;              ///< mean of the middle two if there are two
    double standard_deviation = 0;  ///< of all values, not of a sample
    histogram values = histogram::powers_of_two();
};

/// O(values + largest value). All numbers are 0 if there are no values.
[[nodiscard]] spread spread_of(const std::vector<std::uint32_t>& values);

/// The line "WHAT: minimum ..., median ..., mean ..., maximum ..., standard deviation ...".
[[nodiscard]] std::string spread_line(const std::string& what, const spread& described);
/// The histogram as a table of three columns: WHAT, COUNTED, and their share in per cent.
[[nodiscard]] std::string spread_table(const std::string& what, const std::string& counted,
                                       const spread& described);

}  // namespace heddle::inputs
