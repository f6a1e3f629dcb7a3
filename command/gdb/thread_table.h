// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/simt/debugged_warp.h"

namespace heddle::command::gdb {

/// A warp's number among those that have started, from 1. The same in each run of a program.
using thread_number = std::uint64_t;

/// What gdb calls a thread: a warp.
struct debugged_thread {
    thread_number number;
    simt::debugged_warp& warp;
    unsigned lane = 0;                ///< whose registers are shown
    std::uint64_t executed = 0;       ///< instructions
    std::uint32_t executed_at = ~0U;  ///< PC of the last of them

    [[nodiscard]] std::uint32_t pc() const;
    /// Lanes that execute the next instruction.
    [[nodiscard]] isa::lane_mask mask() const;
    /// Where a lane goes on.
    [[nodiscard]] std::uint32_t pc_of(unsigned lane) const;
    /// A lane that executes, if the present one does not.
    void choose_running_lane();
    /// "SMX 3 block (12,0,0) warp 2".
    [[nodiscard]] std::string name() const;
};

/// What a packet names: a warp, and a lane of it.
struct named_thread {
    debugged_thread* thread = nullptr;  ///< null: there is none
    unsigned lane = 0;
};

/// The warps of a machine. gdb knows the lanes of some warps as threads of their own, too.
class thread_table {
public:
    void started(simt::debugged_warp& warp);
    void ended(const simt::debugged_warp& warp);
    /// The program starts again: the chosen lanes stay.
    void clear();

    [[nodiscard]] debugged_thread& of(const simt::debugged_warp& warp) const {
        return *by_warp_.at(&warp);
    }
    /// Null: there is none, or it has ended.
    [[nodiscard]] debugged_thread* find(thread_number number);
    /// By gdb's number, which may be that of a lane; 0: the first one.
    [[nodiscard]] named_thread named(std::uint64_t id);
    /// The first one that has not ended; null if there is none.
    [[nodiscard]] debugged_thread* first();
    /// gdb's numbers of all that have not ended.
    [[nodiscard]] std::vector<std::uint64_t> ids();
    /// The list as gdb's XML.
    [[nodiscard]] std::string list();
    void choose_lane(debugged_thread& thread, unsigned lane);

    /// Lanes are threads, too: of this warp (0: of none), or of this block of a launch.
    struct scope {
        thread_number warp = 0;
        bool of_block = false;
        std::uint64_t block = 0;
        std::uint32_t grid = 0;
    };
    void show_lanes(const scope& of) { lanes_of_ = of; }

private:
    [[nodiscard]] bool shows_lanes(const debugged_thread& thread) const;

    std::map<thread_number, std::unique_ptr<debugged_thread>> threads_;
    std::unordered_map<const simt::debugged_warp*, debugged_thread*> by_warp_;
    std::unordered_map<thread_number, unsigned> lanes_;  ///< chosen
    thread_number last_ = 0;
    scope lanes_of_;
};

/// Number of a block in its grid, x fastest.
[[nodiscard]] std::uint64_t linear_block(const simt::block_identity& block);

}  // namespace heddle::command::gdb
