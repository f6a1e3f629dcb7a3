// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/smx/divergence/pdom.h"
#include "hw/smx/issue/block_fences.h"
#include "hw/smx/issue/pipeline_transactions.h"
#include "hw/smx/issue/pool_port.h"
#include "hw/smx/issue/thread_flights.h"

namespace heddle {

/// Transactions where threads issue from pools. The threads that issue tx.begin together stay
/// together until all of them have committed, in their lanes: they are one group for the pool, as
/// none joins them there, with a reconvergence stack of its own. Losers wait in it.
///
/// What TM has for a warp, its masks and the items of the detection, lies in a table for each home
/// warp slot; a group takes one of its block's, that of its own home warp if it is free. A group
/// that finds none waits at tx.begin, first come, first served.
///
/// Where each lane has units of its own (mimd) every thread is a group, and has a table.
class thread_transactions final : public pipeline_transactions {
public:
    /// What it works with; all of it outlives the object.
    struct parts {
        tm_unit& unit;
        execution_parts execution;
        thread_flights& flights;
        std::vector<pool_port>& pools;
        const block_fences& fences;
        unsigned warp_slots;
        bool lane_units;
        std::uint32_t stack_entries;
    };
    explicit thread_transactions(const parts& of);

    [[nodiscard]] bool runs_one(unsigned thread) const noexcept {
        return context_of_[thread] != thread_group::no_transaction;
    }
    /// Threads have been picked, of which some run a transaction, or begin one. Calls
    /// f(part, threads, context) for each group that issues by itself; a context of
    /// thread_group::no_transaction is none. Threads that have lost meanwhile issue nothing.
    template <class Function>
    void part(const protocol::thread_part& picked, bool begins, const std::uint16_t* threads,
              Function&& f);
    /// The group, in a context, has issued as this flight.
    void issued(thread_flight_index flight) {
        table& of = tables_[of_.flights[flight].transaction];
        of.at = place::flight;
        of.flight = flight;
    }
    /// The flight waits for its transaction, or for a table.
    void wait(thread_flight_index flight) {
        const std::uint16_t context = of_.flights[flight].transaction;
        if (context != thread_group::no_transaction) tables_[context].at = place::waiting;
    }
    /// What the flight's group has executed sends it on.
    void follow(thread_flight_index flight, const execution_outcome& outcome);
    /// The flight, of a group in its transaction, is over. Those who still run come to the pool.
    void land(thread_flight_index flight);

    /// Calls f(block, PC, text) for each group in a transaction, for the wait-for report.
    template <class Function>
    void for_each_waiting(Function&& f) const {
        of_.unit.engine().inside().for_each([&](unsigned context) {
            const table& at = tables_[context];
            f(at.block, at.group.pc, waiting_text(context));
        });
    }

private:
    /// Where a group is.
    enum class place : std::uint8_t {
        nowhere,  ///< no group, or one without lanes that run
        pool,
        flight,   ///< has issued
        waiting,  ///< has issued, and waits for its transaction
    };
    struct table {
        place at = place::nowhere;
        bool taken = false;
        bool in_place = false;
        std::uint8_t pool = 0;
        std::uint16_t block = 0;
        std::uint16_t home = 0;
        thread_flight_index flight{};  ///< if it has issued
        warp_group group;
    };

    // pipeline_transactions
    [[nodiscard]] carrier carrier_of(unsigned context) const override;
    [[nodiscard]] access_owner owner(unsigned context) const override {
        return access_owner(of_.fences.owner(tables_[context].block));
    }
    [[nodiscard]] warp_group& group(unsigned context) override { return tables_[context].group; }
    [[nodiscard]] bool drained(unsigned context) const override;
    [[nodiscard]] bool may_go(unsigned context) const override {
        return tables_[context].at == place::nowhere || tables_[context].at == place::waiting;
    }
    void go(unsigned context, const warp_group& to, bool over) override;
    void runs(unsigned context) override;
    void waits(unsigned, bool) override {}
    void shrunk(unsigned, bool) override {}
    [[nodiscard]] unsigned context_for(const issued_group& issued) override;
    [[nodiscard]] std::uint64_t result_of(const issued_group& issued) const override {
        return of_.flights[issued.threads.name.as<thread_flight_index>()].result;
    }
    bool advance() override;

    [[nodiscard]] unsigned free_table(const thread_flight& flight) const;
    void take(unsigned context, thread_flight_index flight);
    void arrive(unsigned context, const warp_group& group, bool inside);
    [[nodiscard]] const std::uint16_t* threads_of(unsigned context) const noexcept {
        return &threads_[std::size_t{context} * of_.execution.warp_size];
    }

    const parts of_;
    pdom_formation groups_;  ///< by table
    std::vector<table> tables_;
    std::vector<std::uint16_t> threads_;      ///< by table and lane; empty for mimd
    std::vector<std::uint16_t> context_of_;   ///< by thread
    std::vector<thread_flight_index> queue_;  ///< wait at tx.begin for a table
    bool freed_ = false;                      ///< a table, since they last looked
};

template <class Function>
void thread_transactions::part(const protocol::thread_part& picked, bool begins,
                               const std::uint16_t* threads, Function&& f) {
    const auto issues = [&](protocol::thread_part one, const std::uint16_t* numbers) {
        const std::uint16_t context = context_of_[numbers[bits::first(one.lanes)]];
        if (context != thread_group::no_transaction) {
            table& of = tables_[context];
            of.at = place::nowhere;
            one.lanes &= of.group.lanes;
            if (one.lanes == 0) return;
        }
        f(one, numbers, context);
    };
    if (!of_.lane_units) return issues(picked, threads);
    protocol::thread_part others = picked;
    bits::for_each(picked.lanes, [&](unsigned lane) {
        const unsigned thread = threads[lane];
        if (!begins && !runs_one(thread)) return;
        others.lanes &= ~bits::one(lane);
        // In its home lane, as its masks are.
        const unsigned home = thread % of_.execution.warp_size;
        std::array<std::uint16_t, protocol::maximum_lanes> numbers{};
        numbers[home] = static_cast<std::uint16_t>(thread);
        issues({picked.block, picked.pc, bits::one(home)}, numbers.data());
    });
    if (others.lanes != 0) f(others, threads, thread_group::no_transaction);
}

}  // namespace heddle
