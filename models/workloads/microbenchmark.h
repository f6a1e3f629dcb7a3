// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/device/device.h"

namespace heddle::workloads {

/// When each warp of a launch began and ended: device memory for store_clocks() of
/// microbenchmark_kernel.h.
class warp_clocks {
public:
    /// For a launch of `shape` on `gpu`; its grid has one dimension.
    warp_clocks(device& gpu, const launch_shape& shape);

    [[nodiscard]] device_ptr<std::uint32_t> get() const noexcept { return clocks_.get(); }
    /// Core cycles from the first begin to the last end. The functional simulator counts
    /// instructions instead. Waits for the launch.
    [[nodiscard]] std::uint64_t span() const;

private:
    device_buffer<std::uint32_t> clocks_;
};

}  // namespace heddle::workloads
