// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/machine_configuration.h"

namespace heddle {

/// Warps that can be resident on one SMX.
[[nodiscard]] constexpr unsigned warp_slots(const machine_configuration& machine) noexcept {
    return machine.smx.max_threads / machine.warp_size;
}

/// Warps that can be resident on the machine.
[[nodiscard]] constexpr unsigned resident_warps(const machine_configuration& machine) noexcept {
    return machine.smx_count * warp_slots(machine);
}

}  // namespace heddle
