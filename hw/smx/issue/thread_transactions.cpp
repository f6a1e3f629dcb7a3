// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/thread_transactions.h"

#include <algorithm>
#include <utility>

namespace heddle {

thread_transactions::thread_transactions(const parts& of)
    : pipeline_transactions({of.unit, of.execution, groups_}),
      of_(of),
      groups_({of.unit.engine().contexts(), of.stack_entries}),
      tables_(of.unit.engine().contexts()),
      threads_(of.lane_units ? 0 : tables_.size() * of.execution.warp_size),
      context_of_(std::size_t{of.warp_slots} * of.execution.warp_size,
                  thread_group::no_transaction) {}

thread_transactions::carrier thread_transactions::carrier_of(unsigned context) const {
    const table& at = tables_[context];
    const unsigned lanes = of_.execution.warp_size;
    const unsigned warp = of_.lane_units ? context / lanes : context;
    return {at.block,
            of_.execution.blocks.warp(warp).index * lanes,
            {at.home, at.in_place ? nullptr : threads_of(context)}};
}

bool thread_transactions::drained(unsigned context) const {
    return may_go(context) && of_.unit.engine().undo().private_words().complete(context);
}

/// That of the home warp of its first thread, or the first of its block's that is free.
unsigned thread_transactions::free_table(const thread_flight& flight) const {
    const std::uint16_t first = flight.threads[bits::first(flight.lanes)];
    if (of_.lane_units) return first;
    const unsigned home = first / of_.execution.warp_size;
    if (!tables_[home].taken) return home;
    protocol::warp_mask free = 0;
    bits::for_each(of_.execution.blocks.block(flight.block).warps, [&](unsigned warp) {
        free |= protocol::warp_mask{!tables_[warp].taken} << warp;
    });
    return free == 0 ? no_context : bits::first(free);
}

unsigned thread_transactions::context_for(const issued_group& issued) {
    const auto flight = issued.threads.name.as<thread_flight_index>();
    const unsigned context = free_table(of_.flights[flight]);
    if (context != no_context) {
        take(context, flight);
    } else {
        queue_.push_back(flight);
    }
    return context;
}

/// The flight's threads have the table from now on.
void thread_transactions::take(unsigned context, thread_flight_index flight) {
    thread_flight& f = of_.flights[flight];
    f.transaction = static_cast<std::uint16_t>(context);
    table& of = tables_[context];
    of = {place::waiting, true, f.in_place, f.pool, f.block, f.home, flight, {}};
    if (!of_.lane_units) {
        std::copy_n(f.threads.begin(), of_.execution.warp_size,
                    threads_.begin() + std::ptrdiff_t{context} * of_.execution.warp_size);
    }
    bits::for_each(f.lanes, [&](unsigned lane) { context_of_[f.threads[lane]] = f.transaction; });
    of.group = groups_.start(context, f.pc, f.lanes);
}

/// Tables become free where attempts end.
bool thread_transactions::advance() {
    bool changed = pipeline_transactions::advance();
    if (!std::exchange(freed_, false) || queue_.empty()) return changed;
    std::size_t kept = 0;
    for (const thread_flight_index flight : queue_) {
        const unsigned context = free_table(of_.flights[flight]);
        if (context == no_context) {
            queue_[kept++] = flight;
            continue;
        }
        take(context, flight);
        const thread_flight& f = of_.flights[flight];
        start(context, f.pc, f.lanes, std::max(f.result, edge() + 1) + checkpoint_cycles());
        changed = true;
    }
    queue_.resize(kept);
    return changed;
}

void thread_transactions::follow(thread_flight_index flight, const execution_outcome& outcome) {
    const thread_flight& f = of_.flights[flight];
    table& of = tables_[f.transaction];
    if (outcome.what != execution_outcome::kind::goes_to) {
        return go_on(groups_, f.transaction, of.group, f.pc + 4);
    }
    if (outcome.where.what == simt::transfer::kind::together) {
        return go_on(groups_, f.transaction, of.group, outcome.where.groups[0].pc);
    }
    if (const auto next = groups_.follow(f.transaction, outcome.where)) {
        of.group = *next;
        return;
    }
    const thread_home first = home_of(f.homes(), bits::first(f.lanes), of_.execution.warp_size);
    of_.execution.blocks.fault(first.warp, first.lane, f.pc, full_stack_text(of_.stack_entries));
}

void thread_transactions::land(thread_flight_index flight) {
    const unsigned context = of_.flights[flight].transaction;
    of_.flights.drop(flight);
    tables_[context].at = place::nowhere;
    if (tables_[context].group.lanes != 0) arrive(context, tables_[context].group, true);
}

void thread_transactions::runs(unsigned context) {
    table& of = tables_[context];
    go_on(groups_, context, of.group, of.group.pc + 4);
    land(of.flight);
}

void thread_transactions::go(unsigned context, const warp_group& to, bool over) {
    table& of = tables_[context];
    if (of.at == place::waiting) of_.flights.drop(of.flight);
    of.at = place::nowhere;
    of.group = to;
    if (!over) return arrive(context, to, true);
    of.taken = false;
    freed_ = true;
    arrive(context, to, false);
    bits::for_each(to.lanes, [&](unsigned lane) {
        const thread_home home = home_of(carrier_of(context).homes, lane, of_.execution.warp_size);
        context_of_[home.warp * of_.execution.warp_size + home.lane] = thread_group::no_transaction;
    });
}

/// The group comes to its pool.
void thread_transactions::arrive(unsigned context, const warp_group& group, bool inside) {
    table& of = tables_[context];
    protocol::thread_arrival& threads = of_.pools[of.pool].arrivals.emplace_back();
    threads.block = block_slot(of.block);
    threads.pc = group.pc;
    threads.lanes = group.lanes;
    threads.starts = false;
    threads.transaction = static_cast<std::uint16_t>(inside ? context + 1 : 0);
    const thread_homes homes = carrier_of(context).homes;
    for (unsigned lane = 0; lane < of_.execution.warp_size; ++lane) {
        const thread_home home = home_of(homes, lane, of_.execution.warp_size);
        threads.threads[lane] =
            static_cast<std::uint16_t>(home.warp * of_.execution.warp_size + home.lane);
    }
    if (inside) of.at = place::pool;
}

}  // namespace heddle
