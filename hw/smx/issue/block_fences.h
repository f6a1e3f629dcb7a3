// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/issue/thread_flights.h"
#include "hw/smx/lsu/load_store_unit.h"

namespace heddle {

/// Fences of groups of threads. A fence waits for the accesses that its block issued before it, of
/// whichever threads, and not for later ones: threads that go on, in a loop for a lock say, can't
/// keep a fence waiting.
///
/// So a block has two owners of accesses in turn. A fence lets the block's further accesses have
/// the other owner, as soon as that one has nothing under way, and waits for both.
class block_fences {
public:
    /// At most 64 blocks.
    explicit block_fences(unsigned blocks) : phase_(blocks) {}

    /// Owners of accesses that `blocks` blocks need.
    [[nodiscard]] static unsigned owners(unsigned blocks) noexcept { return 2 * blocks; }
    /// Those of one block.
    [[nodiscard]] static owner_set owners_of(unsigned block) noexcept {
        owner_set both{owner_of(block, 0)};
        both.add(owner_of(block, 1));
        return both;
    }
    [[nodiscard]] static unsigned block_of(unsigned owner) noexcept { return owner / 2; }

    /// Owner of the accesses that the block issues now.
    [[nodiscard]] std::uint16_t owner(unsigned block) const noexcept {
        return static_cast<std::uint16_t>(2 * block + phase_[block]);
    }
    /// A group of the block waits at a fence.
    void wait(unsigned block, thread_flight_index flight) {
        waiting_.push_back({block, flight, false, false});
        blocks_ |= bits::one(block);
    }

    /// Calls passed(flight) for each group that waits no longer, in the order of their coming.
    template <class Passed>
    void finish(load_store_unit& lsu, Passed&& passed) {
        if (blocks_ == 0) return;
        bits::for_each(blocks_, [&](unsigned block) { look(block, lsu); });
        std::size_t kept = 0;
        blocks_ = 0;
        for (const entry& e : waiting_) {
            if (e.over) {
                passed(e.flight);
                continue;
            }
            blocks_ |= bits::one(e.block);
            waiting_[kept++] = e;
        }
        waiting_.resize(kept);
    }
    /// Whether all stores and atomics of the block have been performed.
    [[nodiscard]] static bool written(const load_store_unit& lsu, unsigned block) {
        return lsu.outstanding_writes(owner_of(block, 0)) == 0 &&
               lsu.outstanding_writes(owner_of(block, 1)) == 0;
    }
    /// Whether the block has no access under way.
    [[nodiscard]] static bool drained(const load_store_unit& lsu, unsigned block) {
        return lsu.is_idle(owner_of(block, 0)) && lsu.is_idle(owner_of(block, 1));
    }

private:
    struct entry {
        unsigned block;
        thread_flight_index flight;
        bool turned;  ///< the accesses before it have the old owner, later ones the other
        bool over;
    };

    /// The first or the second owner of a block.
    [[nodiscard]] static access_owner owner_of(std::size_t block, unsigned which) noexcept {
        return access_owner(2 * block + which);
    }
    /// Whether the owner has nothing under way; what it has written goes to memory.
    [[nodiscard]] static bool drain(load_store_unit& lsu, unsigned owner) {
        if (lsu.is_idle(access_owner(owner))) return true;
        (void)lsu.maintenance().write_back(owner_set(access_owner(owner)));
        return false;
    }
    /// When the old owner has nothing under way, the fences that waited for it are over, and the
    /// others can let the owners change places.
    void look(unsigned block, load_store_unit& lsu) {
        if (!drain(lsu, old_owner(block))) return;
        bool further = false;
        for (entry& e : waiting_) {
            if (e.block != block) continue;
            e.over = e.turned;
            further |= !e.turned;
        }
        if (!further) return;
        phase_[block] ^= 1U;
        const bool at_once = drain(lsu, old_owner(block));
        for (entry& e : waiting_) {
            if (e.block != block || e.turned) continue;
            e.turned = true;
            e.over = at_once;
        }
    }
    [[nodiscard]] unsigned old_owner(unsigned block) const noexcept {
        return 2 * block + (phase_[block] ^ 1U);
    }

    std::vector<std::uint8_t> phase_;  ///< by block
    std::vector<entry> waiting_;
    std::uint64_t blocks_ = 0;  ///< that have groups which wait
};

}  // namespace heddle
