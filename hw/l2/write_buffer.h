// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "hw/l2/line_print.h"
#include "hw/protocol/byte_mask.h"
#include "models/base/free_list.h"

namespace heddle {

/// Evicted dirty bytes of one L2 bank that are not known to be in memory yet.
///
/// A line may have two entries: one that is on its way and one that waits for it, so that memory
/// never sees two writes to one line at a time. Whoever reads the line meanwhile overlays what is
/// here. A memory without byte enables gets whole lines: the entry's missing bytes are fetched
/// first (demand_whole_lines()).
class write_buffer {
public:
    using index = std::uint32_t;
    static constexpr index none = std::numeric_limits<index>::max();

    /// waiting -> writing -> free, or waiting -> filling -> waiting with all bytes.
    enum class stage : std::uint8_t { free, waiting, writing, filling };

    struct entry {
        protocol::launch_id writer{};
        byte_mask dirty;  ///< bytes that memory has to get
        std::uint8_t data[protocol::maximum_line_bytes];
        std::uint8_t fill[protocol::maximum_line_bytes];  ///< where a fill is put
    };

    write_buffer(std::uint32_t entries, std::uint32_t line_bytes);

    [[nodiscard]] bool full() const noexcept { return order_.size() == entries_.size(); }
    [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
    [[nodiscard]] std::uint32_t used() const noexcept {
        return static_cast<std::uint32_t>(order_.size());
    }
    /// Whether take() is possible for this line.
    [[nodiscard]] bool can_take(std::uint64_t line) const;
    /// Adds bytes, to the line's entry if that still waits.
    void take(std::uint64_t line, const std::uint8_t* data, const byte_mask& dirty,
              protocol::launch_id writer);

    /// Copies what is here of `line` to `data`, the newest of each byte; returns which bytes.
    byte_mask overlay(std::uint64_t line, std::uint8_t* data) const;
    /// A debug write: memory has these bytes, and no entry may undo them.
    void write_debug(std::uint64_t line, const std::uint8_t* data, const byte_mask& bytes);

    /// Whether an entry waits.
    [[nodiscard]] bool waits() const noexcept { return waiting_ != 0; }
    /// The oldest entry that waits and has no older one of its line; none if there is none.
    [[nodiscard]] index next();
    [[nodiscard]] entry& at(index at) { return entries_[at]; }
    [[nodiscard]] std::uint64_t line(index at) const { return heads_[at].line; }
    void set_stage(index at, stage now);
    /// Whether an entry has to be filled before it can be written.
    [[nodiscard]] bool needs_fill(index at) const;
    void filled(index at);
    void finished(index at);
    /// From now on every write is a whole line.
    void demand_whole_lines() noexcept { whole_lines_ = true; }

private:
    /// What is looked for, apart from the bytes: the host's caches hold all of it.
    struct head {
        std::uint64_t line = 0;
        stage now = stage::free;
    };

    [[nodiscard]] index newest(std::uint64_t line) const;
    void change_stage(index at, stage now);
    /// Entries of all lines with the print of this one: most lines have none, and no search.
    [[nodiscard]] std::uint16_t& alike(std::uint64_t line) { return alike_[line_print(line)]; }
    [[nodiscard]] std::uint16_t alike(std::uint64_t line) const { return alike_[line_print(line)]; }

    std::uint32_t line_bytes_;
    bool whole_lines_ = false;
    std::vector<head> heads_;
    std::vector<entry> entries_;
    std::vector<index> order_;  ///< used entries, oldest first
    std::size_t first_ = 0;     ///< no entry waits at a place of order_ before this one
    free_list<index> free_;
    std::uint32_t waiting_ = 0;  ///< entries at that stage
    std::array<std::uint16_t, 256> alike_{};
};

}  // namespace heddle
