// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/isa/instruction.h"
#include "models/simt/reconvergence_stack.h"
#include "models/simt/special_registers.h"

namespace heddle::simt {

/// A resident warp as a debugger sees and changes it, while its machine stands still.
class debugged_warp {
public:
    debugged_warp() = default;
    debugged_warp(const debugged_warp&) = delete;
    debugged_warp& operator=(const debugged_warp&) = delete;
    virtual ~debugged_warp() = default;

    [[nodiscard]] virtual const std::string& kernel() const = 0;
    [[nodiscard]] virtual const block_identity& block() const = 0;
    [[nodiscard]] virtual unsigned index() const = 0;  ///< in the block
    [[nodiscard]] virtual unsigned lanes() const = 0;  ///< of a warp
    /// Lanes whose thread has not ended; none: the warp has ended.
    [[nodiscard]] virtual isa::lane_mask live() const = 0;
    /// "runs", "waits at the barrier", ...
    [[nodiscard]] virtual std::string doing() const = 0;

    /// Bottom first; the top's next_pc is that of the next instruction. Empty if it has ended.
    [[nodiscard]] virtual std::vector<reconvergence_stack::entry> stack() const = 0;
    [[nodiscard]] virtual std::uint32_t value(unsigned index, unsigned lane) const = 0;
    /// Whether a load or atomic that is under way will give the register its value;
    /// isa::sink_register: an atomic that gives none.
    [[nodiscard]] virtual bool is_awaited(unsigned index, unsigned lane) const = 0;
    virtual void set(unsigned index, unsigned lane, std::uint32_t value) = 0;

    /// Bytes at an address as a lane's thread sees them: its own stores have been performed. False
    /// if not all of them may be read or written.
    virtual bool read(unsigned lane, std::uint32_t address, std::byte* to, std::size_t bytes) = 0;
    virtual bool write(unsigned lane, std::uint32_t address, const std::byte* from,
                       std::size_t bytes) = 0;
};

/// Hears what warps of a machine do, in the order in which the machine does it, and may let it
/// stand still within each call. A machine without one pays nothing for it.
class debug_watch {
public:
    debug_watch() = default;
    debug_watch(const debug_watch&) = delete;
    debug_watch& operator=(const debug_watch&) = delete;
    virtual ~debug_watch() = default;

    /// A warp takes its place; the object lives until ended().
    virtual void started(debugged_warp& warp) = 0;
    virtual void ended(debugged_warp& warp) = 0;
    /// The warp is about to execute the instruction at its PC.
    virtual void before(debugged_warp& warp) = 0;
    /// Every instruction that has begun has been executed, and the warps stand behind them.
    virtual void settled() = 0;
    /// Whether some warps have to wait, because the debugger lets others run alone.
    [[nodiscard]] virtual bool locks() const = 0;
    [[nodiscard]] virtual bool holds(const debugged_warp& warp) const = 0;
    /// No warp can go on but those that it holds.
    virtual void stuck() = 0;
    /// The run breaks off, by the fault of `warp` (null: not of a warp's).
    virtual void failed(debugged_warp* warp, const run_error& error) = 0;
};

}  // namespace heddle::simt
