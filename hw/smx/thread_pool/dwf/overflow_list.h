// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/thread_pool/dwf/warp_update_register.h"

namespace heddle {

/// Threads for which pool or heap had no entry: a first-in, first-out list in memory. The threads
/// that were put there together stay together; no others join them. They are out there `latency`
/// clocks after put(), and back `latency` clocks after fetch(), the earliest; they come back in
/// their order.
///
/// The thesis leaves open what happens then; none of its programs gets there.
class overflow_list {
public:
    /// `threads`: the most that can be in the list.
    overflow_list(std::size_t threads, std::uint32_t latency) : latency_(latency), ring_(threads) {}

    [[nodiscard]] unsigned threads() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// Adds the threads in `lanes` of a register.
    void put(const warp_update_register& from, isa::lane_mask lanes, std::uint64_t clock) noexcept {
        bits::for_each(lanes, [&](unsigned lane) {
            ring_[at(size_++)] = {from.tag, from.threads[lane], static_cast<std::uint8_t>(lane),
                                  lane == 63 - static_cast<unsigned>(__builtin_clzll(lanes)),
                                  clock + latency_};
        });
    }
    /// Whether a group is out there that has not been sent for.
    [[nodiscard]] bool can_fetch(std::uint64_t clock) const noexcept { return next_out() <= clock; }
    /// Sends for the first group that has not been sent for. Precondition: can_fetch().
    void fetch(std::uint64_t clock) noexcept {
        bool last = false;
        while (!last) {
            place& each = ring_[at(fetched_++)];
            each.due = clock + latency_;
            last = each.last;
        }
        ++fetched_groups_;
    }
    /// Whether the first group is back.
    [[nodiscard]] bool is_back(std::uint64_t clock) const noexcept { return next_back() <= clock; }
    /// Takes the first group into an empty register. Precondition: is_back().
    void take(warp_update_register& into) noexcept {
        into.tag = ring_[head_].tag;
        bool last = false;
        while (!last) {
            const place& each = ring_[head_];
            into.requested |= bits::one(each.lane);
            into.threads[each.lane] = each.thread;
            last = each.last;
            head_ = at(1);
            --size_;
            --fetched_;
        }
        --fetched_groups_;
    }
    /// The clock in which the first group that was sent for is back; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_back() const noexcept {
        return fetched_groups_ != 0 ? ring_[head_].due : ~std::uint64_t{0};
    }
    /// The clock from which the first other group can be sent for; ~0 if there is none.
    [[nodiscard]] std::uint64_t next_out() const noexcept {
        return fetched_ < size_ ? ring_[at(fetched_)].due : ~std::uint64_t{0};
    }

private:
    struct place {
        pc_tag tag;
        std::uint16_t thread = 0;
        std::uint8_t lane = 0;
        bool last = false;  ///< of its group
        std::uint64_t due = 0;
    };

    [[nodiscard]] std::size_t at(std::size_t offset) const noexcept {
        const std::size_t sum = head_ + offset;
        return sum < ring_.size() ? sum : sum - ring_.size();
    }

    const std::uint32_t latency_;
    std::vector<place> ring_;
    std::size_t head_ = 0;
    unsigned size_ = 0;     ///< threads in the list, from head_ on
    unsigned fetched_ = 0;  ///< threads that have been sent for: the first ones
    unsigned fetched_groups_ = 0;
};

}  // namespace heddle
