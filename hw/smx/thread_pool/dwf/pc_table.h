// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "models/base/bits.h"

namespace heddle {

/// What threads have in common that can form a warp: their next PC and their block, and the
/// transaction, if they run one.
struct pc_tag {
    std::uint32_t pc = 0;
    std::uint16_t block = 0;        ///< slot
    std::uint16_t transaction = 0;  ///< as protocol::thread_arrival

    friend bool operator==(pc_tag a, pc_tag b) noexcept {
        return std::memcmp(&a, &b, sizeof a) == 0;  // one comparison of the host
    }
};
static_assert(std::has_unique_object_representations_v<pc_tag>);

/// What a table of PCs does when a set is full.
enum class full_set : std::uint8_t {
    replaces,  ///< the least recently used entry of the set goes
    grows,     ///< all sets get twice the ways: a table without limits
};

/// Whether a pc_table can have so many entries and ways.
[[nodiscard]] inline bool pc_table_sets_fit(std::uint32_t entries, std::uint32_t ways) noexcept {
    return entries % ways == 0 && bits::count(entries / ways) == 1;
}

/// A set-associative table that finds entries by PC, as the PC-warp LUT and the MHeap LUT of
/// dynamic warp formation (Fung 2008, table 7.1). The set of a PC is (PC >> 2) mod sets. The table
/// has two ports: two PCs are looked up in one clock. An entry that one port has used in a clock
/// can't be replaced by the other port in this clock.
///
/// An entry keeps its place until it is removed. Allocates only where a full set grows.
template <class Value>
class pc_table {
public:
    using place = std::uint32_t;
    static constexpr place none = ~place{0};

    /// `entries` is ways times a power of two (pc_table_sets_fit()).
    pc_table(std::uint32_t entries, std::uint32_t ways, full_set full)
        : sets_(entries / ways), full_(full), entries_(entries) {}

    /// The entry of `tag`, or none.
    [[nodiscard]] place find(pc_tag tag) const noexcept {
        for (place at = set_of(tag.pc); at < entries_.size(); at += sets_) {
            if (entries_[at].valid && entries_[at].tag == tag) return at;
        }
        return none;
    }
    /// The place that insert() would take for `tag`, which has no entry: a free one, or that of the
    /// least recently used entry. none: the other port uses this entry in this clock.
    [[nodiscard]] place room(pc_tag tag, std::uint64_t clock) {
        place oldest = set_of(tag.pc);
        for (place at = oldest; at < entries_.size(); at += sets_) {
            if (!entries_[at].valid) return at;
            if (entries_[at].last_use < entries_[oldest].last_use) oldest = at;
        }
        if (full_ == full_set::replaces) return entries_[oldest].last_use == clock ? none : oldest;
        const place free = static_cast<place>(entries_.size()) + set_of(tag.pc);
        entries_.resize(2 * entries_.size());
        return free;
    }
    /// Writes the entry of `tag` to a place from room(), over the entry that is there.
    void insert(place at, pc_tag tag, const Value& value, std::uint64_t clock) noexcept {
        entries_[at] = {value, tag, true, clock};
    }
    /// A port uses the entry: it is the most recent one of its set.
    void use(place at, std::uint64_t clock) noexcept { entries_[at].last_use = clock; }
    void remove(place at) noexcept { entries_[at].valid = false; }
    /// Removes the entries with this PC, of all blocks.
    void remove_pc(std::uint32_t pc) noexcept {
        for (place at = set_of(pc); at < entries_.size(); at += sets_) {
            if (entries_[at].tag.pc == pc) remove(at);
        }
    }

    [[nodiscard]] bool valid(place at) const noexcept { return entries_[at].valid; }
    [[nodiscard]] pc_tag tag(place at) const noexcept { return entries_[at].tag; }
    /// Clock in which a port last used the entry.
    [[nodiscard]] std::uint64_t last_use(place at) const noexcept { return entries_[at].last_use; }
    [[nodiscard]] Value& operator[](place at) noexcept { return entries_[at].value; }
    [[nodiscard]] const Value& operator[](place at) const noexcept { return entries_[at].value; }
    /// Places that there are now.
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

private:
    struct entry {
        Value value{};
        pc_tag tag;
        bool valid = false;
        std::uint64_t last_use = 0;
    };

    [[nodiscard]] place set_of(std::uint32_t pc) const noexcept { return (pc >> 2) & (sets_ - 1); }

    const std::uint32_t sets_;
    const full_set full_;
    std::vector<entry> entries_;  ///< way by way, so that growing moves nothing
};

}  // namespace heddle
