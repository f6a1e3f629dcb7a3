// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command/gdb/thread_table.h"

namespace heddle::command::gdb {

/// The registers that gdb knows: those of RISC-V, of one lane, and a group `simt` of the warp's.
///
/// The target description names no operating system (osabi none): gdb then steps a thread by
/// asking for a step, not by a breakpoint that all warps would run to.
class register_set {
public:
    static constexpr unsigned pc = 32;
    /// Chooses whose registers are shown: the only one of the group that can be written.
    static constexpr unsigned lane = 33;

    /// `lanes`: of a warp.
    explicit register_set(unsigned lanes) : lanes_(lanes) {}

    /// target.xml.
    [[nodiscard]] std::string description() const;
    /// One or all, as a packet has them: `x` for what has no value. Empty: there is no such one.
    [[nodiscard]] std::string packet(unsigned number, const named_thread& of,
                                     std::uint64_t cycle) const;
    [[nodiscard]] std::string all(const named_thread& of, std::uint64_t cycle) const;
    /// For conditions. Nothing: none, a vector, or without a value now.
    [[nodiscard]] std::optional<std::uint64_t> value(unsigned number, const named_thread& of,
                                                     std::uint64_t cycle) const;

private:
    [[nodiscard]] unsigned bytes(unsigned number) const;
    [[nodiscard]] unsigned mask_bits() const noexcept { return lanes_ <= 32 ? 32 : 64; }

    const unsigned lanes_;
};

}  // namespace heddle::command::gdb
