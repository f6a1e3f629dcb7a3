// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

namespace heddle {

/// What the transactional memory of an SMX counts.
struct tm_counts {
    std::uint64_t tx_attempts = 0;  ///< of warps, by mode
    std::uint64_t wf_attempts = 0;
    std::uint64_t wg_attempts = 0;
    std::uint64_t commits = 0;  ///< of threads
    std::uint64_t losses = 0;   ///< the same
    std::uint64_t aborts = 0;   ///< of losses: for a warp that runs alone
    std::uint64_t accesses = 0;
    std::uint64_t passes = 0;
    std::uint64_t restored_words = 0;
    std::uint64_t plain_conflicts = 0;
    // Cycles of resident warps:
    std::uint64_t begin_cycles = 0;
    std::uint64_t commit_cycles = 0;
    std::uint64_t overhead_cycles = 0;
    std::uint64_t code_cycles = 0;
    std::uint64_t resident_cycles = 0;

    static constexpr std::uint64_t tm_counts::*fields[] = {
        &tm_counts::tx_attempts,     &tm_counts::wf_attempts,  &tm_counts::wg_attempts,
        &tm_counts::commits,         &tm_counts::losses,       &tm_counts::aborts,
        &tm_counts::accesses,        &tm_counts::passes,       &tm_counts::restored_words,
        &tm_counts::plain_conflicts, &tm_counts::begin_cycles, &tm_counts::commit_cycles,
        &tm_counts::overhead_cycles, &tm_counts::code_cycles,  &tm_counts::resident_cycles};

    [[nodiscard]] std::uint64_t attempts() const { return tx_attempts + wf_attempts + wg_attempts; }
    [[nodiscard]] std::uint64_t other_cycles() const {
        return resident_cycles - begin_cycles - commit_cycles - overhead_cycles - code_cycles;
    }
};

}  // namespace heddle
