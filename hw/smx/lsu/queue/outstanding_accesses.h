// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/l1/line_user.h"
#include "hw/smx/lsu/queue/memory_client.h"
#include "hw/smx/warp_scheduler/warp_view.h"
#include "models/base/strong_index.h"

namespace heddle {

/// What each owner has under way, by count.
class outstanding_accesses {
public:
    outstanding_accesses(memory_client& client, unsigned owners)
        : client_(client), instructions_(owners), writes_(owners) {}

    /// Instructions that have not completed.
    [[nodiscard]] std::uint32_t instructions(access_owner owner) const noexcept {
        return instructions_[owner];
    }
    [[nodiscard]] of_each_warp<std::uint32_t> instructions_by_owner() const noexcept {
        return {instructions_[access_owner(0)], sizeof(std::uint32_t)};
    }
    /// Stores and atomics in the queue, requests that change memory and have no answer yet, and
    /// lines of L1D with stores to global memory that wait to be written back.
    [[nodiscard]] std::uint32_t writes(access_owner owner) const noexcept { return writes_[owner]; }

    void start_instruction(access_owner owner) noexcept { ++instructions_[owner]; }
    void end_instruction(access_owner owner) noexcept { --instructions_[owner]; }
    void start_write(access_owner owner) noexcept { ++writes_[owner]; }
    /// Tells the client if it was the owner's last.
    void end_write(access_owner owner) {
        if (--writes_[owner] == 0) client_.writes_drained(owner);
    }

private:
    memory_client& client_;
    strong_vector<access_owner, std::uint32_t> instructions_;
    strong_vector<access_owner, std::uint32_t> writes_;
};

}  // namespace heddle
