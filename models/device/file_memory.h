// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/device/device.h"

namespace heddle {

/// A device that can have pages of its memory in a file that a host program has mapped, so that
/// both see the same bytes at once.
class file_memory {
public:
    file_memory() = default;
    file_memory(const file_memory&) = delete;
    file_memory& operator=(const file_memory&) = delete;
    virtual ~file_memory() = default;

    /// Whole pages, while nothing runs. Those of the file, which are zeros, are the device's from
    /// now on. `keep`: with what the device has there. Throws run_error.
    virtual void use_file(device_address address, std::uint64_t bytes, int file,
                          std::int64_t offset, bool keep) = 0;
    /// The device has zeros there again.
    virtual void leave_file(device_address address, std::uint64_t bytes) = 0;
};

}  // namespace heddle
