// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Transactions of the lock-step simulation. The shared memory of a block whose kernel has them is
// accessed when the machine accesses it, not when the instruction issues: what a lane that loses
// in between has issued does not happen.
#include "models/iss/lockstep_transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/base/bits.h"
#include "models/program/address_map.h"

namespace heddle::iss {

using isa::instruction;
using isa::opcode;

namespace {

/// Number in its block of the thread in a lane.
template <unsigned Lanes>
std::uint32_t item_of(const followed_warp<Lanes>& w, unsigned lane) {
    return w.state.index * Lanes + lane;
}

}  // namespace

/// tx.begin and tx.commit issue.
template <unsigned Lanes>
void lockstep_transactions<Lanes>::execute_transaction(const lockstep_step& s, warp_type& w,
                                                       const instruction& i) {
    ++w.state.instructions;
    const bool begins = i.op == opcode::tx_begin;
    if (begins == ((w.transaction.running() & s.lanes) != 0)) {
        return differ(s, w, bits::first(s.lanes),
                      begins ? "begins a transaction inside a transaction"
                             : "commits outside of a transaction");
    }
    if (parts_.threads_apart) {
        if (begins) {
            w.transaction.start_beside(s.lanes);
            bits::for_each(s.lanes, [&](unsigned lane) { w.begun_at[lane] = s.pc; });
            w.state.stack.advance(s.pc + 4);
            w.paths.end(w.state.stack);
        }
    } else if (begins) {
        if (!w.transaction.active(s.lanes)) {
            w.transaction.start(s.lanes);
            w.state.stack.mark(s.pc);
        }
        w.state.stack.advance(s.pc + 4);
    } else if (!w.state.stack.at_mark()) {
        differ(s, w, bits::first(s.lanes), "commits at another depth than it has begun");
    }
    w.transaction_pc = s.pc;
}

template <unsigned Lanes>
void lockstep_transactions<Lanes>::transaction(std::uint64_t time, std::uint32_t sm, unsigned slot,
                                               transaction_event what, lane_mask lanes,
                                               const register_rows& rows) {
    if (stopped_ || lanes == 0) return;
    warp_type& w = warp_at(sm, slot);
    const lockstep_step s{time, sm, slot, w.state.instructions, w.transaction_pc, lanes};
    const bool apart = parts_.threads_apart;
    const lane_mask behind_begin = apart ? w.transaction.beginning() : w.state.stack.top().lanes;
    const lane_mask expected = what == transaction_event::began       ? behind_begin
                               : what == transaction_event::restarted ? w.transaction.lost()
                                                                      : w.transaction.running();
    if (!w.transaction.active(lanes) || (lanes & ~expected) != 0) {
        static constexpr const char* names[] = {"begins", "loses", "restarts", "commits"};
        return differ(s, w, bits::first(lanes & ~expected),
                      fmt::format("{} with lanes 0x{:x}; possible: 0x{:x}",
                                  names[static_cast<unsigned>(what)], lanes, expected));
    }
    switch (what) {
        case transaction_event::began:
            return w.transaction.begin(lanes, w.state, w.undefined);
        case transaction_event::lost:
            return lose(w, lanes);
        case transaction_event::restarted:
            if (under_way(w, lanes)) {
                return differ(s, w, bits::first(lanes), "restarts before its accesses are made");
            }
            w.transaction.restart(lanes, w.state, w.undefined, w.written);
            if (apart) {
                bits::for_each(lanes,
                               [&](unsigned lane) { w.paths.go_to(lane, w.begun_at[lane]); });
            } else {
                w.state.stack.rewind(lanes);
            }
            for (unsigned index = 1; index < isa::register_count && !stopped_; ++index) {
                check_row(s, w, index, rows(index));
            }
            return;
        case transaction_event::committed:
            if (storing(w, lanes)) {
                return differ(s, w, bits::first(lanes), "commits before its stores are made");
            }
            bits::for_each(lanes,
                           [&](unsigned lane) { w.in->transactions.forget(item_of(w, lane)); });
            if (apart) {
                w.transaction.commit_beside(lanes);
                bits::for_each(
                    lanes, [&](unsigned lane) { w.paths.go_to(lane, w.paths.next_pc(lane) + 4); });
            } else if (w.transaction.commit(lanes)) {
                w.state.stack.release(w.transaction_pc + 4);
            }
    }
}

/// A store of these lanes to shared memory has not been made.
template <unsigned Lanes>
bool lockstep_transactions<Lanes>::storing(const warp_type& w, lane_mask lanes) const {
    return std::any_of(w.stores.begin(), w.stores.end(), [&](const auto& store) {
        return !parts_.threads_apart || (store.lanes & lanes) != 0;
    });
}

/// So, or a load of these lanes is under way. A warp that has lost has none at all.
template <unsigned Lanes>
bool lockstep_transactions<Lanes>::under_way(const warp_type& w, lane_mask lanes) const {
    return storing(w, lanes) || std::any_of(w.flights.begin(), w.flights.end(), [&](const auto& f) {
               return !parts_.threads_apart || (f->lanes & ~f->returned & lanes) != 0;
           });
}

template <unsigned Lanes>
void lockstep_transactions<Lanes>::lose(warp_type& w, lane_mask lanes) {
    w.transaction.lose(lanes, w.in->state.shared.data());
    bits::for_each(lanes, [&](unsigned lane) { w.in->transactions.forget(item_of(w, lane)); });
    if (!parts_.threads_apart) w.state.stack.leave(lanes);
    for (const auto& f : w.flights) f->excused |= lanes & ~f->delivered;
    for (auto& store : w.stores) store.lanes &= ~lanes;
}

/// The machine has made an access of a lane to shared memory; false after a difference.
template <unsigned Lanes>
bool lockstep_transactions<Lanes>::meet(const lockstep_step& s, const warp_type& w, unsigned lane,
                                        std::uint32_t offset, bool write) {
    transaction_words& words = w.in->transactions;
    if ((w.transaction.running() >> lane & 1) == 0) {
        if (words.owned(offset) && counts_.plain_conflicts++ == 0) {
            counts_.first_plain_conflict =
                text(s, w, lane,
                     fmt::format("outside of transactions, and shared byte {} is a transaction's",
                                 offset));
        }
        return true;
    }
    const auto other =
        write ? words.write(offset, item_of(w, lane)) : words.read(offset, item_of(w, lane));
    if (!other) return true;
    differ(s, w, lane,
           fmt::format("{} shared byte {} inside a transaction, and thread {}'s transaction has "
                       "accessed it; expected: it loses",
                       write ? "writes" : "reads", offset, *other));
    return false;
}

template <unsigned Lanes>
void lockstep_transactions<Lanes>::make_load(const lockstep_step& s, warp_type& w,
                                             const flight_type& f, lane_mask lanes) {
    const instruction& i = *f.instruction;
    bits::for_each(lanes, [&](unsigned lane) {
        const std::uint32_t offset = f.address[lane] - program::shared_window.base;
        if (stopped_ || !meet(s, w, lane, offset, false)) return;
        std::uint32_t value = 0;
        std::memcpy(&value, &w.in->state.shared[offset], i.access_bytes());
        w.state.registers.x[i.rd][lane] = isa::extend_loaded(i, value);
    });
}

template <unsigned Lanes>
void lockstep_transactions<Lanes>::make_store(std::uint64_t time, std::uint32_t sm, unsigned slot,
                                              std::uint64_t number) {
    warp_type& w = warp_at(sm, slot);
    const auto found = std::find_if(w.stores.begin(), w.stores.end(),
                                    [&](const auto& store) { return store.number == number; });
    if (found == w.stores.end()) return;
    const lockstep_step s{time, sm, slot, number, found->pc, found->lanes};
    bits::for_each(found->lanes, [&](unsigned lane) {
        const std::uint32_t offset = found->offset[lane];
        if (stopped_ || !meet(s, w, lane, offset, true)) return;
        std::byte* const word = &w.in->state.shared[offset & ~3u];
        if ((w.transaction.running() >> lane & 1) != 0) {
            std::uint32_t old = 0;
            std::memcpy(&old, word, 4);
            w.transaction.keep_shared(lane, offset / 4, old);
        }
        std::memcpy(word + offset % 4, &found->data[lane], found->bytes);
    });
    w.stores.erase(found);
}

/// The store to shared memory will be made when the machine makes it.
template <unsigned Lanes>
void lockstep_transactions<Lanes>::put_off(const lockstep_step& s, warp_type& w,
                                           const instruction& i, const std::uint32_t* address,
                                           lane_mask lanes) {
    shared_store<Lanes>& store = w.stores.emplace_back();
    store.number = s.number;
    store.pc = s.pc;
    store.bytes = i.access_bytes();
    store.lanes = lanes;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
        store.offset[lane] = address[lane] - program::shared_window.base;
        store.data[lane] = w.state.registers.x[i.rs2][lane];
    }
}

#define HEDDLE_INSTANTIATE(lanes) template class lockstep_transactions<lanes>;
HEDDLE_FOR_EACH_WARP_SIZE(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

}  // namespace heddle::iss
