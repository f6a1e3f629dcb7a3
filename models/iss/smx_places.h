// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/machine_configuration.h"
#include "models/device/launch_limits.h"

namespace heddle::iss {

/// Which SMX has room for a block. SMXs take blocks in turn.
class smx_places {
public:
    explicit smx_places(const machine_configuration& machine) : machine_(machine) {}

    /// All are empty.
    void reset() { smxs_.assign(machine_.smx_count, smx_capacity(machine_.smx)); }
    /// None if no SMX has room.
    [[nodiscard]] std::optional<std::uint32_t> find(const block_resources& need) {
        for (std::uint32_t tried = 0; tried < smxs_.size(); ++tried) {
            const std::uint32_t sm = next_;
            next_ = (next_ + 1) % static_cast<std::uint32_t>(smxs_.size());
            if (smxs_[sm].fits(need)) return sm;
        }
        return std::nullopt;
    }
    void take(std::uint32_t sm, const block_resources& need) { smxs_[sm].take(need); }
    void give_back(std::uint32_t sm, const block_resources& need) { smxs_[sm].give_back(need); }
    /// Blocks of this kind that find room.
    [[nodiscard]] std::uint32_t count(const block_resources& need) const {
        std::uint32_t places = 0;
        for (const smx_capacity& sm : smxs_) places += sm.count(need);
        return places;
    }

private:
    const machine_configuration& machine_;
    std::vector<smx_capacity> smxs_;
    std::uint32_t next_ = 0;
};

}  // namespace heddle::iss
