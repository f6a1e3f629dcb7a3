// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/thread_pool/thread_ledger.h"

#include <algorithm>

#include "hw/smx/thread_pool/dwf/heap_policy.h"
#include "hw/smx/thread_pool/formations.h"
#include "models/base/bits.h"

namespace heddle::thread_pool_tb {

using protocol::lane_mask;
using protocol::thread_issue;
using protocol::turn_outcome;

thread_ledger::thread_ledger(testbench& bench, const pool_description& pool)
    : bench_(bench),
      pool_(pool),
      threads_(pool.threads),
      free_at_(needs_constants + 1, std::vector<std::uint64_t>(pool.warp_size)) {}

bool thread_ledger::check(bool good, const std::string& what) const {
    if (good) return true;
    return bench_.check(false, "turn at cycle " + std::to_string(cycle_) + ": " + what);
}

void thread_ledger::arrives(const protocol::thread_arrival& arrival) {
    bits::for_each(arrival.lanes, [&](unsigned lane) {
        const std::uint16_t number = arrival.threads[lane];
        threads_[number] = {true, arrival.pc, arrival.block};
        ++in_pool_;
        if (pool_.smx.formation == formations::key<mimd_former>) {
            oldest_first_.push_back({number, arrival.pc});
        }
    });
    if (pool_.smx.formation == formations::key<nrec_former>) arrivals_.push_back(arrival);
}

void thread_ledger::turned(const protocol::thread_turn& turn, const former_occupancy& now) {
    cycle_ = turn.cycle;
    const thread_issue& issue = turn.issue;
    check_outcome(turn);
    if (pool_.smx.formation == formations::key<nrec_former>) check_nrec(turn);
    if (pool_.smx.formation == formations::key<mimd_former>) check_mimd(turn);
    if (issue.outcome == turn_outcome::issued) {
        const bool mimd = pool_.smx.formation == formations::key<mimd_former>;
        check(mimd || issue.count == 1, "a warp has several PCs");
        for (unsigned n = 0; n < issue.count; ++n) check_part(turn, issue.parts[n]);
        check_conflicts(turn);
        offered_lanes_ += pool_.warp_size;
    }
    check_counts(now);
}

void thread_ledger::check_outcome(const protocol::thread_turn& turn) const {
    const turn_outcome outcome = turn.issue.outcome;
    check((outcome == turn_outcome::nothing) == (in_pool_ == 0),
          std::to_string(in_pool_) + " threads are in the pool, but the outcome says otherwise");
    check(outcome != turn_outcome::forming || pool_.smx.formation == formations::key<dwf_former>,
          "only dwf keeps threads that are in no warp");
    if (outcome != turn_outcome::unit_busy) return;
    const std::uint32_t pc = turn.issue.parts[0].pc;
    check(std::any_of(threads_.begin(), threads_.end(),
                      [&](const thread& t) { return t.in_pool && t.pc == pc; }),
          "nobody waits at the PC that is busy");
    // A lane of mimd may be busy although the unit takes instructions.
    check(pool_.smx.formation == formations::key<mimd_former> || !accepts(turn, pc),
          "the unit that is busy takes instructions");
}

bool thread_ledger::accepts(const protocol::thread_turn& turn, std::uint32_t pc) const {
    return bits::test(turn.accepting, pool_.needs.at(pc));
}

void thread_ledger::check_part(const protocol::thread_turn& turn,
                               const protocol::thread_part& part) {
    check(accepts(turn, part.pc), "a group issues whose unit takes nothing");
    bits::for_each(part.lanes, [&](unsigned lane) {
        const unsigned number = turn.issue.threads[lane];
        if (!check(number < threads_.size() && threads_[number].in_pool,
                   "thread " + std::to_string(number) + " issues, but is not in the pool")) {
            return;
        }
        thread& t = threads_[number];
        check(t.pc == part.pc && t.block == part.block,
              "thread " + std::to_string(number) + " issues at another PC or in another block");
        check_lane(number, lane);
        t.in_pool = false;
        --in_pool_;
        ++used_lanes_;
    });
}

unsigned thread_ledger::banks() const {
    const bool whole = pool_.dwf.home_lanes == home_lane_count::warp;
    return whole ? pool_.warp_size : pool_.warp_size / pool_.smx.issue_interval;
}

/// The bank that holds the registers of a thread.
unsigned thread_ledger::bank(unsigned thread) const {
    const unsigned home_warp = thread / pool_.warp_size;
    const unsigned lane = thread % pool_.warp_size;
    if (pool_.dwf.swizzling == lane_swizzling::rotate) return (lane + home_warp) % banks();
    const bool swaps = pool_.dwf.swizzling == lane_swizzling::swap && home_warp % 2 == 1;
    if (!swaps) return lane % banks();
    return (lane % 2 == 0 ? lane + 1 : lane - 1) % banks();
}

void thread_ledger::check_lane(unsigned thread, unsigned lane) const {
    check(lane < pool_.warp_size, "a thread issues beyond the lanes");
    if (pool_.smx.formation != formations::key<dwf_former> || !pool_.dwf.lane_aware) return;
    check(lane % banks() == bank(thread),
          "thread " + std::to_string(thread) + " issues in lane " + std::to_string(lane));
}

void thread_ledger::check_conflicts(const protocol::thread_turn& turn) const {
    unsigned clocks = 0;
    const bool dwf = pool_.smx.formation == formations::key<dwf_former>;
    if (dwf && !pool_.dwf.lane_aware && pool_.dwf.bank_conflicts) {
        std::vector<unsigned> of_bank(banks());
        bits::for_each(turn.issue.parts[0].lanes,
                       [&](unsigned lane) { ++of_bank[bank(turn.issue.threads[lane])]; });
        const unsigned most = *std::max_element(of_bank.begin(), of_bank.end());
        const unsigned served = pool_.warp_size / banks();
        clocks = most > served ? most - served : 0;
    }
    check(turn.issue.conflict_clocks == clocks, "conflicts take " +
                                                    std::to_string(turn.issue.conflict_clocks) +
                                                    " clocks, expected " + std::to_string(clocks));
}

void thread_ledger::check_counts(const former_occupancy& now) {
    most_overflow_ = std::max(most_overflow_, now.overflow);
    const unsigned apart = now.arriving + now.overflow;
    if (!check(apart <= in_pool_, "more threads arrive or overflow than are in the pool")) return;
    const unsigned in_groups = in_pool_ - apart;
    check(now.groups <= in_groups && in_groups <= now.groups * pool_.warp_size,
          std::to_string(in_groups) + " threads cannot be in " + std::to_string(now.groups) +
              " warps");
    if (pool_.smx.formation != formations::key<dwf_former>) {
        check(apart == 0 && now.heap == 0, "only dwf has an overflow list and a heap");
    } else if (pool_.dwf.infinite_resources) {
        check(apart == 0, "threads wait although nothing has limits");
    } else {
        check(now.groups <= pool_.dwf.pool_entries, "the pool holds more than its entries");
        check(now.heap <= pool_.dwf.policies.of<heap_configuration>().heap_entries,
              "the heap holds more than its entries");
    }
}

/// What arrived together issues together, in the order of arrival.
void thread_ledger::check_nrec(const protocol::thread_turn& turn) {
    const auto first =
        std::find_if(arrivals_.begin(), arrivals_.end(),
                     [&](const protocol::thread_arrival& a) { return accepts(turn, a.pc); });
    const bool issues = turn.issue.outcome == turn_outcome::issued;
    if (!check(issues == (first != arrivals_.end()), "nrec issues at a wrong time") || !issues) {
        return;
    }
    const protocol::thread_part& part = turn.issue.parts[0];
    bool same = part.pc == first->pc && part.lanes == first->lanes && part.block == first->block;
    bits::for_each(first->lanes, [&](unsigned lane) {
        same = same && turn.issue.threads[lane] == first->threads[lane];
    });
    check(same, "nrec issues another group than the first one that can");
    arrivals_.erase(first);
}

/// The oldest threads that find a lane with a free unit issue.
void thread_ledger::check_mimd(const protocol::thread_turn& turn) {
    std::vector<bool> taken(pool_.warp_size);
    unsigned count = 0;
    for (auto t = oldest_first_.begin(); t != oldest_first_.end();) {
        const issue_need need = pool_.needs.at(t->pc);
        unsigned lane = 0;
        const auto busy = [&] { return taken[lane] || free_at_[need][lane] > turn.cycle; };
        while (lane < pool_.warp_size && busy()) ++lane;
        if (!accepts(turn, t->pc) || lane == pool_.warp_size) {
            ++t;
            continue;
        }
        taken[lane] = true;
        ++count;
        // The memory unit and the loads of constants have an interval of one.
        free_at_[need][lane] =
            turn.cycle + (need < unit_class_count ? pool_.smx.units[need].initiation_interval : 0);
        bool issues = false;
        for (unsigned n = 0; n < turn.issue.count; ++n) {
            issues = issues || (turn.issue.parts[n].pc == t->pc &&
                                bits::test(turn.issue.parts[n].lanes, lane));
        }
        check(issues && turn.issue.threads[lane] == t->number,
              "thread " + std::to_string(t->number) + " should issue in lane " +
                  std::to_string(lane));
        t = oldest_first_.erase(t);
    }
    lane_mask lanes = 0;
    for (unsigned n = 0; n < turn.issue.count; ++n) lanes |= turn.issue.parts[n].lanes;
    check(bits::count(lanes) == count, "mimd issues threads that find no lane");
}

}  // namespace heddle::thread_pool_tb
