// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/simt/transfer.h"

namespace heddle::simt {

/// Reconvergence PC that no instruction has: the entry ends when its lanes exit.
inline constexpr std::uint32_t never = 0xffff'ffff;

/// The reconvergence stack of one warp: SIMD execution with immediate post-dominators (PDOM).
/// Source: Fung, "Dynamic Warp Formation", 2008, section 3.2 and Table 3.1.
///
/// Entry = {next PC, active mask, reconvergence PC}. The rules of Table 3.1, plus those for calls:
///  - one next PC for all active lanes: it overwrites the top's next PC;
///  - several: the top continues at the branch's reconvergence PC, and each next PC gets an entry;
///    the fall-through is pushed first, so that the taken side runs first;
///  - an entry whose next PC is its reconvergence PC pops, also right after a push or a pop;
///  - a call pushes {entry, mask, reconvergence PC = return address};
///  - a branch whose post-dominator is the end of the function reconverges where the nearest call
///    returns to;
///  - lanes that exit leave every entry; empty entries pop.
/// Both PCs carry the call depth: a recursive function passes its own return address in an inner
/// activation, which must not pop the outer one.
///
/// Without calls the stack holds at most 2 N entries for N lanes.
///
/// Transactions: mark() remembers where a transaction of the top's lanes begins. Lanes that lose
/// leave() the entries of the transaction, rewind() starts it again with some of its lanes, and
/// release() goes on behind it with all of them. There is one mark at a time.
class reconvergence_stack {
public:
    struct entry {
        std::uint32_t next_pc;
        std::uint32_t reconvergence_pc;
        std::uint32_t depth;                ///< calls that enclose next_pc
        std::uint32_t reconvergence_depth;  ///< calls that enclose reconvergence_pc
        lane_mask lanes;
    };

    /// Starts the given lanes at `pc`.
    void reset(std::uint32_t pc, lane_mask lanes);
    /// Goes on where another stack was, whose entries() these are.
    void restore(std::vector<entry> entries) {
        entries_ = std::move(entries);
        waited_ = 0;
    }

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] const entry& top() const noexcept { return entries_.back(); }
    /// Where the top may reconverge: advance() has to be called there. `never` while the call
    /// depths differ: the top can't reconverge then, whatever its PC.
    [[nodiscard]] std::uint32_t limit() const noexcept {
        const entry& e = top();
        return e.depth == e.reconvergence_depth ? e.reconvergence_pc : never;
    }
    /// Bottom first.
    [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }

    /// The active lanes go where a control-flow instruction sends them; not for a refused transfer.
    void follow(const transfer& to);
    /// All active lanes continue at `pc`. Until they reach the limit() an interpreter may keep the
    /// PC itself.
    void advance(std::uint32_t pc);
    /// Lanes that have finished leave every entry.
    void exit(lane_mask lanes);

    /// A transaction of the top's lanes begins; they may start again at `pc`.
    void mark(std::uint32_t pc);
    /// Whether the top is the entry in which the transaction began, in the same activation of its
    /// function: it may end here. Only while there is a mark, as for the next three.
    [[nodiscard]] bool at_mark() const noexcept;
    /// Lanes leave every entry of the transaction. The entry in which it began stays even without
    /// lanes, and is the top then.
    void leave(lane_mask lanes);
    /// The transaction starts again, with these lanes of those that have begun it.
    void rewind(lane_mask lanes);
    /// The transaction ends: all lanes that have begun it go on at `pc`.
    void release(std::uint32_t pc);

    /// For wait-for reports: those of the `live` lanes that wait for the top's, and where they will
    /// go on; no lanes if none do.
    [[nodiscard]] lane_group waiting(lane_mask live) const;
    /// Likewise: waited() tells which lanes have waited since the last call, without a turn.
    void watch();
    [[nodiscard]] lane_mask waited() const noexcept { return waited_; }

private:
    [[nodiscard]] static bool reconverged(const entry& e) noexcept {
        return e.next_pc == e.reconvergence_pc && e.depth == e.reconvergence_depth;
    }
    /// Whether an entry has gone.
    bool pop_reconverged();
    /// The lanes of the top run now.
    void settle() noexcept {
        if (!entries_.empty()) waited_ &= ~entries_.back().lanes;
    }
    /// An entry that starts at its reconvergence point has nothing to run.
    void push(const entry& e);
    /// Where the innermost call returns to: its reconvergence PC and depth.
    [[nodiscard]] entry caller() const noexcept;
    /// The top's lanes go on as groups that meet at a reconvergence point; all groups but the
    /// first lie above it. The top's depth is that of the groups.
    void part(const transfer& to, std::uint32_t reconvergence_pc);
    /// Groups of lanes that call different functions run one after another, the last group first.
    void call(const transfer& to);
    void ret(const transfer& to);

    std::vector<entry> entries_;
    lane_mask waited_ = 0;         ///< since watch()
    std::size_t marked_size_ = 0;  ///< entries when the transaction began; 0: there is none
    entry marked_{};               ///< the top then, with the PC where it starts again
};

}  // namespace heddle::simt
