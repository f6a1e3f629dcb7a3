// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/base/round_up.h"
#include "models/device/launch_pool.h"

namespace heddle {

/// A named range of device memory.
struct allocation {
    std::uint32_t address = 0;
    std::uint32_t size = 0;  ///< bytes; may be 0
    bool writable = true;
    std::string name;
    bool placed = false;    ///< by place(), not by allocate()
    bool constant = false;  ///< parameters, read-only data: loads of constants find them here

    [[nodiscard]] bool contains(std::uint32_t at, std::uint64_t bytes) const noexcept {
        return at >= address && std::uint64_t{at} - address + bytes <= size;
    }
};

/// Which ranges of device memory exist, and which addresses are free: the heap that
/// device::allocate hands out, and the ranges that a program or the runtime places itself.
///
/// First fit by ascending address, so that the same calls give the same addresses. O(number of
/// allocations above the lowest hole) to allocate, O(log) to look up.
class allocation_table {
public:
    static constexpr std::uint32_t alignment = 256;  ///< bytes, as CUDA's

    /// Hands out addresses of [first, first + size). Ranges of place() may lie anywhere.
    allocation_table(std::uint32_t first, std::uint32_t size)
        : first_(first), size_(size), full_below_(round_up(first, alignment)) {}

    /// Lowest free aligned address; never reuses the address of a zero-sized allocation.
    /// Throws configuration_error with the sizes when no hole is large enough.
    std::uint32_t allocate(std::uint64_t bytes, std::string_view name);
    /// Throws configuration_error unless allocate() returned the address and it is still in use.
    void release(std::uint32_t address);
    /// The same check without the release.
    void check_release(std::uint32_t address) const;
    /// Enters a range whose address is given. It must not overlap another.
    void place(allocation range);
    /// Takes out a range that place() entered.
    void remove(std::uint32_t address) noexcept;

    /// The range that holds all of [address, address + bytes), nullptr if there is none.
    [[nodiscard]] const allocation* find(std::uint32_t address, std::uint64_t bytes) const;
    /// The lowest multiple of `alignment` in [first, first + size) from which on `bytes` are free;
    /// nothing if there is none.
    [[nodiscard]] std::optional<std::uint32_t> find_hole(std::uint32_t first, std::uint32_t size,
                                                         std::uint32_t bytes,
                                                         std::uint32_t alignment) const;
    /// A range that has one of these bytes, nullptr if there is none.
    [[nodiscard]] const allocation* overlapping(std::uint64_t address, std::uint64_t bytes) const;
    /// Memory whose buffers come and go too fast to be ranges; it outlives the table. Null: none.
    void set_pool(const launch_pool* pool) noexcept { pool_ = pool; }
    /// Whether `pool` lets a kernel access these bytes, which lie in one aligned word: for
    /// addresses that find() does not know.
    [[nodiscard]] bool in_pool(std::uint32_t address, bool write) const noexcept {
        return launch_pool::in_window(address) && pool_ != nullptr &&
               pool_->may_access(address, write);
    }
    /// Whether the word lies in the parameters or the record of a launch that has been made.
    [[nodiscard]] bool in_launched_buffer(std::uint32_t address) const noexcept {
        return in_pool(address, false) && !in_pool(address, true);
    }

    /// All ranges by ascending address.
    [[nodiscard]] const std::map<std::uint32_t, allocation>& ranges() const noexcept {
        return ranges_;
    }
    /// Changes whenever a range is added or removed: for those who remember what they found.
    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    /// For messages: "12 bytes past 'distances' [0x40000000, 0x40000400)", or "no allocation".
    [[nodiscard]] std::string describe_nearest(std::uint32_t address) const;

private:
    std::uint32_t first_;
    std::uint32_t size_;
    /// No unit of `alignment` bytes below is free: many launches that wait have a range each.
    std::uint64_t full_below_;
    std::uint64_t version_ = 0;
    const launch_pool* pool_ = nullptr;
    std::map<std::uint32_t, allocation> ranges_;  ///< by address
};

}  // namespace heddle
