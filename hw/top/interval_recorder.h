// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/top/gpu_counts.h"
#include "models/base/statistics.h"

namespace heddle {

class gpu;
class run_control;
class series_file;
struct gpu_configuration;

/// Writes a row of the GPU's statistics and of cooperation_series_statistics each so many core
/// cycles: what was counted in between, from
/// the same counters as the statistics of the run, so that the rows add up to these.
///
/// Row k covers core cycles [k * interval, (k + 1) * interval), as of the moment before the first
/// edge of any clock that is not before the interval's end. It runs nothing and wakes nobody: while
/// all parts sleep, the rows of the cycles that pass are written when the next one wakes.
class interval_recorder {
public:
    /// All of these outlive the recorder.
    interval_recorder(const gpu& machine, const gpu_configuration& configuration,
                      std::uint64_t interval, series_file& file, run_control& control);

    /// The rows up to now; the last one may be shorter. After the run, once.
    void finish();

private:
    std::uint64_t look();
    void add_row(const gpu_moment& until);
    void set_cooperation(std::uint64_t until);
    [[nodiscard]] std::uint64_t due() const;  ///< ps

    const gpu& machine_;
    const gpu_configuration& configuration_;
    const std::uint64_t interval_;
    series_file& file_;
    std::uint64_t start_ = 0;               ///< of the interval that runs, core cycle
    gpu_counts before_;                     ///< at its start
    std::uint64_t cooperative_ = 0;         ///< cycles with cooperative launches before it
    std::uint64_t cooperative_blocks_ = 0;  ///< sum over them of the active blocks
    statistics values_;
};

}  // namespace heddle
