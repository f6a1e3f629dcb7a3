// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <unordered_map>

#include "hw/protocol/block_dispatch.h"
#include "models/device/device_runtime.h"
#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// The states of suspended blocks in memory, which all stub SMXs share: what one of them has saved
/// must come to the one where the block goes on.
class saved_states {
public:
    saved_states(testbench& bench, device_runtime& runtime) : bench_(bench), runtime_(runtime) {}

    /// Saves a block that has waited `rounds` times with this time. Sets where its state lies.
    void save(protocol::block_dispatch& block, unsigned rounds, std::uint32_t bytes) {
        block.saved = {runtime_.saved_states().allocate(block.sm, bytes, ++calls_), bytes};
        const bool fresh =
            states_.emplace(block.saved.address, state{block.launch, block.block, rounds}).second;
        bench_.check(block.saved.address != 0 && fresh, "a save area has two owners");
    }
    /// Gives the area back. Returns how often the block has waited.
    unsigned restore(const protocol::block_dispatch& block) {
        const auto found = states_.find(block.saved.address);
        if (!bench_.check(found != states_.end() && found->second.launch == block.launch &&
                              found->second.block == block.block,
                          "block " + std::to_string(block.block) + " of launch " +
                              to_text(block.launch) + " comes back with another block's state")) {
            return 0;
        }
        const unsigned rounds = found->second.rounds;
        states_.erase(found);
        runtime_.saved_states().release(block.saved.address, block.saved.bytes, ++calls_);
        return rounds;
    }
    [[nodiscard]] bool empty() const noexcept { return states_.empty(); }

private:
    struct state {
        launch_id launch;
        std::uint32_t block;
        unsigned rounds;
    };
    testbench& bench_;
    device_runtime& runtime_;
    std::uint64_t calls_ = 0;  ///< stand for edges: each is later than the one before
    std::unordered_map<std::uint32_t, state> states_;  ///< by address
};

}  // namespace heddle::launch_tb
