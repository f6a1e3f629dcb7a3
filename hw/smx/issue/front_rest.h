// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// What a front that has nothing to do at the next edge waits for.
struct front_rest {
    std::uint64_t due;  ///< next edge at which something comes without an event from outside
    /// Next edge at which a scheduler has its turn; ~0 if turns that matter are due themselves.
    std::uint64_t turn;
    bool may_issue;  ///< a turn at the next edge, if there was one, might issue something
    bool used;       ///< something has changed at this edge, and all of it has been used
};

}  // namespace heddle
