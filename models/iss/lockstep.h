// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/base/error.h"
#include "models/base/machine_configuration.h"
#include "models/device/allocation_table.h"
#include "models/device/launch_table.h"
#include "models/device/newcomer.h"
#include "models/isa/instruction.h"
#include "models/program/image.h"

struct heddle_retired;

namespace heddle::iss {

/// An instruction as the timed machine has issued it.
struct lockstep_step {
    std::uint64_t time = 0;  ///< core cycle
    std::uint32_t sm = 0;
    unsigned slot = 0;         ///< warp slot of the SMX
    std::uint64_t number = 0;  ///< of the warp's instructions, from 1
    std::uint32_t pc = 0;
    isa::lane_mask lanes = 0;
    bool more = false;  ///< a further warp of this instruction is told next
    /// All that a core which is not ours says of it; null: our own machine.
    const heddle_retired* told = nullptr;
};

/// Where a difference was found.
struct lockstep_place {
    launch_id launch;
    std::uint32_t block = 0;  ///< linear, in the grid
    std::uint32_t warp = 0;   ///< in the block
    unsigned lane = 0;
    std::uint64_t number = 0;  ///< of the warp's instructions; 0: not known
    std::uint32_t pc = 0;
};

/// What a load, store or atomic has read from the registers, in every active lane.
struct lockstep_operands {
    const std::uint32_t* address;
    const std::uint32_t* data;     ///< rs2; loads: null
    const std::uint32_t* compare;  ///< rs3 of amocas.w
    /// Place of each lane among those that access together, of several warps; null: the lane. The
    /// warps of such an access are told one after another.
    const std::uint8_t* places = nullptr;
};

/// A block that has begun on an SMX.
struct lockstep_block {
    std::uint64_t time = 0;
    std::uint32_t sm = 0;
    unsigned slot = 0;  ///< block slot of the SMX
    launch_id launch;
    std::uint32_t index = 0;       ///< linear, in the grid
    std::uint64_t warp_slots = 0;  ///< a bit each; warps 0, 1, ... in ascending order
    // Of a cooperative launch:
    std::uint32_t groups = 0;  ///< active blocks
    newcomer origin{};         ///< PC 0: it starts at the kernel's entry
};

/// The answer to a call of a cooperative block.
struct lockstep_answer {
    std::uint64_t time = 0;
    std::uint32_t sm = 0;
    unsigned slot = 0;         ///< block slot of the SMX
    std::uint32_t groups = 0;  ///< active blocks from now on
    bool ends = false;         ///< the block ends
};

/// What has been compared.
struct lockstep_counts {
    /// Issued, as the machine counts warp instructions: threads of several warps may issue one.
    std::uint64_t instructions = 0;
    std::uint64_t loaded_values = 0;  ///< of threads, from global memory
    std::uint64_t racing_values = 0;  ///< of these, where several values were possible
    std::string first_racing;         ///< where the first of them was loaded
    std::uint64_t shared_races = 0;   ///< accesses to shared memory
    std::string first_shared_race;
    std::uint64_t plain_conflicts = 0;  ///< plain accesses to words of transactions under way
    std::string first_plain_conflict;
};

/// What happens to lanes of a transaction.
enum class transaction_event : std::uint8_t {
    began,      ///< their tx.begin is over
    lost,       ///< their words of shared memory have their old values back
    restarted,  ///< so have their registers and private memory; tx.begin comes next
    committed,  ///< at tx.commit
};

/// The functional simulator in step with a timed machine: told what that executes, it executes the
/// same instruction of the same warp itself and compares. The first difference is reported as
/// error_kind::wrong_result; nothing is compared after it.
///
/// What it keeps for itself: registers, reconvergence stack and private memory of each warp, shared
/// memory of each block, all global memory. What it takes from the machine: which warp goes next,
/// on which SMX a block runs, when loads, stores and atomics begin and end, what launch
/// instructions answer, and which blocks of a cooperative launch start and end.
///
/// Compared, exactly: PC and active lanes of every instruction (by the reconvergence stack of
/// models/simt; with `threads_apart` the next PC of each thread, and that it waits at no barrier);
/// the whole destination row after it, lanes that did
/// not take part included; addresses and operands of every access; values of loads and atomics from
/// shared and private memory; clocks and ids. An instruction that reads or overwrites a register
/// whose load is still under way, passes a barrier that not all threads have reached, goes on
/// after an illegal access, or a block that ends twice or before its writes, is a difference.
///
/// Global memory, whose accesses race by right: a loaded value must be one that write_history
/// allows, which for data that nobody races for is a single one, and atomics must form a chain
/// (atomic_chains). With `stale_loads` (L1D caches global memory) a plain load may give what was in
/// memory at any time since the SMX's last fence or first block of a launch, but not what its own
/// SMX has replaced. When the host waits, every word that was written is read back through the
/// machine's caches: a store that nobody has read is found to be lost there.
///
/// Reported as error_kind::kernel_fault: the use of an undefined value, one that was loaded from
/// private memory of which this thread wrote no byte (0 here, what an earlier block left on the
/// machine), or was computed from one (undefined_registers). Uses are branches, addresses, operands
/// of CSR instructions and atomics, and stores to global or shared memory. Counted, not reported:
/// loads with several legal values, races on shared memory, and plain accesses to words of
/// transactions under way.
///
/// Transactions: who loses and when is taken from the machine. Compared are what the others read,
/// that the lost ones are as at tx.begin when they restart, and that no two transactions under way
/// access one word of shared memory unless both read it. Shared memory of a block whose kernel has
/// transactions is accessed when the machine does that: a load in loaded(), a store in completed().
///
/// Not found: what both sides share (models/isa, models/simt, decoding, post-dominators), latencies
/// (a result of the pipelines that is used too early has its value all the same), an order of
/// racing accesses that is legal but not what the program wants, and a wrong value that another
/// write might have left there in time.
/// Costs a fifth to two thirds of the timed run; more where many atomics are under way at one word.
class lockstep {
public:
    lockstep() = default;
    lockstep(const lockstep&) = delete;
    lockstep& operator=(const lockstep&) = delete;
    virtual ~lockstep() = default;

    /// The host writes; launches only run when it waits or has launched.
    virtual void wrote(std::uint32_t address, const void* from, std::size_t bytes) = 0;
    virtual void launched(const prepared_launch& launch) = 0;
    /// Every launch has ended.
    virtual void settled() = 0;

    virtual void block_started(const lockstep_block& block) = 0;
    virtual void block_ended(std::uint32_t sm, unsigned slot) = 0;
    /// A block whose warps all wait leaves its SMX, and comes back to one.
    virtual void block_suspended(std::uint32_t sm, unsigned slot) = 0;
    virtual void block_resumed(const lockstep_block& block) = 0;
    /// The threads of a block, all at a call, go on or end.
    virtual void cooperated(const lockstep_answer& answer) = 0;
    /// `row`: the destination register in all lanes, if there is one.
    virtual void executed(const lockstep_step& step, const std::uint32_t* row) = 0;
    /// Before the machine has looked at the access.
    virtual void accessed(const lockstep_step& step, const lockstep_operands& operands) = 0;
    /// Values of some lanes, extended as the instruction says.
    virtual void loaded(std::uint64_t time, std::uint32_t sm, unsigned slot, std::uint64_t number,
                        isa::lane_mask lanes, const std::uint32_t* values) = 0;
    /// These lanes go on before the others of their load or atomic.
    virtual void returned(std::uint32_t sm, unsigned slot, std::uint64_t number,
                          isa::lane_mask lanes) = 0;
    /// `rows` gives the machine's registers.
    using register_rows = std::function<const std::uint32_t*(unsigned index)>;
    virtual void completed(std::uint64_t time, std::uint32_t sm, unsigned slot,
                           std::uint64_t number, const register_rows& rows) = 0;
    /// All writes of the warp up to instruction `up_to` have been performed.
    virtual void drained(std::uint64_t time, std::uint32_t sm, unsigned slot,
                         std::uint64_t up_to) = 0;
    /// The threads of a block are told to go on behind a barrier. Told by other cores only.
    virtual void barrier_released(std::uint64_t time, std::uint32_t sm, unsigned slot) = 0;
    /// No line older than this may serve plain loads of the SMX.
    virtual void fenced(std::uint64_t time, std::uint32_t sm) = 0;
    /// Lanes of the warp's transaction. They lose before the values and the completion of the
    /// accesses with which that happens.
    virtual void transaction(std::uint64_t time, std::uint32_t sm, unsigned slot,
                             transaction_event what, isa::lane_mask lanes,
                             const register_rows& rows) = 0;

    [[nodiscard]] virtual const lockstep_counts& counts() const noexcept = 0;
};

/// All that a lock-step simulation is built from; `ranges` outlives it.
struct lockstep_parts {
    machine_configuration machine;
    const allocation_table& ranges;  ///< what kernels may touch
    bool threads_apart = false;      ///< threads of a warp need not run together
    bool turns_together = false;     ///< accesses that an SMX issues in one cycle have no order
    bool stale_loads = false;        ///< plain loads may hit an L1D that is not coherent
    /// The steps are those of a core that is not ours: of registers it tells active lanes only,
    /// what its clock, its number and loads without a register give is taken, and accesses to
    /// shared memory are judged as those to global memory, where a barrier ends writes.
    bool foreign = false;
    bool order_by_warp = false;  ///< accesses of different warps of an SMX have no order
    /// The word of global memory that the host would read now; who has no memory gives `expected`.
    using expected_word = std::function<std::uint32_t()>;
    std::function<std::uint32_t(std::uint32_t address, const expected_word& expected)> memory;
    std::function<void(error_kind, const std::string&, const std::optional<lockstep_place>&)>
        report;
};

std::unique_ptr<lockstep> make_lockstep(lockstep_parts parts);

}  // namespace heddle::iss
