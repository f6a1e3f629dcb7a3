// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
    /// The next launch of the stream begins when that one has ended. Throws likewise.
    void hold(stream_id stream, std::uint64_t launch);
    /// Whether one has not ended.
    [[nodiscard]] bool any_open() const;
    /// For a device without time: those that have ended did so now at the latest.
    void note_ended(std::uint64_t now);
    /// Those that have ended since the last call, in order.
    [[nodiscard]] std::vector<ended_launch> take_ended(std::uint64_t now);

private:
    struct open_launch {
        std::uint64_t number;
        launch_number launch;  ///< as the device counts
        event_id done;
        std::uint64_t submitted;
        std::optional<std::uint64_t> ended;  ///< by note_ended()
    };

    /// Null: it has ended, and this was told.
    [[nodiscard]] const open_launch* find(std::uint64_t launch) const;

    device& gpu_;
    std::uint64_t count_ = 0;
    std::vector<open_launch> open_;  ///< in order
    std::size_t noted_ = 0;          ///< the first ones of these, which have ended
};

}  // namespace heddle::runtime
