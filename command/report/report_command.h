// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// `heddle report` and `heddle run --report`: the pages themselves are the work of scripts/report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/run/record_files.h"

namespace heddle::command {

/// Becomes scripts/report with these words. Throws configuration_error if it can't be started.
[[noreturn]] void report(const std::vector<std::string>& words);

/// The page of one run. What the page shows is gathered in a folder of its own, which goes with the
/// object.
class run_page {
public:
    /// Throws configuration_error if the page can't be written, or if what scripts/report needs is
    /// missing: before the run, not after it.
    explicit run_page(std::string file);
    ~run_page();
    run_page(const run_page&) = delete;
    run_page& operator=(const run_page&) = delete;

    /// Asks for the records that the page shows and the user has not asked for.
    void add_to(record_options& records) const;
    /// Where the statistics of the run must be before write().
    [[nodiscard]] std::filesystem::path statistics_file() const { return folder_ / "stats.json"; }
    /// Writes the page; `records` are those of the run, `typed` is its command line. Throws
    /// configuration_error with what scripts/report says.
    void write(const record_options& records, const std::vector<std::string>& typed) const;

private:
    std::string file_;
    std::filesystem::path folder_;
};

}  // namespace heddle::command
