// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/fetch/instruction_cache.h"

#include "hw/base/least_recently_used.h"

namespace heddle {

instruction_cache::instruction_cache(const l1i_configuration& configuration)
    : line_(configuration.line),
      ways_(configuration.ways),
      sets_(configuration.size / (configuration.line * configuration.ways)),
      tags_(std::size_t{sets_} * ways_),
      misses_(configuration.mshrs) {}

instruction_cache::way* instruction_cache::find(std::uint32_t line) noexcept {
    way* const set = set_of(line);
    for (std::uint32_t w = 0; w < ways_; ++w) {
        if (set[w].valid && set[w].line == line) return &set[w];
    }
    return nullptr;
}

instruction_cache::outcome instruction_cache::look_up(std::uint32_t pc, unsigned warp,
                                                      bool may_miss) {
    const std::uint32_t line = line_of(pc);
    if (last_ != nullptr && last_->line == line) return outcome::hit;
    if (way* const found = find(line); found != nullptr) {
        found->used = ++clock_;
        last_ = found;
        return outcome::hit;
    }
    miss* free = nullptr;
    for (miss& m : misses_) {
        if (m.active && m.line == line) {
            m.waiting |= protocol::warp_mask{1} << warp;
            return outcome::merged;
        }
        if (!m.active && free == nullptr) free = &m;
    }
    if (free == nullptr || !may_miss) return outcome::full;
    *free = {line, true, protocol::warp_mask{1} << warp};
    ++pending_;
    return outcome::missed;
}

protocol::warp_mask instruction_cache::fill(std::uint32_t address) {
    const std::uint32_t line = line_of(address);
    way* const set = set_of(line);
    const std::uint32_t at = least_recently_used(
        0U, ways_, ways_, [&](std::uint32_t w) { return !set[w].valid; },
        [](std::uint32_t) { return true; }, [&](std::uint32_t w) { return set[w].used; });
    set[at] = {line, true, ++clock_};
    last_ = &set[at];
    for (miss& m : misses_) {
        if (!m.active || m.line != line) continue;
        m.active = false;
        --pending_;
        return m.waiting;
    }
    return 0;
}

void instruction_cache::invalidate() {
    for (way& w : tags_) w.valid = false;
    last_ = nullptr;
}

}  // namespace heddle
