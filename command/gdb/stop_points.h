// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "command/gdb/register_set.h"
#include "command/gdb/thread_table.h"

namespace heddle::command::gdb {

/// Types of packet Z, by number.
enum class stop_kind : unsigned { software = 0, hardware, write, read, access };

/// Breakpoints and watchpoints, as gdb has them now.
///
/// A breakpoint's conditions are asked for each lane that executes: one that holds chooses the
/// lane. A watchpoint in shared memory is for one block, one in private memory for one lane of a
/// warp: those that gdb looked at when it was set.
class stop_points {
public:
    struct place {
        stop_kind kind;
        std::uint32_t address;
        std::uint32_t bytes;  ///< of a watchpoint

        friend bool operator<(const place& a, const place& b) {
            return std::tie(a.kind, a.address, a.bytes) < std::tie(b.kind, b.address, b.bytes);
        }
    };

    /// `conditions`: bytecode; one must hold, if there are any. `by`: whom gdb looks at.
    void insert(const place& at, std::vector<std::string> conditions, const named_thread& by);
    void remove(const place& at);
    /// gdb takes watchpoints out for each stop and for steps, and puts them in again. What is not
    /// there when the machine goes on freely has been deleted: set again, it is for others.
    void forget_removed();
    /// gdb has gone.
    void clear();

    /// Whether a warp stops before its next instruction, and for which lane.
    [[nodiscard]] std::optional<unsigned> hit(debugged_thread& thread,
                                              const register_set& registers,
                                              std::uint64_t cycle) const;

    /// An instruction that touches what is watched.
    struct touch {
        place watched;
        thread_number thread;
        unsigned lane;
        std::vector<std::byte> before;  ///< what was there
        bool any_access;                ///< the watchpoint is met also if nothing changes
        bool atomic;
        unsigned rd;
        std::uint64_t tick;  ///< when it began
        std::uint32_t pc;

        /// As stop replies say it.
        [[nodiscard]] std::string reason() const;
    };
    /// Those of the next instruction of a warp.
    [[nodiscard]] std::vector<touch> touches(debugged_thread& thread, std::uint64_t tick) const;
    [[nodiscard]] bool watches() const noexcept { return !watched_.empty(); }

private:
    /// Who may meet a watchpoint; nothing: anybody.
    struct owner {
        std::optional<std::uint64_t> block;  ///< linear, of the launch
        std::uint32_t grid = 0;
        std::optional<thread_number> thread;
        unsigned lane = 0;
    };
    [[nodiscard]] static bool concerns(const owner& who, const debugged_thread& thread,
                                       unsigned lane);

    std::map<std::uint32_t, std::map<stop_kind, std::vector<std::string>>> breakpoints_;
    std::map<place, owner> watched_;
    std::map<place, owner> owners_;  ///< also of those that are taken out
};

}  // namespace heddle::command::gdb
