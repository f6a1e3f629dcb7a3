// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/block_life/block_actions.h"

#include "models/base/bits.h"

namespace heddle {

bool block_actions::drained(unsigned slot) {
    load_store_unit& lsu = parts_.lsu;
    if (lsu.maintenance().writes_back()) {
        changed_ |= lsu.maintenance().write_back(front_.owners(slot));
    }
    return front_.drained(slot);
}

bool block_actions::rests(unsigned slot) const {
    for (protocol::warp_mask left = blocks_.block(slot).warps; left != 0; left &= left - 1) {
        if (!front_.movable()->rests(bits::first(left))) return false;
    }
    return true;
}

void block_actions::release_call(unsigned slot, std::uint32_t groups) {
    changed_ = true;
    front_.complete_barriers(blocks_.release_call(slot, groups));
}

void block_actions::kill(unsigned slot, std::uint64_t edge) {
    changed_ = true;
    bits::for_each(blocks_.block(slot).warps, [&](unsigned warp) {
        if (blocks_.warp(warp).live != 0) front_.movable()->leave(warp);
    });
    blocks_.kill(slot, edge);
}

}  // namespace heddle
