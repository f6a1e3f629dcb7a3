// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hw/l2/l2_configuration.h"
#include "hw/l2/line_print.h"
#include "hw/protocol/byte_mask.h"

namespace heddle {

/// Tags, masks and data of one L2 bank's lines; set associative, least recently used.
///
/// A line is present as soon as it has a tag; which of its bytes are valid, and which are newer
/// than memory, is kept per byte. Lines are named by their number address / line bytes.
class line_store {
public:
    using index = std::uint32_t;
    static constexpr index none = std::numeric_limits<index>::max();
    using miss = std::uint32_t;
    static constexpr miss no_miss = std::numeric_limits<miss>::max();
    static constexpr std::uint64_t no_line = std::numeric_limits<std::uint64_t>::max();

    struct state {
        byte_mask valid, dirty;  ///< dirty is part of valid
        protocol::launch_id writer{};
    };

    /// Without a cache (size 0) one set holds the lines that are under way: one per MSHR, and one.
    explicit line_store(const l2_configuration& configuration);

    [[nodiscard]] index find(std::uint64_t line) const;
    /// Has the host's cache fetch what find() and victim() will look at.
    void prefetch(std::uint64_t line) const noexcept {
        const index first = first_way(line);
        __builtin_prefetch(&prints_[first]);
        __builtin_prefetch(&tags_[first]);
        __builtin_prefetch(&ages_[first]);
    }
    /// Where `line` may be put: a free way of its set, else the least recently used one that is
    /// not being fetched; none if all are.
    [[nodiscard]] index victim(std::uint64_t line) const;
    /// Puts a line without valid bytes there, where none is present.
    void install(index at, std::uint64_t line);
    void release(index at) {
        tags_[at] = no_line;
        --used_;
    }
    /// No line is present.
    [[nodiscard]] bool empty() const noexcept { return used_ == 0; }

    [[nodiscard]] std::uint64_t line(index at) const { return tags_[at]; }
    [[nodiscard]] state& at(index at) { return states_[at]; }
    [[nodiscard]] const state& at(index at) const { return states_[at]; }
    [[nodiscard]] std::uint8_t* data(index at) { return &data_[std::size_t{at} * line_bytes_]; }
    [[nodiscard]] const std::uint8_t* data(index at) const {
        return &data_[std::size_t{at} * line_bytes_];
    }
    void touch(index at) { ages_[at].used = ++clock_; }
    /// A miss register fetches the line, which is no victim until it has been fetched.
    void fetch(index at, miss by) { ages_[at].fetched_by = by; }
    void fetched(index at) { ages_[at].fetched_by = no_miss; }
    /// The miss register, or no_miss.
    [[nodiscard]] miss fetched_by(index at) const { return ages_[at].fetched_by; }

private:
    /// What decides over the victim, apart from the rest: a set's takes a few lines of the host's
    /// caches.
    struct age {
        std::uint64_t used = 0;  ///< time of the last access, in accesses
        miss fetched_by = no_miss;
    };

    [[nodiscard]] index first_way(std::uint64_t line) const noexcept;

    const l2_partition partition_;  ///< in lines
    const std::uint32_t line_bytes_;
    const std::uint32_t ways_;
    const divider sets_;
    std::vector<std::uint64_t> tags_;
    /// line_print() of what is or was there: a set is searched by bytes, not by tags.
    std::vector<std::uint8_t> prints_;
    std::vector<age> ages_;
    std::vector<state> states_;
    std::vector<std::uint8_t> data_;
    std::uint64_t clock_ = 0;
    std::uint32_t used_ = 0;  ///< lines that are present
};

}  // namespace heddle
