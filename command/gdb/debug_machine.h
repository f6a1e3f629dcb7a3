// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

namespace heddle::command::gdb {

/// What a debugger asks of the machine that runs, beside its warps.
class debug_machine {
public:
    debug_machine() = default;
    debug_machine(const debug_machine&) = delete;
    debug_machine& operator=(const debug_machine&) = delete;
    virtual ~debug_machine() = default;

    /// The run is given up, behind the present cycle or at once; throws abandoned_run if at once.
    virtual void abandon() = 0;
    /// Whether a warp that is about to execute an instruction can still be held.
    [[nodiscard]] virtual bool can_hold_back() const = 0;
    /// Core cycle; nothing that counts if there is no time: then warp instructions.
    [[nodiscard]] virtual std::uint64_t cycle() const = 0;
    /// Who waits for what, a line each; empty: the warps say it.
    [[nodiscard]] virtual std::string waits() const = 0;
    /// Statistics whose names match the glob pattern, a line each.
    [[nodiscard]] virtual std::string statistics(const std::string& pattern) const = 0;
    /// Accesses that the checks of the run have found racing so far, and the first of them.
    [[nodiscard]] virtual std::uint64_t races() const = 0;
    [[nodiscard]] virtual std::string first_race() const = 0;
    /// Lanes of a warp.
    [[nodiscard]] virtual unsigned lanes() const = 0;
    /// File and line of a PC.
    [[nodiscard]] virtual std::string place(std::uint32_t pc) const = 0;
};

/// Unwinds a host program that is given up. No error.
struct abandoned_run {};

}  // namespace heddle::command::gdb
