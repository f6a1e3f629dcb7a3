// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>

#include "models/device/basic_device.h"

namespace heddle {

/// Carries out launches without time: the beginning of a run that only its later kernels are
/// measured in. The netlist chooses who does it.
class fast_forward {
public:
    virtual ~fast_forward() = default;

    /// Device memory by address, the whole address space.
    [[nodiscard]] virtual std::byte* memory() noexcept = 0;
    /// Enqueues a launch, which outlives run(); of one stream they run in order.
    virtual void launch(const prepared_launch& launch) = 0;
    /// Runs all that are enqueued to their end. Throws what the functional simulator throws.
    virtual void run() = 0;
};

}  // namespace heddle
