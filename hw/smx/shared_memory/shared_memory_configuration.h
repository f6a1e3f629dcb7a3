// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// The shared memory of an SMX, keys `shared.`. Its size is smx.shared_bytes.
struct shared_memory_configuration {
    std::uint32_t banks = 32;  ///< each one word of 4 bytes wide
    /// Cycles from the access to the value, without bank conflicts.
    std::uint32_t latency = 28;
    /// Cycles that each turn of the banks beyond the first adds to it.
    std::uint32_t replay_latency = 1;

    /// Cycles that the banks need for each turn of a store or atomic.
    std::uint32_t write_interval = 1;

    void declare(parameter_list& p);
};

}  // namespace heddle
