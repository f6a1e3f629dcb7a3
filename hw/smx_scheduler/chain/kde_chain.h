// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/base/slot_registry.h"
#include "hw/protocol/group_index.h"
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
/// of it.
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

    virtual ~kde_chain() = default;

    /// Nothing is left to distribute.
    [[nodiscard]] virtual bool empty() const = 0;
    /// What to distribute; precondition: not empty.
    [[nodiscard]] virtual source head() const = 0;
    /// Unchecked.
    [[nodiscard]] virtual registers operator[](kde_index entry) const = 0;
    [[nodiscard]] virtual unsigned chains() const = 0;
    /// The group that is distributed `places` after NAGEI, fewer than chains(); null: there is
    /// none. Unchecked.
    [[nodiscard]] virtual group_index ahead(kde_index entry, unsigned places) const = 0;
    /// The mark bits, 64 entries a word; valid up to the next call.
    [[nodiscard]] virtual const std::uint64_t* marks() const = 0;

    /// A kernel has come into an entry: marks it, behind all others that do not have a lower rank,
    /// and behind the head if this `stays`. False, and no change, if the entry has something to
    /// distribute or does not exist.
    [[nodiscard]] virtual bool start(kde_index entry, std::uint32_t rank = 0,
                                     bool stays = true) = 0;
    /// A group joins an entry that is in use, and marks it if it is not marked. Returns the group
    /// whose Next must now name it; null: there is none to link.
    virtual group_index append(kde_index entry, group_index group) = 0;
    /// The last block of head() has been distributed. `next` is what the Next of head().group says;
    /// it is ignored after an entry's own kernel. Precondition: not empty.
    virtual void advance(group_index next = null_group) = 0;

protected:
    kde_chain() = default;
    kde_chain(const kde_chain&) = default;
    kde_chain& operator=(const kde_chain&) = default;
};

/// What a chain is made for.
struct kde_chain_setting {
    unsigned entries;     ///< of the Kernel Distributor
    unsigned chains = 1;  ///< of each entry, at most kde_chain::maximum_chains
};

/// The slot of the SMX scheduler's chain (hw/base/slot.h), key `slot.kde_chain`.
struct kde_chain_traits {
    static constexpr const char* name = "kde_chain";
    using interface = kde_chain;
    using setting = kde_chain_setting;
    [[nodiscard]] static slot_registry<kde_chain_traits> implementations();
    /// Compares what each clock answers, and the registers behind it.
    [[nodiscard]] static std::unique_ptr<kde_chain> shadow(std::unique_ptr<kde_chain> tlm,
                                                           std::unique_ptr<kde_chain> rtl,
                                                           lock_step comparison);
};

}  // namespace heddle
