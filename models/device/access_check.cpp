// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/device/access_check.h"

#include <fmt/format.h>

#include "models/program/address_map.h"

namespace heddle {

namespace {

using program::heap_window;
using program::null_guard;
using program::private_window;
using program::reserve_window;
using program::shared_window;

/// This far below a window an address comes from a negative index or a stack that grew past its
/// end, rather than from a stray pointer.
constexpr std::uint32_t reach = 1u << 20;

std::string reason(std::uint32_t address, unsigned bytes, const access_limits& limits) {
    if (null_guard.contains(address)) return "null pointer";
    if (address < private_window.base && address >= private_window.base - reach) {
        return fmt::format("stack overflow: a thread has {} bytes of private memory",
                           limits.private_bytes);
    }
    if (address < shared_window.base && address >= shared_window.base - reach) {
        const std::uint32_t distance = shared_window.base - address;
        return fmt::format("out of bounds: {} byte{} before the block's shared memory at 0x{:08x}",
                           distance, distance == 1 ? "" : "s", shared_window.base);
    }
    if (shared_window.contains(address)) {
        return fmt::format("out of bounds: the block has {} bytes of shared memory at 0x{:08x}",
                           limits.shared_bytes, shared_window.base);
    }
    if (private_window.contains(address)) {
        return fmt::format("out of bounds: a thread has {} bytes of private memory at 0x{:08x}",
                           limits.private_bytes, private_window.base);
    }
    const allocation* const range = limits.ranges.find(address, bytes);
    if (range != nullptr && !range->writable) {
        return fmt::format("'{}' is read-only", range->name);
    }
    if (limits.ranges.in_launched_buffer(address)) {
        return "the parameter buffer of a launch is read-only once it has been launched";
    }
    if (launch_pool::in_window(address)) {
        return "out of bounds: no parameter buffer of a launch is there";
    }
    if (reserve_window.contains(address)) {
        return fmt::format("out of bounds: the memory from 0x{:08x} on is the machine's own",
                           reserve_window.base);
    }
    return "out of bounds: " + limits.ranges.describe_nearest(address);
}

}  // namespace

std::string misaligned_access_text(const char* verb, std::uint32_t address, unsigned bytes,
                                   const allocation_table& ranges) {
    const std::string text =
        fmt::format("misaligned {} of {} bytes at 0x{:08x}: the address must be a multiple of {}",
                    verb, bytes, address, bytes);
    if (!heap_window.contains(address)) return text;
    return text + "; it is " + ranges.describe_nearest(address);
}

std::string illegal_access_text(const char* verb, std::uint32_t address, unsigned bytes,
                                const access_limits& limits) {
    return fmt::format("illegal {} of {} byte{} at 0x{:08x}: {}", verb, bytes,
                       bytes == 1 ? "" : "s", address, reason(address, bytes, limits));
}

}  // namespace heddle
