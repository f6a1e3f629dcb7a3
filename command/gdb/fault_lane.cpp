// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/fault_lane.h"

#include <cstdint>
#include <cstdio>

namespace heddle::command::gdb {

std::optional<unsigned> fault_lane(const std::string& message, const simt::debugged_warp& warp) {
    const std::size_t at = message.find("thread (");
    dim3 index{0, 0, 0};
    if (at == std::string::npos ||
        std::sscanf(message.c_str() + at, "thread (%u,%u,%u)", &index.x, &index.y, &index.z) != 3) {
        return std::nullopt;
    }
    const dim3& extent = warp.block().block;
    const std::uint64_t linear =
        index.x + std::uint64_t{extent.x} * (index.y + std::uint64_t{extent.y} * index.z);
    if (linear / warp.lanes() != warp.index()) return std::nullopt;
    return static_cast<unsigned>(linear % warp.lanes());
}

}  // namespace heddle::command::gdb
