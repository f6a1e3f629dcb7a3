// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/top/code_costs.h"
#include "hw/top/work_log.h"
#include "models/base/output_file.h"
#include "models/base/series_file.h"
#include "models/base/statistics.h"

namespace heddle {
struct gpu_options;
}  // namespace heddle

namespace heddle::command {

/// What a timed run records of itself beside the statistics of the whole run.
struct record_options {
    static constexpr std::uint64_t default_interval = 1000;

    std::optional<std::uint64_t> interval;  ///< core cycles of a row of a series
    std::string series_file;                ///< CSV or JSON; as all of these: empty for none
    std::string blocks_file;                ///< CSV
    std::string launches_file;              ///< CSV
    std::string lines_file;                 ///< CSV or JSON
    std::vector<std::string> shown_tables;  ///< tables below the summary: shown_table_names()
    bool all_statistics = false;            ///< all of them will be read
};

/// Throws configuration_error for options that have no meaning; `timed_only(given, option)` is
/// called for each.
void check_records(const record_options& options,
                   const std::function<void(bool given, const char* option)>& timed_only);

/// The files of record_options, and what is gathered for them. As with trace_files they appear in
/// finish(), whole, also after a run that broke off.
class record_files {
public:
    /// Throws configuration_error if a file can't be written.
    explicit record_files(const record_options& options);

    /// Asks the netlist for what is wanted; before it is built.
    void request(gpu_options& netlist) const;
    /// Completes the files; after simulation::run().
    void finish();
    /// What the instructions cost, after the run; it goes to its file.
    void take_costs(const gpu& machine);
    /// Empty if nobody wants it.
    [[nodiscard]] const code_costs& costs() const noexcept { return costs_; }
    /// nullptr if nobody wants it.
    [[nodiscard]] const work_log* log() const noexcept { return log_.get(); }

private:
    std::uint64_t interval_;
    bool load_latency_;  ///< there are readers of its statistics
    bool code_profile_;  ///< there are readers of costs()
    std::unique_ptr<series_file> series_;
    std::unique_ptr<output_file> launches_;
    std::unique_ptr<output_file> lines_;
    std::unique_ptr<work_log> log_;
    code_costs costs_;
};

}  // namespace heddle::command
