// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/progress_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/device/kernel_fault.h"
#include "models/simt/fault_text.h"

namespace heddle::simt {

std::string no_progress_text(std::uint64_t count, const char* unit, const char* parameter) {
    return fmt::format(
        "no progress: for {} {} no store or atomic has changed a value, and no block has started, "
        "ended or passed a barrier ({})",
        count, unit, parameter);
}

std::string block_text(const std::string& kernel, const dim3& block) {
    return fmt::format("kernel '{}', block {}: ", kernel, to_text(block));
}

std::string warp_text(const std::string& kernel, const dim3& block, unsigned warp) {
    return fmt::format("kernel '{}', block {}, warp {}: ", kernel, to_text(block), warp);
}

std::string divergence_text(const program::image& image, const lane_group& running,
                            const lane_group& waiting) {
    return fmt::format("lanes 0x{:x} are at {}; lanes 0x{:x} wait for them at {}", running.lanes,
                       place_text(image, running.pc), waiting.lanes, place_text(image, waiting.pc));
}

std::string simt_deadlock_text(const program::image& image, const lane_group& running,
                               const lane_group& waiting) {
    return fmt::format(
        "SIMT deadlock? lanes 0x{:x} spin at {}; lanes 0x{:x} wait for them at {}; locks need "
        "heddle::warp_lock",
        running.lanes, place_text(image, running.pc), waiting.lanes, place_text(image, waiting.pc));
}

std::string global_barrier_text(const std::string& kernel, std::uint32_t waiting,
                                std::uint32_t expected, std::uint64_t not_started) {
    std::string text = fmt::format("kernel '{}': {} of {} blocks wait at the global barrier",
                                   kernel, waiting, expected);
    if (not_started != 0) {
        text += fmt::format(
            ", {} have not started because the others hold their places; with coop.enabled the "
            "kernel would run with fewer",
            not_started);
    }
    return text;
}

std::string first_warps_text(std::vector<std::string> warps) {
    constexpr std::size_t most_lines = 8;
    const auto goes_on = [](const std::string& warp) {
        return warp.find(at_barrier) == std::string::npos &&
               warp.find(threads_at_barrier) == std::string::npos;
    };
    const auto waiting = std::stable_partition(warps.begin(), warps.end(), goes_on);
    const std::size_t shown = std::min(most_lines, warps.size());
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) text += "\n  " + warps[i];
    if (shown != warps.size()) {
        const auto hidden = warps.begin() + static_cast<std::ptrdiff_t>(shown);
        text += fmt::format("\n  and {} more warps, {} of them at a barrier", warps.end() - hidden,
                            warps.end() - std::max(hidden, waiting));
    }
    return text;
}

}  // namespace heddle::simt
