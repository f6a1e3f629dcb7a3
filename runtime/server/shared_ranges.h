// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/device/device.h"

namespace heddle {
class basic_device;
class file_memory;
class written_pages;
}  // namespace heddle

namespace heddle::runtime {

/// Device memory that the program has at the same addresses, in the shared file. A device with
/// file_memory has its memory there. With others contents travel: what the program has changed
/// goes to the device before a launch, what the device has written comes back when the program has
/// waited. Launches of other streams go on meanwhile.
class shared_ranges {
public:
    /// `file`: the one that the program maps, too.
    shared_ranges(device& gpu, int file);
    shared_ranges(const shared_ranges&) = delete;
    shared_ranges& operator=(const shared_ranges&) = delete;
    ~shared_ranges();

    /// The bytes of device memory, and whole pages of the file. `keep`: what the device has there
    /// stays; otherwise it is zeros. Throws configuration_error.
    void add(std::uint32_t address, std::uint64_t bytes, bool keep);
    void remove(std::uint32_t address);
    /// Whether nothing has to travel.
    [[nodiscard]] bool direct() const noexcept { return by_file_ != nullptr; }

    /// What the program has changed, to the device.
    void to_device();
    /// What the device may have written, to the program; bytes that the program has changed
    /// meanwhile stay.
    void to_program();

private:
    struct range {
        std::uint32_t address;
        std::uint64_t bytes;
        std::byte* file;     ///< the mapping of its pages
        std::byte* program;  ///< of `address`
        flat_memory known;   ///< what the device has
    };

    void grow_file();
    [[nodiscard]] std::byte* map(std::uint32_t address, std::uint64_t bytes) const;
    void take(range& of, std::uint64_t at, std::uint64_t bytes);
    void take_all(range& of);
    [[nodiscard]] bool is_changed() const;

    basic_device& gpu_;
    file_memory* const by_file_;  ///< null: contents travel
    const int file_;
    bool grown_ = false;
    std::map<std::uint32_t, std::unique_ptr<range>> ranges_;
    std::vector<std::byte> fresh_;  ///< from the device
};

}  // namespace heddle::runtime
