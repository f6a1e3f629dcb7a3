// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/smx/tm/tm_counts.h"

namespace heddle {

/// Where the resident cycles of warps go that are inside transactions.
///
/// Begin: from the issue of tx.begin until the next instruction may issue. Commit: from the issue
/// of tx.commit until the warp goes on or restarts. Between them is code, but for the overhead of
/// memory: what a transactional access takes beyond a plain one.
class tm_account {
public:
    enum class phase : std::uint8_t { outside, begin, code, commit };

    explicit tm_account(unsigned warps) : warps_(warps) {}

    /// From `edge` on the warp is in `next`.
    void set(unsigned warp, phase next, std::uint64_t edge) noexcept {
        state& of = warps_[warp];
        totals_[index(of.now)] += edge - of.since;
        overhead_ += of.overhead_before(edge);
        of = {next, edge};
    }
    /// An access of the warp keeps it from `from` to `to`, where a plain one would not. Such times
    /// of a warp do not overlap, and come in order.
    void add_overhead(unsigned warp, std::uint64_t from, std::uint64_t to) noexcept {
        state& of = warps_[warp];
        if (of.now != phase::code || from >= to) return;
        overhead_ += of.to - of.from;
        of.from = from;
        of.to = to;
    }
    /// Adds the cycles before `edge`.
    void add_to(tm_counts& counts, std::uint64_t edge) const noexcept {
        std::uint64_t totals[4];
        std::copy_n(totals_, 4, totals);
        std::uint64_t overhead = overhead_;
        for (const state& of : warps_) {
            totals[index(of.now)] += std::max(edge, of.since) - of.since;
            overhead += of.overhead_before(edge);
        }
        counts.begin_cycles += totals[index(phase::begin)];
        counts.commit_cycles += totals[index(phase::commit)];
        counts.overhead_cycles += overhead;
        counts.code_cycles += totals[index(phase::code)] - overhead;
    }

private:
    struct state {
        phase now = phase::outside;
        std::uint64_t since = 0;
        std::uint64_t from = 0;  ///< the last overhead, which may not be over
        std::uint64_t to = 0;

        [[nodiscard]] std::uint64_t overhead_before(std::uint64_t edge) const noexcept {
            return std::max(std::min(to, edge), from) - from;
        }
    };
    static constexpr unsigned index(phase of) noexcept { return static_cast<unsigned>(of); }

    std::vector<state> warps_;  ///< by slot
    std::uint64_t totals_[4] = {};
    std::uint64_t overhead_ = 0;
};

}  // namespace heddle
