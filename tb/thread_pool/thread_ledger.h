// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "hw/protocol/thread_turn.h"
#include "hw/smx/thread_pool/dwf/dwf_configuration.h"
#include "hw/smx/thread_pool/group_former.h"
#include "tb/kit/testbench.h"

namespace heddle::thread_pool_tb {

/// What the checks of a thread_ledger depend on; all of it outlives the ledger.
struct pool_description {
    const smx_configuration& smx;
    const dwf_configuration& dwf;
    const issue_needs& needs;
    unsigned warp_size;
    unsigned threads;  ///< places of the SMX
};

/// Where every thread of a thread pool's SMX is, kept outside of the pool, and what has to hold of
/// each turn:
///  - a thread is in the pool from its arrival until it issues, and issues once;
///  - what issues together belongs to one block, is at one PC (mimd: each part), whose unit takes
///    an instruction, and has at most one thread a lane; lane-aware: each in a lane of its own
///    bank;
///  - nrec and mimd issue exactly what a plain list of arrivals gives;
///  - the pool's own counts agree with the ledger's, and stay within the resources.
class thread_ledger {
public:
    thread_ledger(testbench& bench, const pool_description& pool);

    /// Threads that the pool gets in the next turn.
    void arrives(const protocol::thread_arrival& threads);
    /// The answer to a turn; `now`: the pool's counts behind it.
    void turned(const protocol::thread_turn& turn, const former_occupancy& now);

    [[nodiscard]] unsigned in_pool() const noexcept { return in_pool_; }
    /// Most threads in the overflow list at a time.
    [[nodiscard]] unsigned most_overflow() const noexcept { return most_overflow_; }
    /// Lane slots that issued with a thread, and all of issuing groups.
    [[nodiscard]] std::uint64_t used_lanes() const noexcept { return used_lanes_; }
    [[nodiscard]] std::uint64_t offered_lanes() const noexcept { return offered_lanes_; }

private:
    struct thread {
        bool in_pool = false;
        std::uint32_t pc = 0;
        block_slot block{};
    };
    struct waiting_thread {
        std::uint16_t number;
        std::uint32_t pc;
    };

    bool check(bool good, const std::string& what) const;
    void check_part(const protocol::thread_turn& turn, const protocol::thread_part& part);
    void check_outcome(const protocol::thread_turn& turn) const;
    void check_lane(unsigned thread, unsigned lane) const;
    void check_conflicts(const protocol::thread_turn& turn) const;
    void check_counts(const former_occupancy& now);
    void check_nrec(const protocol::thread_turn& turn);
    void check_mimd(const protocol::thread_turn& turn);
    [[nodiscard]] bool accepts(const protocol::thread_turn& turn, std::uint32_t pc) const;
    [[nodiscard]] unsigned bank(unsigned thread) const;
    [[nodiscard]] unsigned banks() const;

    testbench& bench_;
    const pool_description pool_;
    std::vector<thread> threads_;
    std::list<protocol::thread_arrival> arrivals_;  ///< nrec: that have not issued
    std::list<waiting_thread> oldest_first_;        ///< mimd: in the pool
    /// mimd: first cycle in which a lane takes an instruction with a need again.
    std::vector<std::vector<std::uint64_t>> free_at_;
    unsigned in_pool_ = 0;
    unsigned most_overflow_ = 0;
    std::uint64_t cycle_ = 0;
    std::uint64_t used_lanes_ = 0;
    std::uint64_t offered_lanes_ = 0;
};

}  // namespace heddle::thread_pool_tb
