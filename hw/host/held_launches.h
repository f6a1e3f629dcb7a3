// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "hw/protocol/kernel_launch.h"
#include "models/device/device.h"

namespace heddle {

/// Launches that wait for events, and those behind them in their streams.
class held_launches {
public:
    using launch_pointer = pool_ptr<protocol::kernel_launch>;

    /// The next launch of the stream waits for the event, too.
    void hold(stream_id stream, event_id event) { events_[stream.value()].push_back(event); }
    /// Whether a launch of the stream must not begin now.
    [[nodiscard]] bool holds(stream_id stream) const;
    /// The next launch of a stream that holds.
    void add(stream_id stream, launch_pointer launch);
    /// Takes out those that may begin, in the order in which they came. `done` says whether events
    /// have happened.
    [[nodiscard]] std::vector<launch_pointer> take(
        const std::function<bool(const std::vector<event_id>&)>& done);

private:
    struct held_launch {
        std::size_t stream;
        std::vector<event_id> after;
        launch_pointer launch;
    };

    std::map<std::size_t, std::vector<event_id>> events_;  ///< of the next launch, by stream
    std::deque<held_launch> launches_;                     ///< in the order in which they came
};

}  // namespace heddle
