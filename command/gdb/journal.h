// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "command/gdb/thread_table.h"

namespace heddle::command::gdb {

/// What the debugger has changed, and when: a run that is repeated gets the same changes. Time is
/// counted in the events of the session.
class journal {
public:
    struct entry {
        enum class kind { registers, memory, lock, hold };
        std::uint64_t tick;
        kind what;
        thread_number thread = 0;
        unsigned lane = 0;
        std::uint32_t place = 0;          ///< number of a register, or address
        std::uint32_t value = 0;          ///< of a register
        std::vector<std::byte> bytes;     ///< of memory
        std::set<thread_number> may_run;  ///< lock: only these; empty: all
    };

    void add(entry one) {
        entries_.push_back(std::move(one));
        next_ = entries_.size();
    }
    /// The run begins again.
    void rewind() noexcept { next_ = 0; }
    /// What comes at `tick` or later has not happened.
    void forget_from(std::uint64_t tick) {
        while (!entries_.empty() && entries_.back().tick >= tick) entries_.pop_back();
        if (next_ > entries_.size()) next_ = entries_.size();
    }
    /// The next change of a repeated run, up to `tick`; null: there is none.
    [[nodiscard]] const entry* take(std::uint64_t tick) noexcept {
        if (next_ == entries_.size() || entries_[next_].tick > tick) return nullptr;
        return &entries_[next_++];
    }

private:
    std::vector<entry> entries_;  ///< by tick
    std::size_t next_ = 0;
};

}  // namespace heddle::command::gdb
