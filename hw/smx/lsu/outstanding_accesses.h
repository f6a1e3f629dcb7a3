// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/lsu/memory_client.h"
#include "models/base/strong_index.h"

namespace heddle {

/// What each warp has under way, by count.
class outstanding_accesses {
public:
    outstanding_accesses(memory_client& client, unsigned warps)
        : client_(client), instructions_(warps), writes_(warps) {}

    /// Instructions that have not completed.
    [[nodiscard]] std::uint32_t instructions(warp_slot warp) const noexcept {
        return instructions_[warp];
    }
    /// Stores and atomics in the queue, and requests that change memory and have no answer yet.
    [[nodiscard]] std::uint32_t writes(warp_slot warp) const noexcept { return writes_[warp]; }

    void start_instruction(warp_slot warp) noexcept { ++instructions_[warp]; }
    void end_instruction(warp_slot warp) noexcept { --instructions_[warp]; }
    void start_write(warp_slot warp) noexcept { ++writes_[warp]; }
    /// Tells the client if it was the warp's last.
    void end_write(warp_slot warp) {
        if (--writes_[warp] == 0) client_.writes_drained(warp);
    }

private:
    memory_client& client_;
    strong_vector<warp_slot, std::uint32_t> instructions_;
    strong_vector<warp_slot, std::uint32_t> writes_;
};

}  // namespace heddle
