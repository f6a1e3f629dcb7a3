// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "models/device/launch_id.h"

namespace heddle {

/// Which launches have not ended, and which of them wait for others: a launch has ended when its
/// own blocks and all launches that its kernel has made have ended. O(1) for each launch that is
/// entered or ends, however many there are.
class launch_tree {
public:
    /// Who has made a launch.
    struct maker {
        launch_id launch;  ///< none: the host
        std::uint32_t block = 0;
    };

    /// Enters a launch. `parent` is the launch whose block `block` has made it; none: the host.
    /// False, and no change, if the launch is there already or its parent is not.
    [[nodiscard]] bool add(launch_id launch, launch_id parent, std::uint32_t block);

    /// The last block of a launch has ended. Calls ended(id, maker) for each launch that has ended
    /// now, children first; none if the launch still waits for others. False, and no call, if the
    /// launch is not there or its blocks had ended before.
    template <class Ended>
    [[nodiscard]] bool blocks_ended(launch_id launch, Ended&& ended) {
        const auto found = nodes_.find(launch);
        if (found == nodes_.end() || found->second.blocks_ended) return false;
        found->second.blocks_ended = true;
        launch_id next = launch;
        while (next != launch_id{} && is_over(next)) {
            const launch_id over = next;
            const maker by = remove(over);
            next = by.launch;
            ended(over, by);
        }
        return true;
    }

    /// Launches made by this block that have not ended.
    [[nodiscard]] std::uint32_t open_children(launch_id launch, std::uint32_t block) const;
    [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

private:
    struct node {
        maker by;
        std::uint32_t open_children = 0;
        bool blocks_ended = false;
    };

    [[nodiscard]] bool is_over(launch_id launch) const;
    maker remove(launch_id launch);

    std::unordered_map<launch_id, node> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> open_by_block_;  ///< those that have any
};

}  // namespace heddle
