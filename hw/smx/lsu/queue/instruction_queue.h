// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/smx/lsu/queue/access_checker.h"
#include "hw/smx/lsu/queue/memory_instruction.h"

namespace heddle {

/// A load or atomic of the flight_table.
using flight_index = strong_index<struct flight_index_tag>;
/// An access of one of these.
using flight_access = strong_index<struct flight_access_tag>;

/// A memory instruction in the queue.
struct queued_instruction : memory_instruction {
    access_checker::windows left;  ///< lanes that have not accessed
    flight_index entry{};          ///< of the flight table: loads, atomics
    std::uint64_t queued = 0;      ///< edge at which it entered
    bool finished = false;         ///< has made its accesses before those in front of it
};

/// Memory instructions in the order in which the pipeline issued them. They are filled in place.
/// A full queue has one more slot: an instruction that does not enter the queue is filled there,
/// and enters it if it must wait after all.
///
/// Where several instructions issue in a turn, the depth counts turns.
class instruction_queue {
public:
    /// `together`: instructions of a turn, at most. `logged`: each may be two, as a store of a
    /// transaction to private memory is; the queue is full where it would be without.
    instruction_queue(std::size_t depth, unsigned together, bool logged = false)
        : slots_((depth + (logged ? 1 : 0)) * together + 1),
          together_(together),
          limit_(static_cast<std::uint32_t>(depth * together + 1)),
          capacity_(static_cast<std::uint32_t>(slots_.size())) {}

    /// There is no room for the instructions of a turn.
    [[nodiscard]] bool full() const noexcept { return count_ + together_ >= limit_; }
    /// Whether the further slot is taken, too.
    [[nodiscard]] bool overfull() const noexcept { return count_ >= limit_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] std::uint32_t size() const noexcept { return count_; }

    /// The slot behind the last instruction; only if not overfull().
    [[nodiscard]] queued_instruction& next_slot() noexcept { return behind_head(count_); }
    /// What is in next_slot() is in the queue from now on.
    void push() noexcept { ++count_; }

    /// The oldest instruction; only if not empty().
    [[nodiscard]] queued_instruction& head() noexcept { return slots_[first_]; }
    [[nodiscard]] const queued_instruction& head() const noexcept { return slots_[first_]; }
    /// Whether there is an oldest one, and it loads constants.
    [[nodiscard]] bool head_has_constants() const noexcept {
        return count_ != 0 && head().left.in_constant != 0;
    }
    /// The n-th behind the oldest; n below size().
    [[nodiscard]] queued_instruction& behind_head(std::uint32_t n) noexcept {
        const std::uint32_t at = first_ + n;
        return slots_[at < capacity_ ? at : at - capacity_];
    }
    /// Drops it; its slot keeps its contents until the next push().
    void pop() noexcept {
        first_ = first_ + 1 == capacity_ ? 0 : first_ + 1;
        --count_;
    }

private:
    std::vector<queued_instruction> slots_;
    const unsigned together_;
    const std::uint32_t limit_;     ///< slots that count
    const std::uint32_t capacity_;  ///< slots
    std::uint32_t first_ = 0;
    std::uint32_t count_ = 0;
};

}  // namespace heddle
