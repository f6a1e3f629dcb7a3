// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/device/launch_id.h"

namespace heddle {

/// Which warps a retire file follows.
struct retire_scope {
    struct range {
        std::uint64_t first = 0;
        std::uint64_t last = ~std::uint64_t{0};

        [[nodiscard]] bool contains(std::uint64_t value) const noexcept {
            return first <= value && value <= last;
        }
    };
    range smx;
    range launch;  ///< of the host's launches, from 1, as in the timeline
    range block;   ///< linear index in the grid
    range warp;    ///< in the block
};

/// "smx=0,block=3-5,warp=1": keys smx, launch, block and warp, each with a number or first-last;
/// what is not named is not restricted. Throws configuration_error that names the option.
retire_scope parse_retire_scope(const std::string& text);

/// Whether one of the scopes holds the warp; no scopes hold everything.
[[nodiscard]] bool in_scope(const std::vector<retire_scope>& scopes, std::uint64_t smx,
                            launch_id launch, std::uint64_t block, std::uint64_t warp) noexcept;

}  // namespace heddle
