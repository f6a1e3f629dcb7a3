// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hw/protocol/block_dispatch.h"
#include "hw/smx_scheduler/placement/region_allocator.h"
#include "hw/smx_scheduler/placement/room_reserve.h"
#include "hw/smx_scheduler/placement/smx_accounts.h"
#include "models/base/machine_configuration.h"

namespace heddle {

/// All that a block needs to go to an SMX: room there (smx_accounts.h), and a region of private
/// memory for each of its warps, the first contiguous ones that are free. There are as many regions
/// as the SMXs hold warps, beside those that blocks without an SMX keep.
class block_room {
public:
    /// `blocks_leave`: with their regions, to come back.
    block_room(const machine_configuration& machine, bool blocks_leave);

    struct place {
        sm_id sm;
        block_slot slot;
        protocol::context_id context;
    };
    struct answer {
        std::optional<place> at;
        block_limit lacks = block_limit::none;  ///< without a place
    };
    /// Gives a block its place.
    [[nodiscard]] answer take(const protocol::launched_block& block);
    /// A block leaves its SMX; one that comes back keeps its regions. False, and no change to the
    /// SMX's account, if it is not there.
    [[nodiscard]] bool leave(const protocol::block_dispatch& block);
    /// Whether an empty SMX could hold the block.
    [[nodiscard]] bool possible(const block_resources& need) const noexcept {
        return accounts_.possible(need);
    }
    /// Blocks of a kind that could start now.
    [[nodiscard]] std::uint32_t places(const block_resources& need) const {
        return std::min(accounts_.places(need), regions_.places(warps(need), region_limit()));
    }
    /// The SMX may be given a block again.
    void ready(sm_id sm) { accounts_.ready(sm); }
    [[nodiscard]] const smx_accounts& accounts() const noexcept { return accounts_; }
    /// Room for suspended cooperative blocks, which stays for them.
    [[nodiscard]] room_reserve& reserve() noexcept { return reserve_; }
    [[nodiscard]] const room_reserve& reserve() const noexcept { return reserve_; }

private:
    [[nodiscard]] std::uint32_t warps(const block_resources& of) const noexcept {
        return of.threads / warp_size_;
    }
    [[nodiscard]] std::uint32_t region_limit() const noexcept {
        return resident_regions_ + kept_regions_;
    }

    const unsigned warp_size_;
    smx_accounts accounts_;
    const std::uint32_t resident_regions_;  ///< a region for each warp that the SMXs can hold
    std::uint32_t kept_regions_ = 0;        ///< of blocks without an SMX
    region_allocator regions_;
    room_reserve reserve_;
};

}  // namespace heddle
