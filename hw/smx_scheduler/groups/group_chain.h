// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hw/smx_scheduler/chain/control_register.h"
#include "hw/smx_scheduler/chain/kde_chain.h"
#include "hw/smx_scheduler/groups/group_table.h"
#include "hw/smx_scheduler/groups/record_memory.h"

namespace heddle {

/// The groups that have joined entries, in the AGT or as records in memory (spilled), and the links
/// between them: who comes next is a register of the AGT, or a word of the record. Wang et al.,
/// "Dynamic Thread Block Launch", ISCA 2015, 4.2, steps 6 to 8.
///
/// AGEI of a spilled group is the address of its record. Its Next is written and read in memory.
/// Records are fetched ahead: of the entry at the head, of as many groups as are known, which is
/// one a chain, one fetch a cycle. A fetched record waits in a buffer, one for each chain, until
/// SSCR takes it. What is linked to a group meanwhile, from the start of the fetch on, changes the
/// copy of its Next, too.
class group_chain {
public:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;

    /// `chain`, `sscr`, `memory` outlive the object.
    group_chain(group_table table, kde_chain& chain, control_register& sscr, record_memory& memory,
                group_hold hold = group_hold::group)
        : table_(std::move(table)),
          hold_(hold),
          chain_(chain),
          sscr_(sscr),
          memory_(memory),
          buffers_(chain.chains()) {}

    /// A group that hardware thread `thread` has launched joins an entry.
    void append(kde_index entry, launch_ptr group, std::uint32_t thread, record_address record);
    /// Takes records that have come, and sends for one more if one is wanted. True: it has.
    bool fetch_ahead();
    /// Loads SSCR with a group. False until its record has come.
    [[nodiscard]] bool load(kde_index entry, group_index group);
    /// A block of the group has been distributed.
    void start_block(group_index group) {
        if (!group.is_spilled()) table_.start_block(group.entry());
    }
    /// The last block of the group has been distributed; returns its Next.
    [[nodiscard]] group_index exhaust(group_index group);
    void end_block(group_index group) {
        if (!group.is_spilled()) table_.end_block(group.entry());
    }
    /// An entry of the distributor is free: of its kernel and of its groups no block is left.
    void kernel_over(kde_index entry);

    [[nodiscard]] const group_table& table() const noexcept { return table_; }
    [[nodiscard]] std::uint64_t joined() const noexcept { return joined_; }
    [[nodiscard]] std::uint64_t spilled() const noexcept { return spilled_count_; }
    /// Records are being fetched.
    [[nodiscard]] bool fetching() const noexcept;

private:
    struct buffer {
        group_index group = null_group;      ///< null: free
        group_index next_copy = null_group;  ///< as fetched, or as linked since
        bool arrived = false;
    };

    [[nodiscard]] buffer* find(group_index group);
    [[nodiscard]] buffer* free_buffer(kde_index head);
    [[nodiscard]] bool is_ahead(kde_index entry, group_index group) const;
    [[nodiscard]] group_index enter(launch_ptr group, std::uint32_t thread, record_address record);

    group_table table_;
    const group_hold hold_;
    /// Under group_hold::kernel, entries of the table by the kernel that their groups have joined.
    std::map<kde_index, std::vector<agt_entry>> held_;
    kde_chain& chain_;
    control_register& sscr_;
    record_memory& memory_;
    /// Which launch a record is, for the model's own account.
    std::unordered_map<record_address, launch_ptr> spilled_;
    std::vector<buffer> buffers_;
    std::uint64_t joined_ = 0;
    std::uint64_t spilled_count_ = 0;
};

}  // namespace heddle
