// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <utility>

#include "models/base/cooperation_configuration.h"
#include "models/base/launch_configuration.h"
#include "models/base/parameter.h"
#include "models/base/transaction_configuration.h"

namespace heddle {

/// What one SMX can hold: the limits that decide how many thread blocks are resident. The defaults
/// are the K20c's, see configs/gk110.toml.
struct smx_limits {
    std::uint32_t max_blocks = 16;
    std::uint32_t max_threads = 2048;
    std::uint32_t registers = 65536;
    std::uint32_t register_granule = 8;
    std::uint32_t shared_bytes = 49152;
    std::uint32_t private_bytes = 8192;

    void declare(parameter_list& p);
};

/// How the functional simulator takes turns, and when it gives up.
struct iss_configuration {
    std::uint64_t quantum = 256;
    std::uint64_t watchdog = 100'000'000;

    void declare(parameter_list& p);
};

/// The machine as the functional simulator sees it.
struct machine_configuration {
    machine_configuration() = default;
    explicit machine_configuration(transaction_configuration transactions)
        : tm(std::move(transactions)) {}

    std::uint32_t warp_size = 32;
    std::uint32_t smx_count = 13;
    smx_limits smx;
    iss_configuration iss;
    launch_configuration launch;
    transaction_configuration tm;
    cooperation_configuration coop;

    void declare(parameter_list& p);
};

}  // namespace heddle
