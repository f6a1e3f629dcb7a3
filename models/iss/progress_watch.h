// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/error.h"
#include "models/iss/memory_system.h"
#include "models/iss/progress_report.h"

namespace heddle::iss {

/// Ends a run in which nothing changes any more.
///
/// Stores are looked at only in the second half of the time allowed without progress, so that a
/// run that gets on pays nothing for it.
template <unsigned Lanes>
class progress_watch {
public:
    /// `limit`: warp instructions without progress.
    progress_watch(memory_system<Lanes>& memory, std::uint64_t limit) noexcept
        : memory_(memory), limit_(limit) {}

    /// A block has begun, has ended, or goes on.
    void made_progress() noexcept {
        instructions_ = 0;
        if (watching_) memory_.stop_watching();
        watching_ = false;
    }
    /// Warp instructions since then.
    void spend(std::uint64_t instructions) noexcept { instructions_ += instructions; }
    /// No warp can run.
    void give_up() noexcept { instructions_ = limit_ + 1; }
    /// Whether stores are looked at.
    [[nodiscard]] bool watching() const noexcept { return watching_; }

    /// All blocks have had a turn. Throws run_error.
    void round_ends(const std::vector<block<Lanes>*>& resident) {
        if (watching_ && memory_.changed()) return made_progress();
        if (instructions_ > limit_) {
            throw run_error(error_kind::no_progress,
                            progress_report<Lanes>(resident, instructions_));
        }
        if (!watching_ && instructions_ > limit_ / 2) {
            watching_ = true;
            memory_.watch_for_changes();
            for (const block<Lanes>* b : resident) {
                for (warp<Lanes>* w : b->warps) w->stack.watch();
            }
        }
    }

private:
    memory_system<Lanes>& memory_;
    std::uint64_t limit_;
    std::uint64_t instructions_ = 0;
    bool watching_ = false;
};

}  // namespace heddle::iss
