// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/request_queue.h"

namespace heddle {
namespace {

/// Of two accesses to one bank, whether their order matters beyond that of one direction, which
/// every policy keeps within a row.
bool conflict(const column_request& a, const column_request& b) {
    return a.write != b.write && a.row == b.row && a.column == b.column;
}

}  // namespace

request_queue::request_queue(std::uint32_t capacity, std::uint32_t banks)
    : entries_(capacity), free_(capacity), banks_(banks) {}

void request_queue::link(index at, entry& e) {
    e.before = youngest_;
    e.after = none;
    (youngest_ == none ? oldest_ : entries_[youngest_].after) = at;
    youngest_ = at;
    list& bank = banks_[e.bank];
    e.bank_before = bank.youngest;
    e.bank_after = none;
    (bank.youngest == none ? bank.oldest : entries_[bank.youngest].bank_after) = at;
    bank.youngest = at;
    ++bank.sizes[e.write];
    used_banks_[e.write] |= std::uint64_t{1} << e.bank;
}

void request_queue::unlink(index at, entry& e) {
    (e.before == none ? oldest_ : entries_[e.before].after) = e.after;
    (e.after == none ? youngest_ : entries_[e.after].before) = e.before;
    list& bank = banks_[e.bank];
    (e.bank_before == none ? bank.oldest : entries_[e.bank_before].bank_after) = e.bank_after;
    (e.bank_after == none ? bank.youngest : entries_[e.bank_after].bank_before) = e.bank_before;
    if (--bank.sizes[e.write] == 0) {
        used_banks_[e.write] &= ~(std::uint64_t{1} << e.bank);
    }
    free_.give_back(at);
}

request_queue::index request_queue::insert(const column_request& request) {
    const index at = free_.take();
    entry& e = entries_[at];
    static_cast<column_request&>(e) = request;
    e.dispatched = false;
    e.blocked = e.followers = 0;
    ++of_atom(e)[e.write];
    if (of_atom(e)[!e.write] != 0) count_conflicts(e);
    link(at, e);
    ++size_;
    ++sizes_[e.write];
    eligible_[e.write] += e.blocked == 0 ? 1 : 0;
    return at;
}

void request_queue::count_conflicts(entry& e) {
    for (index other = banks_[e.bank].oldest; other != none; other = entries_[other].bank_after) {
        if (conflict(entries_[other], e)) {
            ++entries_[other].followers;
            ++e.blocked;
        }
    }
}

void request_queue::remove(index at) {
    entry& e = entries_[at];
    --of_atom(e)[e.write];
    for (index other = e.bank_after; e.followers != 0; other = entries_[other].bank_after) {
        entry& younger = entries_[other];
        if (conflict(e, younger)) {
            --e.followers;
            eligible_[younger.write] += --younger.blocked == 0 ? 1 : 0;
        }
    }
    unlink(at, e);
    --size_;
    --sizes_[e.write];
    --eligible_[e.write];
}

}  // namespace heddle
