// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/l2/line_store.h"

#include <cstring>

#include "hw/base/least_recently_used.h"

namespace heddle {

line_store::line_store(const l2_configuration& configuration)
    : partition_{configuration.banks, configuration.interleave / configuration.line,
                 configuration.hash},
      line_bytes_(configuration.line),
      ways_(configuration.size == 0 ? configuration.mshrs + 1 : configuration.ways),
      sets_(configuration.size == 0 ? 1
                                    : configuration.size / configuration.banks /
                                          configuration.line / configuration.ways),
      tags_(std::size_t{ways_} * sets_.value(), no_line),
      prints_(tags_.size()),
      ages_(tags_.size()),
      states_(tags_.size()),
      data_(tags_.size() * line_bytes_) {}

line_store::index line_store::first_way(std::uint64_t line) const noexcept {
    if (sets_.value() == 1) {
        return 0;
    }
    return static_cast<index>(sets_.remainder(partition_.offset(line))) * ways_;
}

line_store::index line_store::find(std::uint64_t line) const {
    const index first = first_way(line);
    const index end = first + ways_;
    const std::uint8_t print = line_print(line);
    const std::uint8_t* const prints = prints_.data();
    for (index at = first; at < end; ++at) {
        const void* const alike = std::memchr(prints + at, print, end - at);
        if (alike == nullptr) break;
        at = static_cast<index>(static_cast<const std::uint8_t*>(alike) - prints);
        if (tags_[at] == line) return at;
    }
    return none;
}

line_store::index line_store::victim(std::uint64_t line) const {
    return least_recently_used(
        first_way(line), ways_, none, [this](index at) { return tags_[at] == no_line; },
        [this](index at) { return ages_[at].fetched_by == no_miss; },
        [this](index at) { return ages_[at].used; });
}

void line_store::install(index at, std::uint64_t line) {
    ++used_;
    tags_[at] = line;
    prints_[at] = line_print(line);
    states_[at] = {};
    ages_[at].fetched_by = no_miss;
    touch(at);
}

}  // namespace heddle
