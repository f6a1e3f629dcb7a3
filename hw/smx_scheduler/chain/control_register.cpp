// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx_scheduler/chain/control_register.h"

#include <utility>

namespace heddle {

void control_register::load(launch_ptr launch, kde_index kde, group_index group) {
    blocks_ = static_cast<std::uint32_t>(launch->grid.count());
    launch_ = std::move(launch);
    kde_ = kde;
    group_ = group;
    next_copy_ = null_group;
    visited_.assign(visited_.size(), 0);
}

bool control_register::visit(sm_id sm) {
    std::uint64_t& word = visited_[sm.value() / 64];
    const std::uint64_t bit = std::uint64_t{1} << (sm.value() % 64);
    const bool first = (word & bit) == 0;
    word |= bit;
    return first;
}

bool control_register::advance() {
    if (++position_.x == launch_->grid.x) {
        position_.x = 0;
        if (++position_.y == launch_->grid.y) {
            position_.y = 0;
            ++position_.z;
        }
    }
    if (++next_block_ != blocks_) return false;
    unload();
    return true;
}

void control_register::unload() noexcept {
    launch_.reset();
    kde_ = {};
    group_ = null_group;
    next_block_ = 0;
    position_ = {0, 0, 0};
}

}  // namespace heddle
