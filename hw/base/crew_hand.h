// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/crew.h"
#include "models/base/apart_allocator.h"

namespace heddle {

/// What a thread has of its own.
struct crew::hand {  // NOLINT: padded, so that threads do not share lines
    struct wake {
        clock_domain* domain;
        std::uint32_t part;
        std::uint64_t edge;
    };

    /// Threads that wait for the end of a step look at `ended` and `done` only: who looks at a line
    /// delays the thread that writes it. The last instant whose step (2) or (3) has ended.
    alignas(bytes_apart) std::atomic<std::uint64_t> ended{0};
    std::atomic<std::uint64_t> done{0};
    std::uint64_t addressed = 0;  ///< in step (2): a bit for each thread that gets letters
    /// Written before each part; for those that wait for their turn.
    alignas(bytes_apart) std::atomic<std::uint64_t> progress{0};

    alignas(bytes_apart) crew* owner = nullptr;
    unsigned number = 0;
    std::uint64_t instant = 0;
    std::uint32_t order = 0;                         ///< of `part`
    const clocked* part = nullptr;                   ///< that is being evaluated
    apart_vector<apart_vector<std::uint64_t>> next;  ///< by domain: awake at the next edge
    apart_vector<wake> wakes;
    apart_vector<apart_vector<letter>> letters;  ///< by the thread that gets them
    struct sender {
        apart_vector<letter>* letters;
        std::size_t taken;
        [[nodiscard]] std::uint32_t order() const { return (*letters)[taken].order; }
        bool take() {
            letter& next = (*letters)[taken++];
            return next.deliver(next);
        }
    };
    apart_vector<sender> senders;  ///< of letters that are not taken
    bool waited_long = false;      ///< in this instant
    bool overflow = false;         ///< an inbox had no room
    late_edges::share late;        ///< of this instant
    std::exception_ptr thrown;
    std::uint32_t thrown_by = 0;  ///< order
    std::uint64_t random = 0;
    std::thread thread;

    template <class Each>
    void for_each_part(const std::vector<clock_domain*>& due, const Each& each) const;
    template <class Each>
    void for_each_late(const clock_domain& late, const Each& each) const;
    /// By the main thread, for all threads before it asks one.
    void fetch_results() const {
        __builtin_prefetch(&number);
        __builtin_prefetch(&late);
        for (const auto& each : next) __builtin_prefetch(each.data());
    }
    void tell_next(clock_domain& domain) const {
        const apart_vector<std::uint64_t>& mine = next[domain.place_];
        for (std::size_t word = 0; word < mine.size(); ++word) domain.next_[word] |= mine[word];
    }
};

template <class Each>
void crew::hand::for_each_part(const std::vector<clock_domain*>& due, const Each& each) const {
    std::uint32_t base = 0;
    for (clock_domain* const domain : due) {
        const apart_vector<std::uint64_t>& mine = owner->lanes_.of(number, domain->place_);
        for (std::size_t word = 0; word < mine.size(); ++word) {
            for (std::uint64_t bits = domain->awake_[word] & mine[word]; bits != 0;
                 bits &= bits - 1) {
                const auto p = static_cast<std::uint32_t>(word * 64) +
                               static_cast<std::uint32_t>(__builtin_ctzll(bits));
                each(*domain, p, base + p);
            }
        }
        base += static_cast<std::uint32_t>(domain->parts_.size());
    }
}

template <class Each>
void crew::hand::for_each_late(const clock_domain& late, const Each& each) const {
    const apart_vector<std::uint64_t>& mine = owner->lanes_.of(number, late.place_);
    for (std::size_t word = 0; word < mine.size(); ++word) {
        for (std::uint64_t bits = mine[word]; bits != 0; bits &= bits - 1) {
            each(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
        }
    }
}

}  // namespace heddle
