// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/lsu/lines/line_losses.h"
#include "hw/smx/lsu/loads/load_path.h"
#include "models/simt/private_layout.h"

namespace heddle {

/// What cache_maintenance works with; all of it outlives it.
struct cache_maintenance_parts {
    unsigned warps;            ///< slots
    std::uint32_t line_bytes;  ///< of L1D
    simt::private_layout layout;
    l1_data_cache& l1d;
    load_path& constants;
    load_path& read_only;
    line_losses& losses;
    lost_localities& lost;
    data_requests& requests;
    reservation_wait& wait;
    const outstanding_accesses& outstanding;
};

/// What the caches of a load-store unit forget and write back, beside what accesses make them.
class cache_maintenance {
public:
    explicit cache_maintenance(const cache_maintenance_parts& parts) : parts_(parts) {}

    /// First block of a launch: forgets global lines, constants and read-only data.
    void begin_launch();
    /// Fence: forgets global lines.
    void invalidate_global();
    /// Whether L1D keeps stores to global memory until they are written back.
    [[nodiscard]] bool writes_back() const noexcept { return parts_.l1d.writes_back(); }
    /// What these owners have written to global memory goes to memory, one line in a cycle, in the
    /// order in which lines became dirty: from now on until an owner has no write outstanding.
    /// Nothing without writes_back(). True: cycle() has something to do.
    bool write_back(const owner_set& owners);
    /// Step (5): writes one line back, if write_back() has asked for it. True: it has.
    bool cycle() { return written_for_.any() && write_line_back(); }
    /// Writes the dirty lines of private regions first ... first + count - 1 back, as far as there
    /// is room, beginning with place `from` of the cache, which counts up; false while lines are
    /// left. No instruction of their warps may be outstanding.
    [[nodiscard]] bool write_private_back(const memory_source& source, std::uint32_t first,
                                          std::uint32_t count, std::size_t& from);
    /// The private memory of regions first ... first + count - 1 is dead: forgets their lines.
    /// No instruction of their warps may be outstanding.
    void discard_private(std::uint32_t first, std::uint32_t count);

    /// From now on the lines that warps lose in L1D are remembered, `entries` a warp in sets of
    /// `ways`.
    void keep_victim_tags(unsigned entries, unsigned ways) {
        parts_.lost.keep(parts_.warps, entries, ways, parts_.line_bytes);
    }
    /// A new warp has the slot.
    void forget_victims(warp_slot warp) { parts_.lost.forget(warp); }

private:
    bool write_line_back();

    owner_set written_for_;  ///< whose global writes go to memory
    const cache_maintenance_parts parts_;
};

}  // namespace heddle
