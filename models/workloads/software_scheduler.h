// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/device/device.h"

namespace heddle::workloads {

/// A frame of the display task, in cycles (on the functional simulator: in warp instructions).
struct display_frame {
    std::uint64_t due = 0;    ///< when the display wants it begun: the grid of the periods
    std::uint64_t asked = 0;  ///< when it was launched: when due, or when the one before was shown
    std::uint64_t shown = 0;  ///< when its end was seen
};

/// The words of the scheduler in software, and what it has written down: the host's side of
/// software_scheduler_kernel.h. For one launch of `workers` + 1 blocks.
class software_scheduler {
public:
    /// Most frames of a display.
    static constexpr std::uint32_t capacity = 4096;

    /// A display that wants a frame at each multiple of `period`, of `share` workers.
    struct display {
        std::uint32_t period = 0;  ///< 0: none
        std::uint32_t share = 0;
        std::uint32_t tiles = 0;
        device_ptr<float> a, b, c;
    };

    software_scheduler(device& gpu, std::uint32_t workers, const display& task);

    [[nodiscard]] device_ptr<std::uint32_t> words() const noexcept { return words_.get(); }

    /// What the scheduler has seen. Precondition: its launch has ended.
    struct record {
        std::vector<display_frame> frames;  ///< from the scheduler's start
        double gather_time = 0;  ///< from the asking for workers to the last one's coming, mean
        std::uint32_t kernel_end = 0;  ///< low word of the clock
        std::uint32_t kills = 0;       ///< blocks that were told to end
        std::uint32_t forks = 0;       ///< blocks that were started while the kernel ran
        bool full = false;             ///< there may have been more frames
    };
    [[nodiscard]] record read() const;

private:
    device_buffer<std::uint32_t> arrived_, jobs_;
    std::optional<device_buffer<std::uint32_t>> frames_;
    device_buffer<std::uint32_t> words_;
};

}  // namespace heddle::workloads
