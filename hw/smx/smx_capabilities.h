// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

struct machine_configuration;
class part_configurations;
struct smx_configuration;

/// What the SMXs of a machine are able to do. Whoever builds the machine computes it once; nobody
/// derives it from the configuration again.
struct smx_capabilities {
    unsigned warp_slots = 0;
    /// Bytes of shared memory between the windows of two block slots. Each slot has a window for
    /// the largest block; the SMX scheduler's account keeps the sum of what blocks use within
    /// smx.shared_bytes, so that no block finds the memory fragmented.
    std::uint32_t shared_stride = 0;
    bool thread_pool = false;  ///< threads issue from a pool, else from warp slots
    bool shared_pool = false;  ///< one for all schedulers, else each has one
    /// Each lane has its own units and write-back port, and takes threads whatever their PCs.
    bool lane_units = false;
    /// Threads come back from memory when their own data is there, not with their whole group.
    bool individual_return = false;
    bool transactions = false;
    unsigned transactions_at_once = 0;  ///< contexts of the tm_engine
    bool launches = false;              ///< kernels launch kernels and groups
    bool cooperates = false;            ///< calls of cooperative blocks are answered
    bool preempts = false;              ///< is told which blocks have to leave
    bool saves = false;                 ///< there is memory for blocks that leave

    /// Of an SMX without a KMU and an SMX scheduler that hear it.
    [[nodiscard]] smx_capabilities alone() const noexcept;
};

/// Throws configuration_error unless an SMX has 1 to 64 warp slots.
[[nodiscard]] smx_capabilities capabilities_of(const machine_configuration& machine,
                                               const smx_configuration& smx,
                                               const part_configurations& formation_parameters);

}  // namespace heddle
