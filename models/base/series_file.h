// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/base/output_file.h"
#include "models/base/statistics.h"

namespace heddle {

/// The first columns of a series, scope "interval".
inline constexpr statistic_declaration interval_statistics[] = {
    {"start", "cycle", "First core cycle of the interval, counted from the start of the run"},
    {"end", "cycle", "First core cycle after the interval, counted from the start of the run"},
};

/// A time series of statistics, a row an interval. The columns are interval_statistics and then the
/// entries of the statistics of the first row. Rows are written as they come, so that a long series
/// takes no memory; the file appears in commit().
///
/// CSV: a line of names, then a line of values for each row; an unset value is empty. If the name
/// ends in ".json": {"columns": [{"name", "unit", "description"}, ...], "rows": [[value, ...],
/// ...]}; an unset value is null.
class series_file {
public:
    /// Throws configuration_error if the file can't be written.
    explicit series_file(const std::string& file);

    /// All rows have the same entries.
    void add(std::uint64_t start, std::uint64_t end, const statistics& values);
    void commit();

private:
    void begin(const statistics& columns);

    output_file file_;
    const bool json_;
    bool begun_ = false;
    std::uint64_t rows_ = 0;
    std::string line_;
};

}  // namespace heddle
