// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::command::gdb {

/// What an agent expression reads.
struct agent_context {
    /// Nothing: there is no such register, or it has no value now.
    std::function<std::optional<std::uint64_t>(unsigned number)> register_value;
    /// Bytes of memory; false if they can't be read.
    std::function<bool(std::uint32_t address, std::byte* to, std::size_t bytes)> read;
};

/// The value of an expression in gdb's bytecode (gdb's manual, appendix "The GDB Agent Expression
/// Mechanism"): the condition of a breakpoint. Nothing if it can't be evaluated: memory or a
/// register has no value, it divides by zero, has an instruction for trace points or floats, does
/// not end in 10,000 steps, or is no bytecode at all.
[[nodiscard]] std::optional<std::uint64_t> evaluate(std::string_view bytecode,
                                                    const agent_context& context);

}  // namespace heddle::command::gdb
