// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/protocol/kde_update.h"
#include "hw/smx/blocks/warp_keeper.h"
#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/local_memory/local_memory.h"
#include "hw/smx/lsu/memory_port.h"
#include "models/device/device_runtime.h"

namespace heddle {

/// What a block keeper works with; all of it outlives the keeper.
struct keeper_environment {
    clocked& owner;  ///< the SMX's core, which is woken when blocks have to leave
    execution_parts parts;
    memory_port& port;
    device_runtime& runtime;
    local_memory& shared;
    warp_keeper& warps;
    std::uint32_t line_bytes;  ///< the longest request
};

/// Takes blocks that wait for their children, or have been told to make room, to memory, and brings
/// them back, here or to another SMX. Wang et al., "Dynamic Thread Block Launch", ISCA 2015, 2.4:
/// the state of a parent that synchronizes is saved.
///
/// The state is, for each warp that has not ended, 31 registers, rounding modes, PC and formation,
/// and the block's shared memory, and for a cooperative block the call that it waits at. It goes to
/// memory and back past L1, in requests of up to a line,
/// as many a cycle as the port takes. Dirty lines of the block's private memory are written back
/// first; its private regions stay the block's. One block at a time moves.
///
/// Blocks that the SMX scheduler tells to leave stop first: their warps issue nothing any more. A
/// block that comes back or starts at the same edge is one of them.
///
/// Order of calls at an edge: port.receive(), ..., stop_warps(), leave(), cycle(), take_left(),
/// take_back(), port.transmit().
class block_keeper final : private memory_requester {
public:
    explicit block_keeper(const keeper_environment& environment);

    /// kde_link: all blocks of a launch have to leave.
    tlm::tlm_sync_enum preempt(protocol::kde_update& update);
    /// Blocks that are told to leave are held. True: something has changed.
    bool stop_warps();
    /// Block slots whose block has been told to leave.
    [[nodiscard]] std::uint64_t told() const noexcept { return told_; }
    [[nodiscard]] bool told(unsigned slot) const noexcept { return bits::test(told_, slot); }
    /// The block has left or ended, or need not leave at once.
    void forget(unsigned slot) noexcept { told_ &= ~bits::one(slot); }
    /// The block, which could not leave, goes on.
    void let_go(unsigned slot);

    /// Whether all live warps of a block wait, those in `waiting` for children or because they are
    /// held, the others at its barrier, and nothing of them is under way.
    [[nodiscard]] bool may_leave(unsigned slot, protocol::warp_mask waiting) const;
    /// A block that may leave is saved from now on. False: memory has no room for its state.
    [[nodiscard]] bool leave(unsigned slot);
    /// A suspended block has got a slot: its state is fetched from now on.
    void come_back(unsigned slot);
    /// True: something has changed.
    bool cycle();

    /// The block that has been saved in this cycle, if one has.
    [[nodiscard]] std::optional<unsigned> take_left();
    /// The block whose state has come in this cycle, if one has.
    [[nodiscard]] std::optional<unsigned> take_back();
    /// Its warps go on as they were. Returns the lanes that live, by warp of the block.
    std::vector<isa::lane_mask> restore(unsigned slot, std::uint64_t edge);
    /// Where its state lies.
    [[nodiscard]] const protocol::saved_block& saved() const noexcept { return done_.saved; }

    [[nodiscard]] bool busy() const noexcept {
        return !jobs_.empty() || told_ != 0 || !preemptions_.empty();
    }
    /// Block slots whose blocks are on their way.
    [[nodiscard]] std::uint64_t slots() const noexcept { return slots_; }
    /// For the wait-for report; empty if nothing waits.
    [[nodiscard]] std::string waiting_for() const;

private:
    using words = std::vector<std::uint32_t>;
    struct job {
        unsigned slot = 0;
        bool leaves = false;
        bool written_back = false;  ///< its dirty private lines have been sent
        std::size_t place = 0;      ///< in L1D: lines before it are clean
        protocol::saved_block saved;
        words state;
        std::size_t sent = 0;      ///< bytes
        std::size_t answered = 0;  ///< bytes
    };

    [[nodiscard]] words state_of(unsigned slot) const;
    void save_warp(unsigned slot, unsigned warp, words& to) const;
    void restore_warp(unsigned slot, unsigned warp, const std::uint32_t* from, bool at_barrier);
    bool write_back(job& j);
    bool send(job& j);
    [[nodiscard]] bool over(const job& j) const;
    void responded(memory_request& answer) override;

    const keeper_environment environment_;
    inbox<pool_ptr<protocol::kde_update>> preemptions_;
    std::uint64_t told_ = 0;  ///< block slots
    std::deque<job> jobs_;    ///< the first one moves
    job done_;                ///< the last one that was over
    std::optional<unsigned> left_;
    std::optional<unsigned> back_;
    std::uint64_t slots_ = 0;
};

}  // namespace heddle
