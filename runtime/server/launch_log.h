// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "models/device/device.h"
#include "runtime/protocol/commands.h"

namespace heddle::runtime {

/// The launches of a program, by the numbers that both ends count, and which have ended.
class launch_log {
public:
    explicit launch_log(device& gpu) noexcept : gpu_(gpu) {}

    /// The next number, of a launch that has been enqueued now.
    void add(launch_number launch, stream_id stream, std::uint64_t now);
    /// The next number, of one that was refused.
    void add_refused();
    /// Lets time pass until it has ended. Throws configuration_error for a number that is not
    /// known.
    void wait(std::uint64_t launch);
    /// Whether one has not ended.
    [[nodiscard]] bool any_open() const;
    /// Those that have ended since the last call, in order. A device without time has found out
    /// now.
    [[nodiscard]] std::vector<ended_launch> take_ended(std::uint64_t now);

private:
    struct open_launch {
        std::uint64_t number;
        launch_number launch;  ///< as the device counts
        event_id done;
        std::uint64_t submitted;
    };

    device& gpu_;
    std::uint64_t count_ = 0;
    std::vector<open_launch> open_;  ///< in order
};

}  // namespace heddle::runtime
