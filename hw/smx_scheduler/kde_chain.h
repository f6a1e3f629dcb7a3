// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/protocol/group_index.h"
#include "hw/smx_scheduler/fcfs_controller.h"
#include "models/base/strong_index.h"

namespace heddle {

/// What is distributed next: the marks of the Kernel Distributor Entries (KDE) in the order of
/// their arrival, and for each entry the chain of what has joined it, its own kernel first, then
/// its aggregated groups. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 4.1-4.2 and Fig.
/// 5, steps 8 to 10. The SMX scheduler owns it; the Kernel Distributor shows the same a cycle
/// later.
///
/// Groups wait in memory where the table has no room, and who has been fetched names who comes
/// next: one group a memory latency. So an entry may have several chains, which its groups join in
/// turn and leave in turn: group n is in chain n mod `chains`, and has Next, NAGEI and LAGEI of
/// that chain. The order stays that of their arrival, and as many groups as there are chains are
/// known ahead. With one chain all is the paper's.
///
/// A class of registers: the const functions are its outputs, and each of the others is one clock
/// of it. O(1), no allocation after construction.
class kde_chain {
public:
    static constexpr unsigned maximum_chains = 16;

    /// Registers of an entry: NAGEI of the chain whose turn it is, LAGEI of the one joined last.
    struct registers {
        bool first_time = false;              ///< its own kernel has blocks to distribute
        group_index next_group = null_group;  ///< NAGEI: group being distributed, or the next one
        group_index last_group = null_group;  ///< LAGEI: group that joined last
    };
    /// As SSCR names it.
    struct source {
        kde_index kde;
        group_index group;  ///< AGEI; null: the entry's own kernel
    };

    /// `chains`: of each entry, at most maximum_chains.
    explicit kde_chain(unsigned entries, unsigned chains = 1)
        : fcfs_(entries), entries_(entries), chains_(chains) {}

    /// Nothing is left to distribute.
    [[nodiscard]] bool empty() const noexcept { return fcfs_.empty(); }
    /// What to distribute; precondition: not empty.
    [[nodiscard]] source head() const;
    /// Unchecked.
    [[nodiscard]] registers operator[](kde_index entry) const;
    [[nodiscard]] unsigned chains() const noexcept { return chains_; }
    /// The group that is distributed `places` after NAGEI, fewer than chains(); null: there is
    /// none. Unchecked.
    [[nodiscard]] group_index ahead(kde_index entry, unsigned places) const {
        const state& s = entries_[entry];
        return s.chains[(s.leaves + places) % chains_].next;
    }
    [[nodiscard]] const std::uint64_t* marks() const noexcept { return fcfs_.marks(); }

    /// A kernel has come into an entry: marks it, behind all others that do not have a lower rank,
    /// and behind the head if this `stays`. False, and no change, if the entry has something to
    /// distribute or does not exist.
    [[nodiscard]] bool start(kde_index entry, std::uint32_t rank = 0, bool stays = true);
    /// A group joins an entry that is in use, and marks it if it is not marked. Returns the group
    /// whose Next must now name it; null: there is none to link.
    group_index append(kde_index entry, group_index group);
    /// The last block of head() has been distributed. `next` is what the Next of head().group says;
    /// it is ignored after an entry's own kernel. Precondition: not empty.
    void advance(group_index next = null_group);

private:
    struct chain {
        group_index next = null_group;  ///< NAGEI
        group_index last = null_group;  ///< LAGEI
    };
    struct state {
        bool first_time = false;
        unsigned joins = 0;   ///< chain that the next group joins
        unsigned leaves = 0;  ///< chain whose turn it is
        std::array<chain, maximum_chains> chains{};
    };

    [[nodiscard]] unsigned after(unsigned chain) const noexcept {
        return chain + 1 == chains_ ? 0 : chain + 1;
    }

    fcfs_controller fcfs_;
    strong_vector<kde_index, state> entries_;
    unsigned chains_;
};

}  // namespace heddle
