// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>

#include "models/device/basic_device.h"

namespace heddle {

/// Follows what the host does to the timed machine's memory, for the lock-step check. Calls come in
/// the host's thread, in program order. Of launches a launch_observer hears.
class device_observer {
public:
    virtual ~device_observer() = default;

    /// The host has put bytes into device memory, or the launches of fast_forward have.
    virtual void wrote(device_address to, const void* from, std::size_t bytes) = 0;
    /// The host has waited: every launch so far has ended.
    virtual void settled() = 0;
};

}  // namespace heddle
