// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/thread_pool/dwf/pc_table.h"
#include "hw/smx/thread_pool/dwf/warp_pool.h"

namespace heddle {

/// The PC-warp LUT (Fung 2008, 4.2): which warp of the pool takes threads of a block that arrive at
/// a PC, and which of its places are taken. A warp that lost its entry stays in the pool, but no
/// further thread joins it.
class pc_warp_lut {
public:
    struct entry {
        isa::lane_mask occupied = 0;  ///< OCC
        pool_index warp{};            ///< IDX
    };
    using table = pc_table<entry>;
    using place = table::place;
    static constexpr place none = table::none;

    pc_warp_lut(std::uint32_t entries, std::uint32_t ways, full_set full)
        : table_(entries, ways, full) {}

    [[nodiscard]] place find(pc_tag tag) const noexcept { return table_.find(tag); }
    /// Whether a port has used the entry in this clock; the other one waits a clock then.
    [[nodiscard]] bool in_use(place at, std::uint64_t clock) const noexcept {
        return table_.last_use(at) == clock;
    }
    /// As pc_table::room().
    [[nodiscard]] place room(pc_tag tag, std::uint64_t clock) { return table_.room(tag, clock); }
    /// Whether insert() at this place replaces an entry.
    [[nodiscard]] bool replaces(place at) const noexcept { return table_.valid(at); }
    void insert(place at, pc_tag tag, const entry& value, std::uint64_t clock) noexcept {
        table_.insert(at, tag, value, clock);
    }
    [[nodiscard]] const entry& operator[](place at) const noexcept { return table_[at]; }
    void update(place at, const entry& value, std::uint64_t clock) noexcept {
        table_[at] = value;
        table_.use(at, clock);
    }
    /// Warp `warp` issues.
    void issued(pc_tag tag, pool_index warp) noexcept {
        const place at = table_.find(tag);
        if (at != none && table_[at].warp == warp) table_.remove(at);
    }
    /// No thread joins a warp at `pc` any more, of whatever block.
    void close(std::uint32_t pc) noexcept { table_.remove_pc(pc); }
    [[nodiscard]] const table& contents() const noexcept { return table_; }

private:
    table table_;
};

}  // namespace heddle
