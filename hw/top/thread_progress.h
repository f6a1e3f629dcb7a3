// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/smx/execute/execution_observer.h"
#include "models/base/series_file.h"
#include "models/base/statistics.h"

namespace heddle {

/// The column of a thread in a thread progress file, scope "thread.T".
inline constexpr statistic_declaration thread_progress_statistics[] = {
    {"instructions", "instruction",
     "Instructions that thread T of the SMX issued in the interval. T is the home warp slot x warp "
     "size + the home lane"},
};

/// Writes how far each thread of one SMX gets: a series_file whose rows cover intervals of core
/// cycles, as those of interval_recorder, with a column for each thread place of the SMX. A place
/// is used by one thread after another, of different blocks. Fung 2008, figures 6.4 and 6.5.
///
/// Cost: an increment for each instruction of a thread, and a line of text an interval.
class thread_progress final : public execution_observer {
public:
    /// For an SMX of `threads` places in warps of `warp_size`. Throws configuration_error if the
    /// file can't be written.
    thread_progress(const std::string& file, std::uint64_t interval, unsigned threads,
                    unsigned warp_size);

    /// The rows up to this core cycle; completes the file. Once, after the run.
    void finish(std::uint64_t cycle);

    void block_started(std::uint64_t, const protocol::block_dispatch&, std::uint64_t) override {}
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void executed(const issued_instruction& issued, const register_file&) override {
        count(issued);
    }
    void accessed(const issued_instruction& issued, const memory_instruction&) override {
        count(issued);
    }
    void loaded(std::uint64_t, unsigned, issue_number, isa::lane_mask,
                const std::uint32_t*) override {}
    void completed(std::uint64_t, unsigned, issue_number, const register_file&) override {}
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

private:
    void count(const issued_instruction& issued);
    void add_row(std::uint64_t end);

    series_file file_;
    const std::uint64_t interval_;
    const unsigned warp_size_;
    std::uint64_t start_ = 0;             ///< of the interval that runs, core cycle
    std::vector<std::uint64_t> counted_;  ///< in it, by thread place
    std::vector<std::string> names_;      ///< of the columns
    statistics values_;
};

}  // namespace heddle
