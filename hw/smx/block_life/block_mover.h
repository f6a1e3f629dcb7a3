// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "hw/smx/block_life/block_image.h"
#include "hw/smx/memory_port/memory_port.h"
#include "models/device/device_runtime.h"

namespace heddle {

/// Bytes from the beginning of a block's state.
using state_offset = strong_index<struct state_offset_tag>;

/// Takes the state of blocks to memory, and brings it back, here or to another SMX. Wang et al.,
/// "Dynamic Thread Block Launch", ISCA 2015, 2.4: the state of a parent that synchronizes is saved.
///
/// The state (block_image) goes to memory and back past L1, in requests of up to a line, as many a
/// cycle as the port takes. Dirty lines of the block's private memory are written back first; its
/// private regions stay the block's. One block at a time moves.
///
/// Order of calls at an edge: port.receive(), ..., leave(), cycle(), take_moved(), port.transmit().
class block_mover final : private protocol::naming_requester<state_offset> {
public:
    /// All of it outlives the mover.
    struct parts {
        const execution_parts& execution;
        memory_port& port;
        device_runtime& runtime;   ///< has memory for the states
        std::uint32_t line_bytes;  ///< the longest request
        block_image image;
    };
    explicit block_mover(const parts& of) : of_(of) {}

    /// A block whose warps all rest is saved from now on. False: memory has no room for its state.
    [[nodiscard]] bool leave(unsigned slot, protocol::block_outcome why, std::uint64_t edge);
    /// A block that left before has got a slot: its state is fetched from now on.
    void come_back(unsigned slot);
    /// True: something has changed.
    bool cycle();

    /// A block whose state has been moved.
    struct moved_block {
        unsigned slot = 0;
        bool left = false;  ///< memory has its state; else it is here again
        protocol::block_outcome why = protocol::block_outcome::running;
        protocol::saved_block saved;
        block_image::words state;
    };
    /// The one that has been moved in this cycle, if one has.
    [[nodiscard]] std::optional<moved_block> take_moved();
    /// The block's warps go on as they were, its place in memory is free. Returns the lanes that
    /// live, by warp of the block.
    std::vector<isa::lane_mask> restore(const moved_block& back, std::uint64_t edge);

    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

private:
    struct job {
        moved_block block;
        bool written_back = false;  ///< its dirty private lines have been sent
        std::size_t place = 0;      ///< in L1D: lines before it are clean
        std::size_t sent = 0;       ///< bytes
        std::size_t answered = 0;   ///< bytes
    };

    bool write_back(job& j);
    bool send(job& j);
    [[nodiscard]] bool over(const job& j) const;
    void responded(memory_request& answer) override;

    const parts of_;
    std::deque<job> jobs_;  ///< the first one moves
    std::optional<moved_block> moved_;
};

}  // namespace heddle
