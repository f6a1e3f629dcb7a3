// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>

namespace heddle::cuda {

class device_session;

/// Device memory that the program has at the same addresses, in a file that both have mapped. On a
/// machine with caches contents travel within the device server: what the program has changed goes
/// to the device before a launch or a copy, and what the device has written comes back when the
/// program has waited. The program may not touch it while launches run, as on GPUs without
/// concurrent managed access. The child of a fork has none of it.
class managed_memory {
public:
    managed_memory() = default;
    managed_memory(const managed_memory&) = delete;
    managed_memory& operator=(const managed_memory&) = delete;
    ~managed_memory() { forget(); }

    /// Shares bytes of the device, zeros or, `keep`, what is there. Whether the program's addresses
    /// are free.
    bool map(device_session& device, std::uint32_t address, std::uint64_t bytes, bool keep);
    void unmap(device_session& device, std::uint32_t address);
    /// The device is gone.
    void forget();
    /// Whether the program has this address by it.
    [[nodiscard]] bool has(std::uint32_t address) const;
    [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }

    /// What the program has changed, to the device.
    void to_device(device_session& device);
    /// The device may have changed it.
    void touched() noexcept { stale_ = travels_; }
    /// What the device may have changed, to the program; bytes that the program has changed
    /// meanwhile stay.
    void to_program(device_session& device);

private:
    std::map<std::uint32_t, std::uint64_t> ranges_;  ///< addresses and bytes
    bool travels_ = false;
    bool stale_ = false;
};

}  // namespace heddle::cuda
