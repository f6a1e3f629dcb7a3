// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace heddle::command {

/// How far a run is.
struct run_progress {
    std::uint64_t blocks_launched = 0;  ///< of all launches so far
    std::uint64_t blocks_done = 0;
    std::uint64_t warp_instructions = 0;
    std::optional<std::uint64_t> cycles;  ///< core cycles; none without time
};

/// The words for run_progress, with rates since the last call.
///
/// The time left is that of the blocks which are launched and not done, at the rate at which blocks
/// have ended since the last launch; it is left out until the first of them ends.
class progress_text {
public:
    using seconds = std::chrono::duration<double>;
    /// "blocks 12/64 (18.8 %), cycle 34567, ...". `at` is host time since the run's start.
    std::string next(seconds at, const run_progress& now);

private:
    seconds last_at_{0};
    run_progress last_;
    seconds base_at_{0};  ///< when `blocks_launched` was last seen to grow
    std::uint64_t base_launched_ = 0;
    std::uint64_t base_done_ = 0;
};

/// One line about a run on standard error, rewritten in place twice a second and erased at the end.
/// Without a terminal there (or with TERM=dumb, or in the background) there is none, unless it is
/// asked for: then a line is printed every ten seconds.
///
/// It draws nothing by itself: a thread that otherwise sleeps raises attention::progress, and who
/// runs the simulation calls show() when it sees that. A run that does not want it pays nothing.
class progress_line {
public:
    /// `wanted`: --progress, --no-progress or neither.
    explicit progress_line(std::optional<bool> wanted);
    ~progress_line();
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    void show(const run_progress& now);

    /// What erases the line of the process, if one is drawn; for a signal handler that has
    /// something to say.
    [[nodiscard]] static std::string_view erasing_text() noexcept;

private:
    using clock = std::chrono::steady_clock;
    enum class style { none, in_place, lines };

    static style choose(std::optional<bool> wanted);
    void raise_attention();

    const style style_;
    const clock::time_point started_ = clock::now();
    progress_text text_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread timer_;
};

}  // namespace heddle::command
