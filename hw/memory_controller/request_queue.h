// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/base/free_list.h"

namespace heddle {

/// One column access that a channel has to make.
struct column_request {
    std::uint32_t owner = 0;  ///< whose access it is; the queue passes it through
    std::uint32_t bank = 0;
    std::uint32_t column = 0;  ///< number of the atom in its row
    std::uint64_t row = 0;
    std::uint64_t arrival = 0;  ///< clock
    bool write = false;
};

/// The accesses that wait for a channel, reads and writes together: in the order of their arrival,
/// and in that order for each bank.
///
/// A read that follows a write of the same atom waits for it, and the other way round (`blocked`);
/// what does not is eligible. An entry stays until its column access has been issued. No SystemC,
/// no allocation after construction; conflicts walk the entries of one bank.
class request_queue {
public:
    using index = std::uint16_t;
    static constexpr index none = 0xffff;

    struct entry : column_request {
        bool dispatched = false;    ///< given to its bank
        std::uint16_t blocked = 0;  ///< older entries that it waits for
        std::uint16_t followers = 0;
        index before = none, after = none;            ///< by arrival
        index bank_before = none, bank_after = none;  ///< by arrival, of its bank
    };

    request_queue(std::uint32_t capacity, std::uint32_t banks);

    [[nodiscard]] std::uint32_t capacity() const noexcept {
        return static_cast<std::uint32_t>(entries_.size());
    }
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] bool full() const noexcept { return size_ == entries_.size(); }
    [[nodiscard]] const entry& operator[](index at) const { return entries_[at]; }

    /// Call only if not full().
    index insert(const column_request& request);
    void set_dispatched(index at, bool dispatched) { entries_[at].dispatched = dispatched; }
    void remove(index at);

    [[nodiscard]] index oldest() const noexcept { return oldest_; }
    [[nodiscard]] index oldest(std::uint32_t bank) const { return banks_[bank].oldest; }
    /// Entries of a bank in one direction.
    [[nodiscard]] std::uint32_t size(std::uint32_t bank, bool write) const {
        return banks_[bank].sizes[write];
    }
    /// A bit for each bank that has entries.
    [[nodiscard]] std::uint64_t used_banks() const noexcept {
        return used_banks_[false] | used_banks_[true];
    }
    /// The same, of entries of one direction.
    [[nodiscard]] std::uint64_t used_banks(bool write) const noexcept { return used_banks_[write]; }
    /// Entries of one direction, dispatched or not; and of those, the ones that are not blocked.
    [[nodiscard]] std::uint32_t size(bool write) const noexcept { return sizes_[write]; }
    [[nodiscard]] std::uint32_t eligible(bool write) const noexcept { return eligible_[write]; }

private:
    struct list {
        index oldest = none, youngest = none;
        std::array<std::uint16_t, 2> sizes{};  ///< of reads and of writes
    };

    /// Entries of one direction whose atoms have the hash of this one's: if there is none of the
    /// other direction, there is no conflict, and no list to walk.
    [[nodiscard]] std::array<std::uint16_t, 2>& of_atom(const column_request& e) noexcept {
        return atoms_[(e.row * 37 + std::uint64_t{e.column} * 5 + e.bank) % atoms_.size()];
    }
    void count_conflicts(entry& e);
    void link(index at, entry& e);
    void unlink(index at, entry& e);

    std::vector<entry> entries_;
    free_list<index> free_;
    std::vector<list> banks_;
    index oldest_ = none, youngest_ = none;
    std::uint32_t size_ = 0;
    std::array<std::uint64_t, 2> used_banks_{};
    std::array<std::uint32_t, 2> sizes_{}, eligible_{};
    std::array<std::array<std::uint16_t, 2>, 512> atoms_{};
};

}  // namespace heddle
