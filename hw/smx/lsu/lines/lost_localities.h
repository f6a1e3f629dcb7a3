// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/l1/victim_tags.h"
#include "hw/smx/lsu/queue/memory_client.h"

namespace heddle {

/// Misses on lines that the warp had brought into L1D and lost; nothing until keep() is called.
class lost_localities {
public:
    explicit lost_localities(memory_client& client) : client_(client) {}

    /// From now on remembers `entries` lines a warp, in sets of `ways`.
    void keep(unsigned warps, unsigned entries, unsigned ways, std::uint32_t line_bytes) {
        victims_ = std::make_unique<victim_tags>(warps, entries, ways, line_bytes);
    }
    /// A new warp has the slot.
    void forget(warp_slot warp) {
        if (victims_ != nullptr) victims_->clear(warp);
    }
    /// The warp's load has missed on `line`, which may have pushed out another. What private
    /// stores push out is not remembered.
    void missed(warp_slot warp, std::uint32_t line, const l1_data_cache::lost_line* displaced) {
        if (victims_ == nullptr) return;
        if (displaced != nullptr) victims_->lose(displaced->warp, displaced->address);
        if (!victims_->missed(warp, line)) return;
        ++count_;
        client_.lost_locality(warp);
    }

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    memory_client& client_;
    std::unique_ptr<victim_tags> victims_;  ///< null unless somebody wants to know
    std::uint64_t count_ = 0;
};

}  // namespace heddle
