// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/device/device.h"
#include "models/program/image.h"
#include "models/simt/reconvergence_stack.h"

/// Who waits for what when a run gets nowhere, in the same words whoever executes it.
namespace heddle::simt {

/// "no progress: for 5000 cycles ... (gpu.watchdog)": for how long, and the limit's parameter.
[[nodiscard]] std::string no_progress_text(std::uint64_t count, const char* unit,
                                           const char* parameter);

/// "kernel 'lock', block (0,0,0): ".
[[nodiscard]] std::string block_text(const std::string& kernel, const dim3& block);
/// "kernel 'lock', block (0,0,0), warp 1: ".
[[nodiscard]] std::string warp_text(const std::string& kernel, const dim3& block, unsigned warp);

/// The lanes of `running` go on while those of `waiting` wait for them where they meet.
[[nodiscard]] std::string divergence_text(const program::image& image, const lane_group& running,
                                          const lane_group& waiting);
/// Likewise, if this lasts while nothing makes progress: under a reconvergence stack, those that
/// wait may hold what the others want.
[[nodiscard]] std::string simt_deadlock_text(const program::image& image, const lane_group& running,
                                             const lane_group& waiting);

/// What keeps a cooperative kernel at its global barrier.
[[nodiscard]] std::string global_barrier_text(const std::string& kernel, std::uint32_t waiting,
                                              std::uint32_t expected, std::uint64_t not_started);

/// What a warp, or threads, at a barrier do.
inline constexpr const char* at_barrier = "waits at the barrier";
inline constexpr const char* in_call = "waits";
inline constexpr const char* threads_at_barrier = "wait at the barrier";

/// One line a warp for the first ones, each after "\n  ", and how many are left out. Those at a
/// barrier come last: the others keep them there.
[[nodiscard]] std::string first_warps_text(std::vector<std::string> warps);

}  // namespace heddle::simt
