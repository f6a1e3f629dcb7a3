// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/issue/issue_front.h"
#include "hw/smx/lsu/load_store_statistics.h"
#include "hw/smx/pipeline/cycle_account.h"
#include "hw/smx/tm/tm_counts.h"
#include "models/base/counted_statistics.h"
#include "models/device/execution_counts.h"

namespace heddle {

/// Everything that an SMX counts, up to now; sums over SMXs make the GPU's figures.
struct smx_counts : front_counts {
    execution_counts executed;
    /// By position in the program's list of kernels.
    std::vector<execution_counts> kernels;
    std::array<std::uint64_t, cycle_cause_count> issue_slots{};  ///< by cycle_cause
    std::uint64_t warp_slot_cycles = 0;                          ///< cycles x warp slots
    std::uint64_t resident_warp_cycles = 0;  ///< sum over cycles of the warps that have not ended
    std::uint64_t held_slot_cycles = 0;      ///< sum over cycles of the warp slots of blocks
    std::uint64_t active_cycles = 0;         ///< cycles with a resident warp
    std::uint64_t watched_cycles = 0;        ///< of them, with in_flight_warp_cycles counted
    std::uint64_t line_accesses = 0;         ///< to lines of global and private memory
    std::uint64_t line_instructions = 0;     ///< instructions that made them
    l1d_counts l1d;
    load_cache_counts constants;
    load_cache_counts read_only;

    static constexpr std::uint64_t smx_counts::*fields[] = {&smx_counts::warp_slot_cycles,
                                                            &smx_counts::resident_warp_cycles,
                                                            &smx_counts::held_slot_cycles,
                                                            &smx_counts::in_flight_warp_cycles,
                                                            &smx_counts::active_cycles,
                                                            &smx_counts::watched_cycles,
                                                            &smx_counts::fetches,
                                                            &smx_counts::fetch_misses,
                                                            &smx_counts::writeback_conflicts,
                                                            &smx_counts::second_issues,
                                                            &smx_counts::line_accesses,
                                                            &smx_counts::line_instructions};

    void add(const smx_counts& other);
    /// Takes away what had been counted before.
    void subtract(const smx_counts& earlier);
    /// Cycles in which no launch was open belong to nobody: no warp was there.
    void leave_out(std::uint64_t cycles, unsigned schedulers, unsigned warp_slots);
    [[nodiscard]] std::uint64_t cycles_in(cycle_cause cause) const {
        return issue_slots[static_cast<std::size_t>(cause)];
    }
    /// A warp was ready, but units, the load-store unit or the write-back port were busy.
    [[nodiscard]] std::uint64_t stall_cycles() const;
};

/// Puts tm_statistics under `scope`; nothing where no transaction has run.
void collect_transactions(statistics& into, const std::string& scope, const tm_counts& counts);

/// The CPI stack, in the order of cycle_cause; scopes "gpu" and "smx.N".
inline constexpr statistic_declaration scheduler_statistics[] = {
    {"issue_slots.issued", "cycle", "Cycles x schedulers in which a warp issued"},
    {"issue_slots.integer_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the integer pipelines took nothing"},
    {"issue_slots.multiply_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the multiplier took nothing"},
    {"issue_slots.divide_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the divider took nothing"},
    {"issue_slots.floating_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the floating-point pipelines took "
     "nothing"},
    {"issue_slots.floating_divide_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the floating-point divider took "
     "nothing"},
    {"issue_slots.special_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the special-function unit took "
     "nothing"},
    {"issue_slots.memory_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the input of the load-store unit "
     "was taken"},
    {"issue_slots.memory_stall", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the queue of the load-store unit "
     "was full"},
    {"issue_slots.reservation_fail", "cycle",
     "Cycles x schedulers without issue: a warp was ready, but the queue of the load-store unit "
     "was full and its oldest access waited for a place in a cache"},
    {"issue_slots.constants_busy", "cycle",
     "Cycles x schedulers without issue: a warp was ready to load constants, but no port of the "
     "constant cache was free, or an earlier load of constants was in the queue"},
    {"issue_slots.writeback", "cycle",
     "Cycles x schedulers without issue: a result waited for the write-back port, and held the "
     "pipeline"},
    {"issue_slots.held_back", "cycle",
     "Cycles x schedulers without issue: warps could issue, but the policy held all of them back"},
    {"issue_slots.formation", "cycle",
     "Cycles x schedulers without issue: threads waited in the thread pool until a warp of them "
     "had been formed"},
    {"issue_slots.memory", "cycle",
     "Cycles x schedulers without issue: no warp was ready, and a warp waited for data from "
     "memory"},
    {"issue_slots.fence", "cycle",
     "Cycles x schedulers without issue: no warp was ready, and a warp waited at a fence for its "
     "accesses"},
    {"issue_slots.constants", "cycle",
     "Cycles x schedulers without issue: no warp was ready, and a warp waited for a load of "
     "constants: its hit, its miss, or the turns of lanes that want different words"},
    {"issue_slots.dependency", "cycle",
     "Cycles x schedulers without issue: no warp was ready, and a warp waited for the result of a "
     "unit"},
    {"issue_slots.fetch", "cycle",
     "Cycles x schedulers without issue: no warp was ready, and the instruction buffer of a warp "
     "was empty"},
    {"issue_slots.barrier", "cycle",
     "Cycles x schedulers without issue: all warps waited at barriers"},
    {"issue_slots.no_warp", "cycle", "Cycles x schedulers without issue: no warp was resident"},
};

/// Scope "smx.N".
inline constexpr counted_statistic<smx_counts> smx_statistics[] = {
    {{"occupancy", "", "Mean number of resident warps of an SMX that have not ended / warp slots"},
     "smx_occupancy",
     count_of<&smx_counts::resident_warp_cycles>,
     count_of<&smx_counts::warp_slot_cycles>},
    {{"slot_occupancy", "",
      "Mean number of warp slots of the blocks of an SMX, warps that have ended included / warp "
      "slots"},
     "slot_occupancy",
     count_of<&smx_counts::held_slot_cycles>,
     count_of<&smx_counts::warp_slot_cycles>},
    {{"executing_warps", "warp",
      "Mean number of warps of an SMX with an instruction between issue and write-back, over the "
      "cycles with a resident warp"},
     "executing_warps",
     count_of<&smx_counts::in_flight_warp_cycles>,
     count_of<&smx_counts::watched_cycles>},
    {{"active_cycles", "cycle", "Cycles in which a warp was resident"},
     nullptr,
     count_of<&smx_counts::active_cycles>},
    {{"stall_cycles", "cycle",
      "Cycles x schedulers without issue because units or the load-store unit were busy"},
     "stall_cycles",
     count_of<&smx_counts::stall_cycles>},
    {{"fetches", "fetch", "Instruction fetches that filled an instruction buffer"},
     nullptr,
     count_of<&smx_counts::fetches>},
    {{"fetch_misses", "line", "Lines that the instruction cache requested from memory"},
     nullptr,
     count_of<&smx_counts::fetch_misses>},
    {{"writeback_conflicts", "cycle", "Cycles in which a result waited for a write-back port"},
     nullptr,
     count_of<&smx_counts::writeback_conflicts>},
    {{"second_issues", "instruction",
      "Instructions that a scheduler issued second in a cycle (smx.dual_issue)"},
     "second_issues",
     count_of<&smx_counts::second_issues>},
    {{"lines_per_memory_instruction", "access",
      "Mean number of accesses to lines that a load, store or atomic of global or private memory "
      "took"},
     "lines_per_memory_instruction",
     count_of<&smx_counts::line_accesses>,
     count_of<&smx_counts::line_instructions>},
};

/// Scopes "gpu" and "smx.N".
inline constexpr statistic_declaration issue_size_statistics[] = {
    {"lanes_issued", "lane",
     "Lanes that held a thread, of each turn in which something issued, in bins of 4"},
};

/// Of one of its schedulers, scope "smx.N.warp_scheduler_S".
inline constexpr statistic_declaration scheduler_cycle_statistics[] = {
    {"stall_cycles", "cycle",
     "Cycles without issue because units or the load-store unit were busy"},
    {"wait_cycles", "cycle", "Cycles without issue because no warp was ready"},
};

/// Sets scheduler_statistics, which are declared under `scope`.
void set_scheduler_cycles(statistics& into, const std::string& scope, const smx_counts& counts);
/// Sets issue_size_statistics, which are declared under `scope`.
void set_issue_sizes(statistics& into, const std::string& scope, const smx_counts& counts);
/// Declares execution_statistics, smx_statistics, scheduler_statistics and issue_size_statistics
/// under `scope` and sets them.
void collect_smx(statistics& into, const std::string& scope, const smx_counts& counts,
                 unsigned lanes);

}  // namespace heddle
