// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/iss/launch_family.h"

#include <cstring>

namespace heddle::iss {

void launch_family::add(grid& launch) {
    (void)tree_.add(launch.launch.id, {}, 0);
    open_[launch.launch.id] = &launch;
    admission_.add(launch);
}

void launch_family::block_begins(grid& head) {
    if (head.next_block == 0 && parts_.runtime != nullptr) {
        parts_.runtime->first_block_begins(head.launch.id);
    }
    ++head.started;
    if (++head.next_block == head.blocks()) block_does_not_fit(head);
}

void launch_family::block_does_not_fit(grid& head) {
    head.distributed = true;
    admission_.head_exhausted();
}

void launch_family::blocks_ended(grid& of) {
    if (parts_.runtime != nullptr) parts_.runtime->blocks_ended(of.launch.id);
    (void)tree_.blocks_ended(of.launch.id, [&](launch_id over, const auto&) { end(over); });
}

/// The launch and all that it has made are over.
void launch_family::end(launch_id launch) {
    const auto found = open_.find(launch);
    const grid& over = *found->second;
    admission_.ended(over);
    open_.erase(found);
    if (parts_.ended) parts_.ended(over);
    const auto child = children_.find(launch);
    if (child == children_.end()) return;
    const launch_id parent = over.launch.parent;
    const std::uint32_t block = over.launch.parent_block;
    children_.erase(child);
    parts_.runtime->ended(launch);
    if (tree_.open_children(parent, block) == 0) parts_.wake(parent, block);
}

void launch_family::clear() {
    for (const auto& [id, child] : children_) {
        if (child->next_block == 0) parts_.runtime->first_block_begins(id);
        if (child->blocks_done != child->blocks()) parts_.runtime->blocks_ended(id);
        parts_.runtime->ended(id);
    }
    children_.clear();
    open_.clear();
    admission_.clear();
    tree_ = {};
}

std::optional<std::uint32_t> launch_family::call(const launcher& by, isa::opcode what,
                                                 std::uint32_t first, std::uint32_t second,
                                                 std::string& fault) {
    switch (what) {
        case isa::opcode::create_stream:
            return parts_.runtime->create_stream(by.sm);
        case isa::opcode::get_parameter_buffer:
            return parts_.runtime->allocate_buffer(by.sm, first);
        default:
            break;
    }
    if (!parts_.runtime->pool().is_open(first)) {
        fault = no_buffer_text(parts_.runtime->pool(), first);
        return std::nullopt;
    }
    const launch_kind kind =
        what == isa::opcode::launch_group ? launch_kind::group : launch_kind::kernel;
    return static_cast<std::uint32_t>(make(by, kind, first, second));
}

launch_error launch_family::make(const launcher& by, launch_kind kind, std::uint32_t buffer,
                                 std::uint32_t stream) {
    std::array<std::uint32_t, launch_request::words> record;
    std::memcpy(record.data(), parts_.memory.data() + buffer, launch_request::bytes);
    const launch_answer answer =
        parts_.runtime->launch(by, kind, buffer, launch_request::from(record), stream);
    if (answer.launch == nullptr) return answer.error;
    const launch_id id = answer.launch->id;
    (void)tree_.add(id, by.launch, by.block);
    grid& made = *(children_[id] = std::make_unique<grid>(*answer.launch));
    open_[id] = &made;
    admission_.add(made);
    return launch_error::none;
}

}  // namespace heddle::iss
