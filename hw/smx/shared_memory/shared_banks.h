// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "hw/protocol/shared_access.h"
#include "models/base/flat_memory.h"

namespace heddle {

/// Cycles that the banks need for one access of a warp: the most that any bank has to do. Words are
/// 4 bytes, word w lies in bank w mod `banks`. A bank serves one word a cycle to any number of
/// lanes; of an atomic, one lane a cycle. 1 if no lane conflicts. At most one per lane.
[[nodiscard]] unsigned bank_cycles(const protocol::shared_access& access, unsigned banks) noexcept;

struct shared_banks_counters {
    std::uint64_t accesses = 0;
    std::uint64_t conflicts = 0;        ///< accesses that took more than one cycle
    std::uint64_t conflict_cycles = 0;  ///< cycles beyond the first
    std::uint64_t atomics = 0;          ///< accesses that were atomic
    std::uint64_t changes = 0;          ///< accesses that changed a value, for the watchdog
};

/// The shared memory of an SMX: bytes, banks, atomics, one lr/sc reservation per thread. No
/// SystemC.
///
/// The lanes of an access take effect in ascending order: of several stores to one address the
/// highest lane's stays, and atomics see those of lower lanes.
/// Costs nothing but the lanes' copies; conflicts need up to lanes^2 / 2 comparisons.
class shared_banks {
public:
    shared_banks(unsigned banks, std::uint32_t bytes,
                 unsigned threads = protocol::maximum_warps * protocol::maximum_lanes);

    /// Performs the access, sets its response, and returns its bank_cycles(). An access beyond the
    /// memory does nothing but answer address_error.
    unsigned perform(protocol::shared_access& access);
    /// A block starts: zeroes its memory.
    void clear(std::uint32_t first, std::uint32_t bytes) noexcept;
    [[nodiscard]] const std::uint8_t* bytes(std::uint32_t first) const noexcept {
        return bytes_ + first;
    }
    /// A block comes back, with its memory.
    void restore(std::uint32_t first, const void* from, std::uint32_t bytes) noexcept;

    /// A word, or a part of it, of a transactional access. Precondition: it lies in the memory.
    [[nodiscard]] std::uint32_t read(std::uint32_t address, unsigned bytes) const noexcept {
        std::uint32_t value = 0;
        copy(&value, &bytes_[address], bytes);
        return value;
    }
    /// A write of a transaction counts as no change: it may be undone.
    void write(std::uint32_t address, std::uint32_t value, unsigned bytes) noexcept {
        copy(&bytes_[address], &value, bytes);
        if (reserved_ != 0) drop_reservations(address);
    }
    /// A transactional access of a warp that took so many turns of the banks.
    void count_access(unsigned turns) noexcept;

    [[nodiscard]] const shared_banks_counters& counters() const noexcept { return counters_; }
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }

private:
    static constexpr std::uint32_t no_reservation = 1;  ///< no word's address

    /// 1, 2 or 4 bytes. A copy whose length is known costs no call.
    static void copy(void* to, const void* from, unsigned bytes) noexcept {
        if (bytes == 4) {
            std::memcpy(to, from, 4);
        } else if (bytes == 2) {
            std::memcpy(to, from, 2);
        } else {
            std::memcpy(to, from, 1);
        }
    }

    void load(protocol::shared_access& access) const noexcept;
    void store(const protocol::shared_access& access) noexcept;
    void atomic(protocol::shared_access& access) noexcept;
    void reserve(std::uint32_t& reservation, std::uint32_t address) noexcept;
    /// The word at `address` was written.
    void drop_reservations(std::uint32_t address) noexcept;

    unsigned banks_;
    flat_memory memory_;  ///< pages of slots that no block has had cost nothing
    std::uint8_t* const bytes_;
    const std::uint32_t size_;
    std::vector<std::uint32_t> reservations_;  ///< by thread
    unsigned reserved_ = 0;
    shared_banks_counters counters_;
};

}  // namespace heddle
