// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/instruction.h"
#include "models/program/kernel.h"

namespace heddle::simt {

using isa::lane_mask;

/// Reconvergence PC that no instruction has: the entry ends when its lanes exit.
inline constexpr std::uint32_t never = 0xffff'ffff;

/// Lanes that go to one PC.
struct lane_group {
    std::uint32_t pc;
    lane_mask lanes;
};

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

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] const entry& top() const noexcept { return entries_.back(); }
    /// Bottom first.
    [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }

    /// All active lanes continue at `pc`. Call it when `pc` may be where the top reconverges;
    /// an interpreter may keep the PC itself between two such points.
    void advance(std::uint32_t pc);
    /// The active lanes part: `taken` go to `target`, the others to `fall_through`; both sets must
    /// be non-empty. `reconvergence_pc` is the branch's, or program::function_exit.
    void branch(lane_mask taken, std::uint32_t target, std::uint32_t fall_through,
                std::uint32_t reconvergence_pc);
    /// All active lanes call; groups of lanes that call different functions run one after another,
    /// the last group first.
    void call(const lane_group* groups, unsigned count, std::uint32_t return_address);
    /// All active lanes return, to where their call was.
    void ret(const lane_group* groups, unsigned count);
    /// All active lanes jump through a register without a link (jump table, indirect tail call).
    /// Groups that part meet at `reconvergence_pc`, or program::function_exit.
    void jump(const lane_group* groups, unsigned count, std::uint32_t reconvergence_pc);
    /// Lanes that have finished leave every entry.
    void exit(lane_mask lanes);

    /// For wait-for reports: those of the `live` lanes that wait for the top's, and where they will
    /// go on; no lanes if none do.
    [[nodiscard]] lane_group waiting(lane_mask live) const;

private:
    [[nodiscard]] static bool reconverged(const entry& e) noexcept {
        return e.next_pc == e.reconvergence_pc && e.depth == e.reconvergence_depth;
    }
    void pop_reconverged();
    /// An entry that starts at its reconvergence point has nothing to run.
    void push(const entry& e);
    /// Where the innermost call returns to: its reconvergence PC and depth.
    [[nodiscard]] entry caller() const noexcept;
    /// The top's lanes go on as groups that meet at a reconvergence point; all groups but the
    /// first lie above it. The top's depth is that of the groups.
    void split(const lane_group* groups, unsigned count, std::uint32_t reconvergence_pc);

    std::vector<entry> entries_;
};

}  // namespace heddle::simt
