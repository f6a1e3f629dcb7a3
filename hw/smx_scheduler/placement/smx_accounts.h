// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/base/strong_index.h"
#include "models/device/launch_limits.h"

namespace heddle {

/// What keeps a block from being distributed.
enum class block_limit : std::uint8_t {
    none,
    blocks,
    threads,
    registers,
    shared,
    private_memory,
    handshake,  ///< the SMXs with room have not started their last block
};
inline constexpr std::size_t block_limit_count = 7;

/// The SMX scheduler's account of what is free on each SMX, and whose turn it is.
class smx_accounts {
public:
    smx_accounts(unsigned smx_count, const smx_limits& limits);

    [[nodiscard]] std::size_t count() const noexcept { return smxs_.size(); }
    [[nodiscard]] const smx_capacity& capacity(sm_id sm) const { return smxs_[sm].capacity; }
    /// Whether an empty SMX could hold the block.
    [[nodiscard]] bool possible(const block_resources& need) const noexcept;

    /// The first SMX, from the one whose turn it is, that has room and may be given a block.
    [[nodiscard]] std::optional<sm_id> find(const block_resources& need) const;
    /// Why find() has found none: handshake if any SMX has room, else what is short (in the order
    /// of block_limit) on the SMX whose turn it is.
    [[nodiscard]] block_limit limit(const block_resources& need) const;

    /// How many such blocks the SMXs have room for.
    [[nodiscard]] std::uint32_t places(const block_resources& need) const noexcept {
        std::uint32_t sum = 0;
        for (const smx& each : smxs_) sum += each.capacity.count(need);
        return sum;
    }
    /// Charges a block to an SMX that has room: its slot is the lowest free one. The turn passes
    /// to the SMX behind it, which may not be given another block before ready().
    block_slot take(sm_id sm, const block_resources& need);
    /// The SMX may be given a block again.
    void ready(sm_id sm) { smxs_[sm].ready = true; }
    /// Gives back what the block in `slot` was charged. False, and no change, if the slot is free
    /// or does not exist.
    [[nodiscard]] bool give_back(sm_id sm, block_slot slot);
    /// Blocks on all SMXs.
    [[nodiscard]] std::uint64_t resident() const noexcept { return resident_; }

private:
    struct smx {
        smx_capacity capacity;
        std::uint64_t free_slots;  ///< one bit per block slot
        bool ready;
        std::vector<block_resources> charged;  ///< by slot
    };

    smx_capacity empty_;
    strong_vector<sm_id, smx> smxs_;
    std::uint32_t turn_ = 0;
    std::uint64_t resident_ = 0;
};

}  // namespace heddle
