// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/kernel_distributor/kernel_entries.h"

namespace heddle {

kernel_entries::kernel_entries(unsigned entries) : entries_(entries), free_((entries + 63) / 64) {
    for (unsigned entry = 0; entry < entries; ++entry) {
        free_[entry / 64] |= std::uint64_t{1} << (entry % 64);
    }
}

std::optional<kde_index> kernel_entries::take(const kernel_entry& kernel) {
    for (std::size_t word = 0; word < free_.size(); ++word) {
        if (free_[word] == 0) {
            continue;
        }
        const kde_index index(word * 64 + static_cast<std::size_t>(__builtin_ctzll(free_[word])));
        free_[word] &= free_[word] - 1;
        kernel_entry& entry = entries_[index] = kernel;
        entry.valid = true;
        entry.blocks_left = static_cast<std::uint32_t>(kernel.grid.count());
        ++used_;
        return index;
    }
    return std::nullopt;
}

bool kernel_entries::start_block(kde_index index, bool of_group) {
    if (!in_use(index) || (!of_group && entries_[index].blocks_left == 0)) {
        return false;
    }
    if (!of_group) {
        --entries_[index].blocks_left;
    }
    ++entries_[index].blocks_executing;
    return true;
}

bool kernel_entries::finish_block(kde_index index) {
    if (!in_use(index) || entries_[index].blocks_executing == 0) {
        return false;
    }
    --entries_[index].blocks_executing;
    return true;
}

bool kernel_entries::exhaust(kde_index index) {
    if (!in_use(index) || entries_[index].exhausted) return false;
    if (entries_[index].cooperative) entries_[index].blocks_left = 0;
    if (entries_[index].blocks_left != 0) return false;
    entries_[index].exhausted = true;
    return true;
}

bool kernel_entries::hold(kde_index index) {
    if (!in_use(index)) {
        return false;
    }
    entries_[index].held = true;
    return true;
}

bool kernel_entries::drop(kde_index index) {
    if (!in_use(index) || !entries_[index].held) {
        return false;
    }
    entries_[index].held = false;
    return entries_[index].finished();
}

bool kernel_entries::set_groups(kde_index index, group_index next, group_index last) {
    if (!in_use(index)) {
        return false;
    }
    entries_[index].next_group = next;
    entries_[index].last_group = last;
    return true;
}

bool kernel_entries::release(kde_index index) {
    if (!in_use(index) || !entries_[index].finished()) {
        return false;
    }
    entries_[index] = kernel_entry();
    free_[index.value() / 64] |= std::uint64_t{1} << (index.value() % 64);
    --used_;
    return true;
}

}  // namespace heddle
