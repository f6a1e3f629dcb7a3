// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/run/record_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "command/run/lines/lines_file.h"
#include "command/run/run_checks.h"
#include "command/run/shown_tables.h"
#include "hw/top/gpu_options.h"
#include "models/base/error.h"
#include "models/base/suggestion.h"

namespace heddle::command {

void check_records(const record_options& options,
                   const std::function<void(bool given, const char* option)>& timed_only) {
    timed_only(options.interval.has_value(), "--interval");
    timed_only(!options.series_file.empty(), "--series");
    timed_only(!options.blocks_file.empty(), "--blocks");
    timed_only(!options.launches_file.empty(), "--launches");
    timed_only(!options.lines_file.empty(), "--lines");
    timed_only(!options.shown_tables.empty(), "--show");
    check_file_ending("--series", options.series_file, {".csv", ".json"});
    check_file_ending("--blocks", options.blocks_file, {".csv"});
    check_file_ending("--launches", options.launches_file, {".csv"});
    check_file_ending("--lines", options.lines_file, {".csv", ".json"});
    if (options.interval && *options.interval == 0) {
        throw configuration_error("--interval 0: expected at least 1 core cycle");
    }
    for (const std::string& table : options.shown_tables) {
        const std::vector<std::string>& names = shown_table_names();
        if (std::find(names.begin(), names.end(), table) != names.end()) continue;
        throw configuration_error(
            fmt::format("--show {}: there is no such table{}; expected one of {}", table,
                        hint(table, names), joined(names)));
    }
}

record_files::record_files(const record_options& options)
    : interval_(options.interval.value_or(record_options::default_interval)),
      load_latency_(options.all_statistics || !options.shown_tables.empty()),
      code_profile_(
          !options.lines_file.empty() ||
          std::any_of(options.shown_tables.begin(), options.shown_tables.end(), needs_code_costs)) {
    if (!options.series_file.empty()) series_ = std::make_unique<series_file>(options.series_file);
    if (!options.launches_file.empty()) {
        launches_ = std::make_unique<output_file>(options.launches_file);
    }
    if (!options.lines_file.empty()) lines_ = std::make_unique<output_file>(options.lines_file);
    if (launches_ || !options.blocks_file.empty() || !options.shown_tables.empty() ||
        options.all_statistics) {
        log_ = std::make_unique<work_log>(options.blocks_file);
    }
}

void record_files::request(gpu_options& netlist) const {
    netlist.log = log_.get();
    netlist.series = series_.get();
    netlist.interval = interval_;
    netlist.load_latency = load_latency_;
    netlist.code_profile = code_profile_;
}

void record_files::take_costs(const gpu& machine) {
    if (!code_profile_) return;
    costs_ = collect_code_costs(machine);
    if (lines_) write_lines(*lines_, costs_);
}

void record_files::finish() {
    if (series_) series_->commit();
    if (launches_) {
        launches_->stream() << log_->launches_csv();
        launches_->commit();
    }
    if (log_) log_->finish();
}

}  // namespace heddle::command
