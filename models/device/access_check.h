// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

#include "models/device/allocation_table.h"

/// Why an access of a device program is illegal, in the same words whoever executes it.
namespace heddle {

/// Memory that a thread may access.
struct access_limits {
    std::uint32_t shared_bytes;      ///< of its block
    std::uint32_t private_bytes;     ///< of its own
    const allocation_table& ranges;  ///< global
};

/// `verb` is "read", "write" or "atomic": "misaligned read of 4 bytes at 0x40000002: ...", with the
/// nearest allocation if it is global memory.
[[nodiscard]] std::string misaligned_access_text(const char* verb, std::uint32_t address,
                                                 unsigned bytes, const allocation_table& ranges);

/// An aligned access that `limits` don't allow: null pointer, stack overflow, out of bounds (with
/// the window's size or the nearest allocation), or a write to read-only memory.
[[nodiscard]] std::string illegal_access_text(const char* verb, std::uint32_t address,
                                              unsigned bytes, const access_limits& limits);

}  // namespace heddle
