// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>

#include "hw/protocol/group_index.h"
#include "models/base/dim3.h"
#include "models/base/strong_index.h"
#include "models/device/launch_id.h"

namespace heddle {

/// A Kernel Distributor Entry. Wang et al., ISCA 2015, 2.3 and Fig. 4. What the kernel is, is a
/// copy of its launch; ExeBL and the group registers are copies of what the SMX scheduler knows a
/// cycle before.
struct kernel_entry {
    bool valid = false;
    bool exhausted = false;  ///< its last block has been distributed
    bool held = false;       ///< groups join it: it stays until release(), whatever has finished
    launch_id launch;        ///< its own kernel
    std::uint32_t entry_pc = 0;
    dim3 grid;   ///< blocks
    dim3 block;  ///< threads
    std::uint32_t parameter_address = 0;
    bool cooperative = false;             ///< some of its blocks may never start
    std::uint32_t blocks_left = 0;        ///< not yet distributed
    std::uint32_t blocks_executing = 0;   ///< ExeBL
    group_index next_group = null_group;  ///< NAGEI, as the SMX scheduler has it
    group_index last_group = null_group;  ///< LAGEI, likewise

    /// All blocks have been distributed and have finished, and nothing holds the entry.
    [[nodiscard]] bool finished() const noexcept {
        return valid && exhausted && !held && blocks_executing == 0;
    }
};

/// The Kernel Distributor's table. Each change answers false, and changes nothing, if the entry's
/// state forbids it. O(1), but take(): O(entries / 64).
class kernel_entries {
public:
    explicit kernel_entries(unsigned entries);

    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] unsigned used() const noexcept { return used_; }
    [[nodiscard]] unsigned free() const noexcept { return static_cast<unsigned>(size()) - used_; }
    /// Unchecked.
    [[nodiscard]] const kernel_entry& operator[](kde_index index) const { return entries_[index]; }

    /// Puts a kernel into the free entry with the lowest index; blocks_left is the grid's volume.
    /// Null if there is none.
    std::optional<kde_index> take(const kernel_entry& kernel);
    /// A block was distributed: ExeBL + 1; one of the entry's own kernel: one less is left.
    [[nodiscard]] bool start_block(kde_index index, bool of_group = false);
    /// ExeBL - 1.
    [[nodiscard]] bool finish_block(kde_index index);
    /// The last block has been distributed; none may be left, but of a cooperative kernel.
    [[nodiscard]] bool exhaust(kde_index index);
    /// Groups are to join the entry.
    [[nodiscard]] bool hold(kde_index index);
    /// Nothing is left of a held entry, and no group is to join it.
    [[nodiscard]] bool drop(kde_index index);
    /// The entry's chain of aggregated groups has changed.
    [[nodiscard]] bool set_groups(kde_index index, group_index next, group_index last);
    /// Frees a finished entry.
    [[nodiscard]] bool release(kde_index index);

private:
    [[nodiscard]] bool in_use(kde_index index) const {
        return index.value() < size() && entries_[index].valid;
    }

    strong_vector<kde_index, kernel_entry> entries_;
    std::vector<std::uint64_t> free_;  ///< one bit per entry
    unsigned used_ = 0;
};

}  // namespace heddle
