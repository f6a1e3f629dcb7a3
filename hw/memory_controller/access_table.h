// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "models/base/free_list.h"

namespace heddle {

/// The transactions of a memory controller that are under way, and the order in which the memory
/// has to perform them: in the order of acceptance where two share bytes and one of them writes.
/// Costs no allocation after construction.
class access_table {
public:
    using payload = tlm::tlm_generic_payload;
    using index = std::uint32_t;
    static constexpr index none = ~index{0};

    /// One transaction, from its first column access to its response.
    struct access {
        payload* request = nullptr;
        std::uint64_t next = 0;  ///< address of the next atom to queue
        std::uint64_t end = 0;
        std::uint32_t bursts = 0;      ///< queued or on the bus
        std::uint64_t dispatched = 0;  ///< edge at which a bank took the last one issued
    };

    explicit access_table(std::size_t capacity);

    [[nodiscard]] std::size_t capacity() const noexcept { return entries_.size(); }
    [[nodiscard]] bool full() const noexcept { return free_.empty(); }
    /// A transaction that begins; there must be room. It has no place in the order yet.
    index begin(payload& request);
    /// It is to be performed after all that are in order already.
    void put_in_order(index at);
    [[nodiscard]] access& operator[](index at) noexcept { return entries_[at].what; }
    [[nodiscard]] const access& operator[](index at) const noexcept { return entries_[at].what; }
    /// The transaction of a payload, or none.
    [[nodiscard]] index find(const payload& request) const noexcept;

    /// Its data have passed the bus. True if it may be performed now; else it waits for older ones
    /// until performed() names it.
    [[nodiscard]] bool may_perform(index at);
    /// The memory has it: it leaves the order. Calls f(index) for each that waits no longer.
    template <class Function>
    void performed(index at, Function&& f) {
        unlink(at);
        if (waiting_ == 0) return;
        for (index each = oldest_; each != none; each = entries_[each].after) {
            if (!entries_[each].waits || has_to_wait(each)) continue;
            entries_[each].waits = false;
            --waiting_;
            f(each);
        }
    }
    /// It has its response; returns the payload.
    payload& end(index at);

    /// Puts the bytes of writes that are in order, oldest first, over those of `read`.
    void overlay(payload& read) const;

private:
    struct entry {
        access what;
        index before = none, after = none;  ///< in the order
        bool waits = false;                 ///< its data have passed the bus, older ones' have not
    };

    /// Whether an older one has to be performed before.
    [[nodiscard]] bool has_to_wait(index at) const;
    void unlink(index at);

    std::vector<entry> entries_;
    free_list<index> free_;
    index oldest_ = none, youngest_ = none;
    std::uint32_t waiting_ = 0;  ///< entries with `waits`
};

}  // namespace heddle
