// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/cosim/pins/block_choice.h"
#include "models/device/launch_table.h"

namespace heddle {

/// Refuses launches whose kernels need what SMXs behind pins don't have, before a block of them
/// begins: throws configuration_error, which names the kernel, the mechanism and the PC.
class pins_guard final : public launch_observer {
public:
    /// What slot.smx has; not tlm.
    explicit pins_guard(pins::block_implementation what) : what_(what) {}

    void launched(const prepared_launch& launch) override;

private:
    const pins::block_implementation what_;
};

}  // namespace heddle
