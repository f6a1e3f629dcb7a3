// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "hw/smx/thread_pool/dwf/pc_table.h"
#include "models/base/bits.h"
#include "models/base/free_list.h"
#include "models/base/strong_index.h"
#include "models/isa/instruction.h"

namespace heddle {

using pool_index = strong_index<struct pool_index_tag>;  ///< a warp of the warp pool
/// Stands for no warp.
inline const pool_index no_pool_index{0xffffffff};

/// The warp pool (Fung 2008, 4.2.1) and its warp allocator: the warps that wait for issue, each
/// with its PC, a thread for each place that is taken, and links for the scheduling logic. In
/// hardware there is a bank of thread numbers for each lane, so that the up to four warps that a
/// diverged warp's threads come to are written at the same time.
class warp_pool {
public:
    struct warp {
        pc_tag tag;
        isa::lane_mask lanes = 0;     ///< places that are taken
        std::uint64_t opened = 0;     ///< clock
        pool_index next{};            ///< the next warp of its PC's list; of the scheduling logic
        pool_index older{}, newer{};  ///< neighbours by time of opening
    };

    warp_pool(std::uint32_t entries, unsigned warp_size)
        : warp_size_(warp_size),
          warps_(entries),
          threads_(std::size_t{entries} * warp_size),
          free_(entries),
          free_count_(entries) {}

    [[nodiscard]] unsigned entries() const noexcept { return static_cast<unsigned>(warps_.size()); }
    [[nodiscard]] unsigned warp_size() const noexcept { return warp_size_; }
    [[nodiscard]] unsigned free() const noexcept { return free_count_; }
    [[nodiscard]] unsigned used() const noexcept { return entries() - free_count_; }
    /// The warp that was opened first; no_pool_index if the pool is empty.
    [[nodiscard]] pool_index oldest() const noexcept { return oldest_; }
    [[nodiscard]] warp& operator[](pool_index w) noexcept { return warps_[w.value()]; }
    [[nodiscard]] const warp& operator[](pool_index w) const noexcept { return warps_[w.value()]; }
    /// By place; `warp_size` numbers.
    [[nodiscard]] const std::uint16_t* threads(pool_index w) const noexcept {
        return &threads_[std::size_t{w.value()} * warp_size_];
    }

    /// The warp with the lowest key(warp), a number below 2^32; of equal ones that with more
    /// threads, then the older one. no_pool_index if the pool is empty.
    template <class Key>
    [[nodiscard]] pool_index first_by(Key&& key) const noexcept {
        pool_index first = no_pool_index;
        std::uint64_t lowest = ~std::uint64_t{0};
        for (pool_index w = oldest_; w != no_pool_index; w = (*this)[w].newer) {
            const std::uint64_t missing = 64 - bits::count((*this)[w].lanes);
            const std::uint64_t rank = std::uint64_t{key(w)} << 8 | missing;
            if (rank < lowest) {
                lowest = rank;
                first = w;
            }
        }
        return first;
    }

    /// Opens a warp without threads. Precondition: free() != 0.
    pool_index open(pc_tag tag, std::uint64_t clock) noexcept {
        const pool_index w = free_.take();
        --free_count_;
        warps_[w.value()] = {tag, 0, clock, no_pool_index, newest_, no_pool_index};
        (newest_ == no_pool_index ? oldest_ : (*this)[newest_].newer) = w;
        newest_ = w;
        return w;
    }
    /// Puts threads[l] for the set lanes l into the lowest free ones of the places that
    /// places(thread) gives; returns the lanes of those that find none.
    template <class Places>
    isa::lane_mask add(pool_index w, isa::lane_mask lanes, const std::uint16_t* threads,
                       const Places& places) noexcept {
        std::uint16_t* const to = &threads_[std::size_t{w.value()} * warp_size_];
        isa::lane_mask taken = (*this)[w].lanes;
        isa::lane_mask left = 0;
        for (; lanes != 0; lanes &= lanes - 1) {
            const std::uint16_t thread = threads[bits::first(lanes)];
            const isa::lane_mask free = places(thread) & ~taken;
            if (free == 0) {
                left |= lanes & -lanes;
                continue;
            }
            taken |= free & -free;
            to[bits::first(free)] = thread;
        }
        (*this)[w].lanes = taken;
        return left;
    }
    /// Puts threads[l] into place l for the set lanes.
    void add(pool_index w, isa::lane_mask lanes, const std::uint16_t* threads) noexcept {
        std::uint16_t* to = &threads_[std::size_t{w.value()} * warp_size_];
        if ((*this)[w].lanes == 0) {
            std::memcpy(to, threads, warp_size_ * sizeof *to);
        } else {
            bits::for_each(lanes, [&](unsigned lane) { to[lane] = threads[lane]; });
        }
        (*this)[w].lanes |= lanes;
    }
    /// The warp leaves; its place is free.
    void close(pool_index w) noexcept {
        warp& gone = (*this)[w];
        gone.lanes = 0;
        (gone.older == no_pool_index ? oldest_ : (*this)[gone.older].newer) = gone.newer;
        (gone.newer == no_pool_index ? newest_ : (*this)[gone.newer].older) = gone.older;
        free_.give_back(w);
        ++free_count_;
    }

private:
    const unsigned warp_size_;
    std::vector<warp> warps_;
    std::vector<std::uint16_t> threads_;  ///< of all warps, `warp_size_` each
    free_list<pool_index> free_;          ///< the warp allocator
    unsigned free_count_;
    pool_index oldest_ = no_pool_index;
    pool_index newest_ = no_pool_index;
};

}  // namespace heddle
