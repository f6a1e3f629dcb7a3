// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <vector>

#include "models/device/device.h"
#include "models/device/launch_id.h"
#include "models/device/launch_limits.h"

namespace heddle {

struct held_program;

/// A checked launch whose parameters lie in device memory.
struct prepared_launch {
    launch_id id;
    launch_id parent;                       ///< the launch whose kernel made it; none: the host
    const held_program* program = nullptr;  ///< the kernel's; valid as long as the launch
    const program::kernel* kernel = nullptr;
    launch_shape shape;
    block_resources per_block;      ///< within the limits of the machine
    device_address parameters = 0;  ///< parameter buffer, in the runtime reserve
    // Of a launch by a kernel:
    std::uint32_t parent_block = 0;  ///< linear, in the parent's grid
    std::uint32_t depth = 0;         ///< levels below a launch by the host
    bool group = false;              ///< an aggregated group, not a kernel of its own
};

/// Names the stream of a kernel that block `block` of launch `parent` has launched: stream 0 is the
/// block's own. No two streams have the same key, and no key is one of the host's streams.
[[nodiscard]] constexpr std::uint64_t stream_key(launch_id parent, std::uint32_t block,
                                                 std::uint32_t stream) noexcept {
    constexpr std::uint64_t of_block = std::uint64_t{1} << 63;
    constexpr std::uint64_t of_kernel = std::uint64_t{1} << 32;
    return stream != 0 ? of_kernel | stream
                       : of_block | std::uint64_t{parent.value()} << 31 | block;
}

/// Hears of the launches of a run, whoever makes them: the lock-step check, recorders.
class launch_observer {
public:
    virtual ~launch_observer() = default;

    /// The launch call executes. The launch stays valid until it has ended; none of its blocks has
    /// begun.
    virtual void launched(const prepared_launch& launch) = 0;
};

/// The launches of a device that have been made and have not ended. Who makes a launch enters it
/// here, the host or hardware, and all others learn from its entry what it is.
/// O(1) a call, however many launches there are.
class launch_table {
public:
    /// From now on `observer`, which outlives the run, hears of each announced launch. Observers
    /// are called in the order in which they came.
    void observe(launch_observer& observer) { observers_.push_back(&observer); }

    /// Enters a launch; the entry keeps its address until it is removed. Null, and no change, if
    /// the id is none or in the table already.
    [[nodiscard]] const prepared_launch* enter(const prepared_launch& launch);
    /// As enter(), and tells the observers.
    [[nodiscard]] const prepared_launch* announce(const prepared_launch& launch);
    /// The launch has ended: its entry goes. False if there is none.
    [[nodiscard]] bool remove(launch_id id);

    /// Null if no launch of that id is in the table.
    [[nodiscard]] const prepared_launch* find(launch_id id) const;
    [[nodiscard]] std::size_t size() const noexcept { return launches_.size(); }
    /// Of the launches that satisfy the condition the one with the lowest id; null: none does.
    /// O(launches).
    [[nodiscard]] const prepared_launch* first(
        const std::function<bool(const prepared_launch&)>& condition) const;

private:
    std::unordered_map<launch_id, prepared_launch> launches_;
    std::vector<launch_observer*> observers_;
};

}  // namespace heddle
