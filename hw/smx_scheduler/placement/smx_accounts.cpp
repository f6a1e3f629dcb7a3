// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/placement/smx_accounts.h"

#include "models/base/bits.h"

namespace heddle {

smx_accounts::smx_accounts(unsigned smx_count, const smx_limits& limits)
    : empty_(limits),
      smxs_(smx_count, smx{smx_capacity(limits), bits::below(limits.max_blocks), true,
                           std::vector<block_resources>(limits.max_blocks)}) {}

bool smx_accounts::possible(const block_resources& need) const noexcept {
    return empty_.fits(need);
}

std::optional<sm_id> smx_accounts::find(const block_resources& need) const {
    const std::size_t count = smxs_.size();
    for (std::size_t step = 0; step < count; ++step) {
        const std::size_t at = turn_ + step;
        const sm_id sm(at < count ? at : at - count);
        if (smxs_[sm].ready && smxs_[sm].capacity.fits(need)) {
            return sm;
        }
    }
    return std::nullopt;
}

block_limit smx_accounts::limit(const block_resources& need) const {
    for (const smx& each : smxs_) {
        if (each.capacity.fits(need)) {
            return block_limit::handshake;
        }
    }
    const smx_capacity& capacity = smxs_[sm_id(turn_)].capacity;
    if (capacity.free_blocks() == 0) {
        return block_limit::blocks;
    }
    if (capacity.free().threads < need.threads) {
        return block_limit::threads;
    }
    return capacity.free().registers < need.registers ? block_limit::registers
                                                      : block_limit::shared;
}

block_slot smx_accounts::take(sm_id sm, const block_resources& need) {
    smx& chosen = smxs_[sm];
    const block_slot slot(bits::first(chosen.free_slots));
    chosen.free_slots &= chosen.free_slots - 1;
    chosen.capacity.take(need);
    chosen.charged[slot.value()] = need;
    chosen.ready = false;
    turn_ = sm.value() + 1 == smxs_.size() ? 0 : sm.value() + 1;
    ++resident_;
    return slot;
}

bool smx_accounts::give_back(sm_id sm, block_slot slot) {
    smx& owner = smxs_[sm];
    if (slot.value() >= owner.charged.size() || (owner.free_slots >> slot.value() & 1) != 0) {
        return false;
    }
    owner.free_slots |= std::uint64_t{1} << slot.value();
    owner.capacity.give_back(owner.charged[slot.value()]);
    --resident_;
    return true;
}

}  // namespace heddle
