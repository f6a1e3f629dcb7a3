// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hw/smx/l1/l1_data_cache_configuration.h"

namespace heddle::smx_reference {

/// A cache for data as docs/smx_rules.md, "(5) Load-store unit", describes it: a list of lines and
/// a set of numbers for the bytes. It keeps no data, as no time depends on them.
class cache_model {
public:
    using bytes = std::set<std::uint32_t>;  ///< offsets in the line

    enum class outcome { hit, joins, misses, refused };
    enum class cause { mshr_full, mshr_merge_full, miss_queue_full, line_reserved };
    /// A dirty line that goes to memory.
    struct write_back {
        std::uint32_t address;
        bytes dirty;
        unsigned warp;  ///< that made the line
    };
    struct answer {
        outcome what = outcome::hit;
        cause why{};
        unsigned fill = 0;  ///< number of the miss
        std::optional<write_back> out;
        /// Line that gave way, and the warp that had brought it.
        std::optional<std::pair<std::uint32_t, unsigned>> displaced;
    };
    /// What the SMX's statistics count, too.
    struct counts {
        std::uint64_t loads = 0, hits = 0, joins = 0, misses = 0, private_stores = 0, evictions = 0,
                      write_backs = 0, fills_not_kept = 0, dropped = 0, discarded = 0;
    };

    explicit cache_model(const l1_data_cache_configuration& configuration)
        : configuration_(configuration) {}

    [[nodiscard]] bool exists() const { return configuration_.size != 0; }
    [[nodiscard]] bool has_global() const { return exists() && configuration_.cache_global; }
    [[nodiscard]] std::uint32_t line_bytes() const { return configuration_.line; }

    /// `room`: requests that the port takes.
    answer load(std::uint32_t line, const bytes& wanted, bool is_private, unsigned room,
                unsigned warp);
    answer store_private(std::uint32_t line, const bytes& written, unsigned room, unsigned warp);
    void store_global(std::uint32_t line);
    void drop_global(std::uint32_t line);
    answer flush_private(std::uint32_t line, unsigned room);
    void fill(unsigned number);
    void forget_global();
    void discard(std::uint64_t low, std::uint64_t high);

    [[nodiscard]] const counts& counted() const { return counts_; }

private:
    struct line {
        std::uint32_t address;
        bool is_private;
        unsigned warp;
        bytes valid, dirty;
        std::uint64_t used;
        std::optional<unsigned> fill;  ///< that it waits for
    };
    struct miss {
        unsigned targets = 1;
        bool kept = true;
    };
    using place = std::vector<line>::iterator;

    [[nodiscard]] std::uint32_t set_of(std::uint32_t address) const;
    place find(std::uint32_t address);
    /// A place for a new line: nullopt if all of its set wait for fills. The line that gives way is
    /// still there.
    struct choice {
        bool full;  ///< `victim` gives way
        place victim;
    };
    std::optional<choice> choose(std::uint32_t address);
    void give_way(place victim, answer& result);
    void take_away(place at);

    l1_data_cache_configuration configuration_;
    std::vector<line> lines_;
    std::map<unsigned, miss> misses_;  ///< those without an answer
    unsigned fills_ = 0;
    std::uint64_t clock_ = 0;
    counts counts_;
};

}  // namespace heddle::smx_reference
