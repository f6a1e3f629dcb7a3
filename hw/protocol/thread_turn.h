// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "hw/protocol/link_rules.h"

/// SMX -> thread_pool: a call for each group that a scheduler may issue in its turn. Threads come
/// to the pool with their next PCs, and the pool answers which of them issue. The payload is one
/// object that the SMX keeps for the whole run; no heap, no event.
namespace heddle::protocol {

/// The programs, for the pool. Valid until another one comes.
struct thread_program {
    std::uint32_t base = 0;  ///< PC of the first instruction
    /// Of each instruction, as the bits of thread_turn::accepting.
    std::vector<std::uint8_t> needs;
    std::vector<std::uint8_t> flags;  ///< of each instruction, as in program::kernel_code

    [[nodiscard]] std::uint32_t position(std::uint32_t pc) const noexcept {
        return (pc - base) / 4;
    }
};

/// Threads of one block that come to the pool with one next PC.
struct thread_arrival {
    block_slot block{};
    std::uint32_t pc = 0;
    lane_mask lanes = 0;  ///< not empty
    bool starts = false;  ///< their block starts: the threads have not issued yet
    /// Numbers of the threads in the SMX (home warp slot x warp size + home lane) for the set
    /// lanes. The lanes are those in which the threads issued last; at the start, their home lanes.
    std::array<std::uint16_t, maximum_lanes> threads;
    /// Not 0: they run one transaction. They issue together, without others, and in their lanes.
    std::uint16_t transaction = 0;
};

/// Threads of one block that issue the instruction at one PC.
struct thread_part {
    block_slot block{};
    std::uint32_t pc = 0;
    lane_mask lanes = 0;  ///< of the pipeline
};

/// What comes of a turn.
enum class turn_outcome : std::uint8_t {
    issued,
    nothing,    ///< no thread is in the pool
    forming,    ///< threads are in the pool, but no group of them is ready yet
    unit_busy,  ///< the group whose turn it is needs a unit that takes nothing now
};

/// The group that issues: one part, or, where lanes may hold threads at different PCs, several,
/// whose lanes are disjoint.
struct thread_issue {
    turn_outcome outcome = turn_outcome::nothing;
    unsigned count = 0;  ///< of parts; 0 unless issued
    /// Clocks that the register banks take beyond the turn, because the group has several threads
    /// for one bank: its instruction and the next turn come later by them.
    unsigned conflict_clocks = 0;
    /// unit_busy: parts[0].pc is where the group waits.
    std::array<thread_part, maximum_lanes> parts;
    std::array<std::uint16_t, maximum_lanes> threads;  ///< numbers, by lane of the parts
};

struct thread_turn {
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    sm_id sm{};
    std::uint64_t cycle = 0;  ///< number of the core cycle, which never goes back
    /// Calls in this cycle before this one. Schedulers that share the pool have one each, and one
    /// more where smx.dual_issue lets them issue a second group.
    std::uint32_t calls_before = 0;
    /// Instructions that can issue now, a bit for each kind of need (hw/smx/thread_pool).
    std::uint32_t accepting = 0;
    const thread_arrival* arrivals = nullptr;  ///< since the last call, in their order
    std::uint32_t arrival_count = 0;
    const thread_program* program = nullptr;  ///< if a new one has come; no thread is in the pool
    thread_issue issue;                       ///< out
    /// Out: core cycle in which a call may have another outcome although no thread has arrived and
    /// `accepting` is the same; `never` if there is none.
    std::uint64_t next_change = never;
};

/// ```
///            fw turn
///   [idle] -------------> [closed]      turn: TLM_COMPLETED, always
/// ```
/// What issues has left the pool; the SMX may not refuse it. Later calls of a cycle bring no
/// arrivals, and the pool's clock stands still between them.
///
/// Calls without arrivals may be left out before `next_change` while `accepting` stays the same:
/// the pool catches up on the cycles in between.
enum class thread_phase : std::uint8_t { turn };

struct thread_link {
    using tlm_payload_type = thread_turn;
    using tlm_phase_type = thread_phase;
};

template <>
struct link_rules<thread_link> : usual_rules<thread_turn> {
    static const rule_table& table();
    static std::string request_error(const thread_turn& p);
    static std::string response_error(const thread_turn& p);
    static fixed_attributes fixed(const thread_turn& p);
    static void describe(const thread_turn& p, attribute_list& out);

    static constexpr bool carries_accesses = true;
    /// One object for the whole run.
    static unsigned references(const thread_turn&) { return 1; }
    /// A turn without an issue is left out.
    static bool recorded(const thread_turn& p) { return p.issue.outcome == turn_outcome::issued; }
};

}  // namespace heddle::protocol
