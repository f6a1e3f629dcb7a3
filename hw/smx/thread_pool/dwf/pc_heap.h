// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "hw/smx/thread_pool/dwf/heap_lut.h"
#include "hw/smx/thread_pool/dwf/warp_pool.h"

namespace heddle {

/// Warps of one PC: an entry of the Max-Heap, or the Majority Entry. The warps are a list through
/// the pool's `next`, the oldest one first.
struct pc_warps {
    std::uint32_t pc = 0;
    std::uint32_t threads = 0;  ///< CNT
    pool_index head{};          ///< WPH
    pool_index tail{};          ///< WPT
};

/// Max-Heap of the majority scheduler (Fung 2008, 4.4; a binary heap as in Cormen et al., chapter
/// 6): the PCs with waiting warps, the one with the most threads at the root. For `minority` the
/// one with the fewest. Of equal ones the lower PC.
///
/// The memory has two read and two write ports, so that each of up to two entries that changed in a
/// clock moves by one swap in the clocks after it. Until both have come to rest the heap is
/// unbalanced, and nothing else may change.
class pc_heap {
public:
    enum class root : std::uint8_t { most_threads, fewest_threads };
    using position = std::uint32_t;

    struct entry {
        pc_warps warps;
        heap_lut::place lut = heap_lut::none;  ///< LUT#: none if the MHeap LUT has replaced it
    };

    pc_heap(root order, std::uint32_t capacity, heap_lut& lut)
        : order_(order), capacity_(capacity), lut_(lut) {
        entries_.reserve(capacity);
    }

    [[nodiscard]] unsigned size() const noexcept { return static_cast<unsigned>(entries_.size()); }
    [[nodiscard]] unsigned free() const noexcept { return capacity_ - size(); }
    [[nodiscard]] entry& operator[](position at) noexcept { return entries_[at]; }
    [[nodiscard]] const entry& operator[](position at) const noexcept { return entries_[at]; }
    [[nodiscard]] bool balanced() const noexcept { return balanced_; }
    [[nodiscard]] std::uint64_t swaps() const noexcept { return swaps_; }

    /// Adds an entry. At most two entries are added or changed in a clock.
    void add(const entry& added) noexcept {
        entries_.push_back(added);
        place(size() - 1);
        changed(size() - 1);
    }
    /// The number of threads of an entry has changed.
    void changed(position at) noexcept {
        if (balanced_) moving_ = 0;
        const auto end = movers_.begin() + moving_;
        if (std::find(movers_.begin(), end, at) == end) movers_[moving_++] = at;
        balanced_ = at_rest();
    }
    /// Takes an entry out. Precondition: balanced().
    void remove(position at) noexcept {
        moving_ = 0;
        if (at + 1 != size()) {
            entries_[at] = entries_.back();
            place(at);
        }
        entries_.pop_back();
        if (at < size()) changed(at);
    }
    /// A clock of rebalancing: each entry that has changed is swapped once. The second one waits if
    /// its swap needs an entry of the first one's.
    void swap_once() noexcept {
        position swapped[2] = {none, none};
        for (unsigned i = 0; i < moving_; ++i) {
            const position from = movers_[i];
            const position to = target(from);
            const auto busy = [&](position at) { return at == swapped[0] || at == swapped[1]; };
            if (to == from || busy(from) || busy(to) || (to > from && sinks_below(from))) continue;
            swap(from, to);
            swapped[0] = from;
            swapped[1] = to;
        }
        balanced_ = at_rest();
    }

private:
    static constexpr position none = ~position{0};

    /// Whether entry a belongs above entry b.
    [[nodiscard]] bool above(position a, position b) const noexcept {
        const pc_warps& x = entries_[a].warps;
        const pc_warps& y = entries_[b].warps;
        if (x.threads != y.threads) {
            return (x.threads > y.threads) == (order_ == root::most_threads);
        }
        return x.pc < y.pc;
    }
    /// Whether an entry below this one has to sink: it goes first, because it hides from those
    /// above that its children belong higher.
    [[nodiscard]] bool sinks_below(position above) const noexcept {
        for (unsigned i = 0; i < moving_; ++i) {
            position at = movers_[i];
            if (at <= above || best_child(at) == at) continue;
            while (at > above) at = (at - 1) / 2;
            if (at == above) return true;
        }
        return false;
    }
    [[nodiscard]] bool at_rest() const noexcept {
        for (unsigned i = 0; i < moving_; ++i) {
            if (target(movers_[i]) != movers_[i]) return false;
        }
        return true;
    }
    /// The child that belongs above the entry, and above the other child; `at` if none does.
    [[nodiscard]] position best_child(position at) const noexcept {
        position best = at;
        for (position child = 2 * at + 1; child <= 2 * at + 2 && child < size(); ++child) {
            if (above(child, best)) best = child;
        }
        return best;
    }
    /// The neighbour with which the entry has to be swapped; `at` if it may rest.
    [[nodiscard]] position target(position at) const noexcept {
        if (at != 0 && above(at, (at - 1) / 2)) return (at - 1) / 2;
        return best_child(at);
    }
    void swap(position a, position b) noexcept {
        std::swap(entries_[a], entries_[b]);
        place(a);
        place(b);
        for (unsigned i = 0; i < moving_; ++i) {
            if (movers_[i] == a) {
                movers_[i] = b;
            } else if (movers_[i] == b) {
                movers_[i] = a;
            }
        }
        ++swaps_;
    }
    /// Tells the MHeap LUT where an entry is.
    void place(position at) noexcept {
        if (entries_[at].lut != heap_lut::none) lut_[entries_[at].lut] = at;
    }

    const root order_;
    const std::uint32_t capacity_;
    heap_lut& lut_;
    std::vector<entry> entries_;
    std::array<position, 2> movers_{};  ///< where the entries are that have changed
    unsigned moving_ = 0;               ///< movers
    bool balanced_ = true;              ///< all movers are at rest
    std::uint64_t swaps_ = 0;
};

}  // namespace heddle
