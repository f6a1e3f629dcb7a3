// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/launch_tree.h"

namespace heddle {
namespace {

std::uint64_t key_of(launch_id launch, std::uint32_t block) {
    return std::uint64_t{launch.value()} << 32 | block;
}

}  // namespace

bool launch_tree::add(launch_id launch, launch_id parent, std::uint32_t block) {
    const bool by_host = parent == launch_id{};
    const auto above = nodes_.find(parent);
    if ((!by_host && above == nodes_.end()) || nodes_.count(launch) != 0) return false;
    if (!by_host) {
        ++above->second.open_children;
        ++open_by_block_[key_of(parent, block)];
    }
    nodes_[launch] = {{parent, block}, 0, false};
    return true;
}

bool launch_tree::is_over(launch_id launch) const {
    const node& n = nodes_.at(launch);
    return n.blocks_ended && n.open_children == 0;
}

launch_tree::maker launch_tree::remove(launch_id launch) {
    const auto found = nodes_.find(launch);
    const maker by = found->second.by;
    nodes_.erase(found);
    if (by.launch == launch_id{}) return by;
    --nodes_.at(by.launch).open_children;
    const auto open = open_by_block_.find(key_of(by.launch, by.block));
    if (--open->second == 0) open_by_block_.erase(open);
    return by;
}

std::uint32_t launch_tree::open_children(launch_id launch, std::uint32_t block) const {
    const auto open = open_by_block_.find(key_of(launch, block));
    return open == open_by_block_.end() ? 0 : open->second;
}

}  // namespace heddle
