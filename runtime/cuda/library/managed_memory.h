// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::cuda {

class device_session;

/// Device memory whose addresses the program has, too. Contents travel: what the program has
/// changed goes to the device before a launch or a copy, and comes back when the program has
/// waited. The program may not touch it while launches run, as on GPUs without concurrent managed
/// access.
///
/// Costs a comparison of all managed memory and a copy of it for each wait.
class managed_memory {
public:
    managed_memory() = default;
    managed_memory(const managed_memory&) = delete;
    managed_memory& operator=(const managed_memory&) = delete;
    ~managed_memory();

    /// Maps zeros at the address. Whether that could be had.
    bool map(std::uint32_t address, std::uint64_t bytes);
    void unmap(std::uint32_t address);
    [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }

    /// What the program has changed, to the device.
    void to_device(device_session& device);
    /// The device may have changed it.
    void touched() noexcept { stale_ = !ranges_.empty(); }
    /// What the device may have changed, to the program; bytes that the program has changed
    /// meanwhile stay.
    void to_program(device_session& device);

private:
    [[nodiscard]] bool is_changed() const;

    struct range {
        std::uint64_t bytes;
        std::vector<std::byte> known;  ///< what the device has
    };
    /// A part of what the device has; bytes that the program has changed stay.
    void take(device_session& device, std::uint32_t address, range& of, std::uint64_t at,
              std::uint64_t bytes);

    std::map<std::uint32_t, range> ranges_;
    std::vector<std::byte> fresh_;  ///< from the device
    bool stale_ = false;
};

/// Takes the program's addresses at a device address out of use, so that no pointer is of both; an
/// access by the program faults, as with a GPU. Where the program has something already, nothing
/// happens.
bool reserve_addresses(std::uint32_t address, std::uint64_t bytes);
void free_addresses(std::uint32_t address, std::uint64_t bytes);

}  // namespace heddle::cuda
