// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/protocol/block_dispatch.h"
#include "hw/smx/blocks/block_states.h"
#include "hw/smx/blocks/fault_reporter.h"
#include "hw/smx/pipeline/issue_number.h"
#include "hw/smx/pipeline/thread_group.h"
#include "hw/smx/warp_scheduler/warp_view.h"
#include "models/base/bits.h"
#include "models/base/level_meter.h"
#include "models/base/machine_configuration.h"
#include "models/device/execution_counts.h"
#include "models/simt/block_threads.h"
#include "models/simt/special_registers.h"

namespace heddle {

/// The thread blocks of an SMX and the home warps of their threads: starts, barriers, ends.
///
/// Each warp slot is the home of warp_size threads of one block from its start to its end, however
/// warps are formed. Barriers count threads. The table makes no SystemC call and uses no other part
/// of the SMX; its user informs links, registers and caches.
class block_table {
public:
    /// A block slot: its TBCR = {KDEI, BLKID} and the block that this names.
    struct block_context {
        pool_ptr<protocol::block_dispatch> dispatch;  ///< null: the slot is free
        simt::block_identity identity;
        const program::image* image = nullptr;
        const program::kernel* kernel = nullptr;
        execution_counts* counts = nullptr;       ///< of the kernel
        protocol::warp_mask warps = 0;            ///< homes of its threads
        std::uint32_t barrier_pc = 0;             ///< where the first of them arrived
        isa::opcode call = isa::opcode::barrier;  ///< what they wait at, a barrier or a call
        std::uint32_t call_pc = 0;                ///< of a call: of the last one that arrived
        std::uint8_t start_register = 0;          ///< of a call: which has the start of new blocks
        std::uint32_t elsewhere_pc = 0;           ///< another PC where threads wait, or 0
        thread_home elsewhere{};                  ///< one of these threads
        std::uint64_t instructions = 0;           ///< issued by groups of its threads
        std::uint32_t shared_base = 0;            ///< in the shared memory of the SMX
        std::uint32_t running_warps = 0;
        simt::block_threads threads;
        bool counts_more = false;  ///< an instruction counts in rarer ways, too
        bool announced = false;    ///< the scheduler knows that its first warp may issue
    };
    /// A warp slot as the home of threads.
    struct home_warp {
        isa::lane_mask live = 0;  ///< lanes whose thread has not ended
        std::uint16_t block = 0;
        std::uint16_t index = 0;       ///< in the block
        issue_number issued{};         ///< of the last instruction of its threads
        std::uint64_t last_issue = 0;  ///< edge
    };

    /// Block slot s has its window of shared memory at s x `shared_stride`.
    block_table(const machine_configuration& machine, unsigned warps, sm_id sm,
                std::uint32_t shared_stride, fault_reporter& faults);

    [[nodiscard]] const block_context& block(unsigned slot) const noexcept { return blocks_[slot]; }
    [[nodiscard]] const home_warp& warp(unsigned slot) const noexcept { return warps_[slot]; }
    /// Edge at which each warp took its slot, and of its last instruction.
    [[nodiscard]] of_each_warp<std::uint64_t> starts() const noexcept {
        return {starts_.front(), sizeof(starts_.front())};
    }
    [[nodiscard]] of_each_warp<std::uint64_t> last_issues() const noexcept {
        return {warps_.front().last_issue, sizeof(home_warp)};
    }
    [[nodiscard]] unsigned block_slots() const noexcept {
        return static_cast<unsigned>(blocks_.size());
    }
    /// Warp slots that belong to a resident block.
    [[nodiscard]] protocol::warp_mask resident() const noexcept { return all_ & ~free_; }
    [[nodiscard]] fault_reporter& faults() noexcept { return faults_; }
    /// Reports a kernel fault of a thread at its home.
    [[gnu::cold]] void fault(unsigned warp, unsigned lane, std::uint32_t pc,
                             const std::string& what);

    /// A block takes its slot, and warp slots for its threads, lowest first. If there is no room
    /// for the block, or its kernel does not exist, reports that and returns false.
    bool start(pool_ptr<protocol::block_dispatch> dispatch, std::uint64_t edge);
    /// The warps of a block that has come back are as they were, by index in the block: lanes that
    /// have not ended, numbers of their last instructions, whether they wait at the barrier.
    struct kept_warp {
        isa::lane_mask live = 0;
        issue_number issued{};
        bool at_barrier = false;
    };
    void restore(unsigned slot, const std::vector<kept_warp>& warps, std::uint64_t edge);
    /// What a cooperative block keeps besides: the call that its threads wait at, and M.
    struct kept_call {
        isa::opcode call = isa::opcode::barrier;
        std::uint32_t pc = 0;
        std::uint8_t start_register = 0;
        std::uint32_t groups = 0;
    };
    [[nodiscard]] kept_call call_of(unsigned slot) const;
    void restore(unsigned slot, const kept_call& kept);
    /// A block whose warps all wait leaves. Its slots are free then.
    [[nodiscard]] pool_ptr<protocol::block_dispatch> leave(unsigned slot,
                                                           protocol::block_outcome outcome,
                                                           std::uint64_t edge);
    /// There are so many kernels to count for now. No block is resident.
    void count_kernels(std::size_t kernels);

    /// The threads of a group execute an instruction. Returns the number of the instruction, which
    /// is new to each of their home warps. The instructions of groups in place are numbered from 1
    /// without gaps.
    issue_number count_issue(const thread_group& group, std::uint64_t edge) noexcept;
    /// The threads of a group wait at the barrier of their block. If threads of their warp, which
    /// is in place, are elsewhere, the barrier is divergent; returns the message. Under
    /// follow_threads() they may be: then all threads have to wait at one PC.
    [[nodiscard]] std::optional<std::string> arrive(const thread_group& group,
                                                    isa::opcode call = isa::opcode::barrier);
    /// The same under follow_threads(), where `counts` counts it.
    void arrive_alone(const thread_group& group, execution_counts& counts);
    /// The threads of a group end.
    void end_threads(const thread_group& group, std::uint64_t edge);
    /// A warp of the block may issue. The start of the block is announced in this cycle, once.
    void can_issue(unsigned block) noexcept {
        if (blocks_[block].announced) return;
        blocks_[block].announced = true;
        to_announce_ |= bits::one(block);
    }

    /// A block in use goes on in another state of its life; `start`, `kill` and the end of the last
    /// thread set theirs themselves.
    void enter(unsigned slot, block_state state) noexcept { states_.set(slot, state); }
    [[nodiscard]] block_state state(unsigned slot) const noexcept { return states_.of(slot); }
    [[nodiscard]] std::uint64_t slots_in(block_state state) const noexcept {
        return states_.in(state);
    }

    /// Step (6) has something to do.
    [[nodiscard]] bool has_news() const noexcept {
        return (to_announce_ | barriers_ | states_.in(block_state::draining)) != 0;
    }
    /// Block slots whose start has to be announced, since the last call.
    [[nodiscard]] std::uint64_t take_announced() noexcept;
    /// Releases the barriers at which all threads have arrived; returns the home warps of these
    /// blocks. Threads that wait at different PCs are a kernel fault.
    [[nodiscard]] protocol::warp_mask release_barriers();
    /// The threads of a block that come to a call have the start of new blocks in this register.
    void note_start(unsigned slot, std::uint8_t start_register) noexcept {
        blocks_[slot].start_register = start_register;
    }
    /// Block slots whose threads have all arrived at a call, since the last call: they are at_call.
    [[nodiscard]] std::uint64_t take_calls() noexcept { return std::exchange(calls_, 0); }
    /// The call is over; `groups` blocks are active now. Returns the home warps of the block.
    [[nodiscard]] protocol::warp_mask release_call(unsigned slot, std::uint32_t groups);
    /// All threads of a block, which wait at a call, end.
    void kill(unsigned slot, std::uint64_t edge);
    /// A block without a live thread leaves. Its slots are free then.
    [[nodiscard]] pool_ptr<protocol::block_dispatch> end(unsigned slot, std::uint64_t edge);

    /// Before the first block: threads of a home warp need not run together. Each has a count of
    /// its instructions then.
    void follow_threads() { instructions_.assign(std::size_t{lanes_} * warps_.size(), 0); }
    /// Instructions of the threads of a home warp, by lane; null unless follow_threads().
    [[nodiscard]] const std::uint64_t* thread_instructions(unsigned warp) const noexcept {
        return instructions_.empty() ? nullptr : &instructions_[std::size_t{warp} * lanes_];
    }

    /// Blocks that have started or ended, and barriers that have released.
    [[nodiscard]] std::uint64_t progress() const noexcept { return progress_; }
    /// Warp slots of resident blocks, over time.
    [[nodiscard]] const level_meter& held_slots() const noexcept { return held_slots_; }
    /// Warps that have not ended, over time.
    [[nodiscard]] const level_meter& live_warps() const noexcept { return live_warps_; }
    /// By the numbers of program_table::kernel_labels().
    [[nodiscard]] const std::vector<execution_counts>& kernels() const noexcept { return kernels_; }

private:
    void start_warp(block_context& block, unsigned warp, unsigned index, std::uint64_t edge);
    [[nodiscard]] bool admit(const protocol::block_dispatch& dispatch);
    pool_ptr<protocol::block_dispatch> vacate(unsigned slot, protocol::block_outcome outcome,
                                              std::uint64_t edge);

    const unsigned lanes_;
    const sm_id sm_;
    const std::uint32_t shared_stride_;
    fault_reporter& faults_;
    std::vector<block_context> blocks_;
    block_states states_;  ///< of the block slots
    std::vector<home_warp> warps_;
    std::vector<std::uint64_t> starts_;        ///< by warp: edge
    std::vector<std::uint64_t> instructions_;  ///< by thread; empty unless follow_threads()
    const protocol::warp_mask all_;            ///< the slots that exist
    protocol::warp_mask free_;                 ///< slots without a warp of a resident block
    std::uint64_t to_announce_ = 0;            ///< block slots whose first warp may issue
    std::uint64_t barriers_ = 0;               ///< block slots whose barrier may be complete
    std::uint64_t calls_ = 0;                  ///< block slots at a call, not yet taken
    level_meter live_warps_;
    level_meter held_slots_;
    std::vector<execution_counts> kernels_;
    std::uint64_t progress_ = 0;
};

}  // namespace heddle
