// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/protocol/block_dispatch.h"
#include "hw/smx/pipeline/issue_number.h"
#include "hw/smx/pipeline/register_file.h"
#include "models/isa/instruction.h"
#include "models/simt/transfer.h"

namespace heddle {

struct memory_instruction;

/// What happens to lanes of a transaction.
enum class transaction_event : std::uint8_t {
    began,      ///< their tx.begin is over; it executes again in each attempt
    lost,       ///< they have lost: their words of shared memory have their old values back
    restarted,  ///< registers and private memory have their old values back; tx.begin comes next
    committed,  ///< at tx.commit; others of the attempt may start again before the warp goes on
};

/// An instruction that a warp issues.
struct issued_instruction {
    std::uint64_t edge;   ///< core cycle
    unsigned warp;        ///< slot of the SMX
    issue_number number;  ///< of the warp's instructions
    std::uint32_t pc;
    isa::lane_mask lanes;
    const isa::instruction* instruction;
    /// Lanes of the pipeline, by home lane, where they are others; else null. Of one instruction
    /// they tell the order in which its threads access one place.
    const std::uint8_t* pipeline_lanes = nullptr;
    /// A further home warp of the same instruction is told next.
    bool more_warps = false;
    /// Where its lanes go, of a branch or jump of threads that are in place; else null.
    const simt::transfer* transfer = nullptr;
};

/// Follows the execution of one SMX: retire files, the lock-step check, tests. The calls come in
/// the order in which things happen to the SMX's registers, all from its evaluate(). No call may
/// change the SMX. Without an observer each call costs one test of a pointer.
class execution_observer {
public:
    virtual ~execution_observer() = default;

    /// A block takes its warp slots (a bit each, lowest first: warps 0, 1, ... of the block).
    virtual void block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                               std::uint64_t warp_slots) = 0;
    /// All threads of the block have ended, and all its accesses have been performed.
    virtual void block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) = 0;
    /// The block leaves its warp slots to wait for its children: all its warps wait, and all its
    /// accesses have been performed.
    virtual void block_suspended(std::uint64_t /*edge*/, const protocol::block_dispatch&) {}
    /// A suspended block takes warp slots, as block_started(), and its threads go on. `live`: lanes
    /// whose thread has not ended, by warp of the block.
    virtual void block_resumed(std::uint64_t /*edge*/, const protocol::block_dispatch&,
                               std::uint64_t /*warp_slots*/,
                               const std::vector<isa::lane_mask>& /*live*/) {}
    /// A call of a cooperative block is over, of whose kernel `groups` blocks are active now. Its
    /// threads go on, or they end here. At a global barrier no older global line is left in the
    /// SMX's L1D.
    virtual void cooperated(std::uint64_t /*edge*/, const protocol::block_dispatch&,
                            std::uint32_t /*groups*/, bool /*ends*/) {}
    /// An instruction other than a load, store or atomic has executed. Its result is in the
    /// registers.
    virtual void executed(const issued_instruction& issued, const register_file& registers) = 0;
    /// A load, store or atomic issues. The addresses are those that the threads use. They have not
    /// been checked yet; an illegal access is dropped after this call.
    virtual void accessed(const issued_instruction& issued, const memory_instruction& access) = 0;
    /// Some lanes of a load or atomic have got their values.
    virtual void loaded(std::uint64_t edge, unsigned warp, issue_number number,
                        isa::lane_mask lanes, const std::uint32_t* values) = 0;
    /// These lanes of a load or atomic go on; others still wait for their values.
    virtual void returned(std::uint64_t, unsigned /*warp*/, issue_number /*number*/,
                          isa::lane_mask) {}
    /// A load or atomic has all its values in the registers; a store has left the queue.
    virtual void completed(std::uint64_t edge, unsigned warp, issue_number number,
                           const register_file& registers) = 0;
    /// Every store and atomic that the warp has issued so far has been performed in memory.
    virtual void writes_drained(std::uint64_t edge, unsigned warp) = 0;
    /// A fence of the warp is complete: no older global line may be left in the SMX's L1D.
    virtual void fenced(std::uint64_t edge, unsigned warp) = 0;
    /// Something happens to lanes of a warp's transaction. They lose when one of their accesses is
    /// made or another warp has to be alone; a lost lane executes nothing until it restarts, and
    /// its accesses under way do not happen. Of a warp's lanes the order is: began; lost or
    /// committed; restarted, if they have lost; and again.
    virtual void transaction(std::uint64_t /*edge*/, unsigned /*warp*/, transaction_event,
                             isa::lane_mask, const register_file&) {}
};

/// The observer of an SMX, shared by its parts.
class observer_holder {
public:
    /// May be null: no observer.
    void set(execution_observer* observer) noexcept { observer_ = observer; }
    [[nodiscard]] execution_observer* get() const noexcept { return observer_; }

private:
    execution_observer* observer_ = nullptr;
};

}  // namespace heddle
