// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/inputs/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/base/text_table.h"

namespace heddle::inputs {

spread spread_of(const std::vector<std::uint32_t>& values) {
    spread result;
    if (values.empty()) return result;
    for (const std::uint32_t value : values) result.values.add(value);
    result.minimum = static_cast<std::uint32_t>(result.values.minimum());
    result.maximum = static_cast<std::uint32_t>(result.values.maximum());
    result.mean = result.values.mean();
    double squares = 0;
    for (const std::uint32_t value : values) {
        squares += (value - result.mean) * (value - result.mean);
    }
    result.standard_deviation = std::sqrt(squares / static_cast<double>(values.size()));
    std::vector<std::uint32_t> sorted = values;
    const std::size_t upper = values.size() / 2;
    const std::size_t lower = (values.size() - 1) / 2;
    std::sort(sorted.begin(), sorted.end());
    result.median = (static_cast<double>(sorted[lower]) + sorted[upper]) / 2;
    return result;
}

std::string spread_line(const std::string& what, const spread& described) {
    return fmt::format(
        "{}: minimum {}, median {}, mean {:.2f}, maximum {}, standard deviation {:.2f}\n", what,
        described.minimum, described.median, described.mean, described.maximum,
        described.standard_deviation);
}

std::string spread_table(const std::string& what, const std::string& counted,
                         const spread& described) {
    using align = text_table::align;
    text_table table({{what, align::right}, {counted, align::right}, {"%", align::right}});
    std::uint64_t all = 0;
    for (const histogram::bin& bin : described.values.bins()) all += bin.count;
    for (const histogram::bin& bin : described.values.bins()) {
        const std::string values =
            bin.low < 2 ? std::to_string(bin.low) : fmt::format("{}-{}", bin.low, 2 * bin.low - 1);
        const double share = 100.0 * static_cast<double>(bin.count) / static_cast<double>(all);
        table.add_row({values, std::to_string(bin.count), fmt::format("{:.2f}", share)});
    }
    return table.str();
}

}  // namespace heddle::inputs
