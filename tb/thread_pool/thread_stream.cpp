// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/thread_pool/thread_stream.h"

#include <algorithm>

#include "models/base/bits.h"
#include "models/program/kernel.h"

namespace heddle::thread_pool_tb {

using protocol::lane_mask;
using protocol::thread_arrival;
using protocol::thread_turn;
using protocol::turn_outcome;

random_codes::random_codes(random_stream random, unsigned count) {
    for (unsigned at = 0; at < count; ++at) {
        needs.of.push_back(static_cast<issue_need>(random.below(needs_constants + 1)));
        flags.push_back(random.chance(0.3) ? program::reconvergence_point : 0);
    }
}

thread_stream::thread_stream(const sc_core::sc_module_name& name, clock_domain& domain,
                             testbench& bench, const stream_options& options,
                             const environment& around)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      every_turn_socket("every_turn_socket"),
      when_needed_socket("when_needed_socket"),
      bench_(bench),
      options_(options),
      around_(around),
      ledger_(bench, around.pool),
      random_(bench.random(sc_module::name())),
      blocks_(options.warps / options.warps_per_block),
      issued_(std::size_t{options.warps} * around.pool.warp_size) {
    for (unsigned need = 0; need <= needs_constants; ++need) {
        unit_stalls_.push_back(bench.stalls("unit_" + std::to_string(need)));
    }
    every_.program = needed_.program = &around_.program;
}

void thread_stream::evaluate() {
    const std::uint64_t now = domain().edge();
    start_blocks();
    for (std::size_t i = 0; i < flights_.size();) {
        if (flights_[i].due > now) {
            ++i;
            continue;
        }
        land(flights_[i]);
        flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (now == next_turn_) turn();
    if (ended_ == options_.blocks) {
        bench_.check(ledger_.in_pool() == 0 && around_.every_turn.occupancy().groups == 0 &&
                         around_.when_needed.occupancy().groups == 0,
                     "a pool holds threads at the end");
        bench_.finish();
    }
}

void thread_stream::start_blocks() {
    for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
        resident_block& block = blocks_[slot];
        if (block.live != 0 || started_ == options_.blocks) continue;
        ++started_;
        const unsigned lanes = around_.pool.warp_size;
        for (unsigned w = 0; w < options_.warps_per_block; ++w) {
            const unsigned warp = slot * options_.warps_per_block + w;
            // The last warp of some blocks is not full.
            const bool full = w + 1 != options_.warps_per_block || random_.chance(0.5);
            thread_arrival all{};
            all.block = block_slot(slot);
            all.lanes = bits::below(full ? lanes : 1 + static_cast<unsigned>(random_.below(lanes)));
            all.starts = true;
            for (unsigned lane = 0; lane < lanes; ++lane) {
                all.threads[lane] = static_cast<std::uint16_t>(warp * lanes + lane);
                issued_[all.threads[lane]] = 0;
            }
            block.live += bits::count(all.lanes);
            land({0, {all}});
        }
    }
}

void thread_stream::land(const flight& f) {
    for (const thread_arrival& part : f.parts) {
        ledger_.arrives(part);
        arrivals_.push_back(part);
    }
}

/// Each unit refuses instructions now and then.
std::uint32_t thread_stream::accepting() const {
    std::uint32_t all = 0;
    for (unsigned need = 0; need < unit_stalls_.size(); ++need) {
        if (!unit_stalls_[need].stalled(domain().edge())) all |= 1U << need;
    }
    return all;
}

void thread_stream::turn() {
    const std::uint32_t accepted = accepting();
    const bool needed = !arrivals_.empty() || accepted != needed_.accepting ||
                        needed_.issue.outcome == turn_outcome::issued ||
                        domain().edge() >= needed_.next_change;
    call(every_, accepted, true);
    if (needed) {
        call(needed_, accepted, false);
    } else {
        ++left_out_;
    }
    arrivals_.clear();
    compare();
    ledger_.turned(every_, around_.every_turn.occupancy());
    next_turn_ += around_.pool.smx.issue_interval;
    if (every_.issue.outcome != turn_outcome::issued) return;
    bench_.progress();
    next_turn_ += every_.issue.conflict_clocks;
    for (unsigned n = 0; n < every_.issue.count; ++n) fly(every_.issue, every_.issue.parts[n]);
}

void thread_stream::call(thread_turn& turn, std::uint32_t accepted, bool first) {
    turn.cycle = domain().edge();
    turn.accepting = accepted;
    turn.arrivals = arrivals_.data();
    turn.arrival_count = static_cast<std::uint32_t>(arrivals_.size());
    auto phase = protocol::thread_phase::turn;
    auto time = sc_core::SC_ZERO_TIME;
    (first ? every_turn_socket : when_needed_socket)->nb_transport_fw(turn, phase, time);
    turn.program = nullptr;
}

/// Both pools issue the same threads, or nothing for the same reason.
void thread_stream::compare() const {
    bool same = every_.issue.outcome == needed_.issue.outcome &&
                every_.issue.count == needed_.issue.count &&
                every_.issue.conflict_clocks == needed_.issue.conflict_clocks;
    for (unsigned n = 0; same && n < every_.issue.count; ++n) {
        const protocol::thread_part& a = every_.issue.parts[n];
        const protocol::thread_part& b = needed_.issue.parts[n];
        same = a.pc == b.pc && a.lanes == b.lanes && a.block == b.block;
        bits::for_each(a.lanes, [&](unsigned lane) {
            same = same && every_.issue.threads[lane] == needed_.issue.threads[lane];
        });
    }
    bench_.check(same, "turn at cycle " + std::to_string(domain().edge()) +
                           ": a pool that is called only when needed answers otherwise");
}

/// Threads that have issued end, meet at a barrier, or come back.
void thread_stream::fly(const protocol::thread_issue& issue, const protocol::thread_part& part) {
    thread_arrival going{};
    going.block = part.block;
    going.threads = issue.threads;
    resident_block& block = blocks_[part.block.value()];
    bits::for_each(part.lanes, [&](unsigned lane) {
        if (++issued_[issue.threads[lane]] < options_.length) {
            going.lanes |= bits::one(lane);
        } else if (--block.live == 0) {
            ++ended_;
        }
    });
    if (going.lanes != 0 && random_.chance(0.05)) {
        wait_at_barrier(going);
    } else if (going.lanes != 0) {
        branch(going);
    }
    complete_barrier(block);
}

void thread_stream::branch(const thread_arrival& going) {
    const std::uint64_t now = domain().edge();
    // One next PC, the two of a branch, or the many of an indirect jump.
    const double kind = random_.uniform();
    const unsigned targets = kind < 0.6 ? 1 : kind < 0.9 ? 2 : 5;
    flight together{now + 1 + random_.below(40), {}};
    std::vector<thread_arrival> sides(targets, going);
    for (thread_arrival& side : sides) {
        side.pc = random_pc();
        side.lanes = 0;
    }
    bits::for_each(going.lanes,
                   [&](unsigned lane) { sides[random_.below(targets)].lanes |= bits::one(lane); });
    const bool memory = random_.chance(0.3);
    const bool one_by_one = memory && random_.chance(0.5);
    if (memory) together.due += random_.below(options_.memory);
    for (const thread_arrival& side : sides) {
        if (side.lanes == 0) continue;
        if (!one_by_one) {
            together.parts.push_back(side);
            continue;
        }
        const lane_mask late = side.lanes & random_.next();
        for (const lane_mask lanes : {side.lanes & ~late, late}) {
            if (lanes == 0) continue;
            flights_.push_back({now + 1 + random_.below(options_.memory), {side}});
            flights_.back().parts[0].lanes = lanes;
        }
    }
    if (!together.parts.empty()) flights_.push_back(together);
}

void thread_stream::wait_at_barrier(const thread_arrival& going) {
    resident_block& block = blocks_[going.block.value()];
    block.at_barrier += bits::count(going.lanes);
    block.barrier.parts.push_back(going);
    block.barrier.parts.back().pc = random_pc();
}

void thread_stream::complete_barrier(resident_block& block) {
    if (block.at_barrier == 0 || block.at_barrier != block.live) return;
    block.barrier.due = domain().edge() + 1 + random_.below(10);
    flights_.push_back(block.barrier);
    block.barrier = {};
    block.at_barrier = 0;
}

std::string thread_stream::waiting_for() const {
    return std::to_string(started_) + " blocks started, " + std::to_string(ended_) + " ended, " +
           std::to_string(ledger_.in_pool()) + " threads in the pool, " +
           std::to_string(flights_.size()) + " flights";
}

}  // namespace heddle::thread_pool_tb
