// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/cosim/pins/core_counts.h"
#include "hw/cosim/pins/core_faults.h"
#include "hw/cosim/pins/core_record.h"
#include "hw/cosim/pins/core_to_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/smx/execute/execution_observer.h"
#include "hw/smx/lsu/queue/access_checker.h"
#include "hw/smx/lsu/queue/memory_instruction.h"

namespace heddle::pins {

/// Reads the retire port of an SMX, and tells an execution_observer what the SMX does, as Heddle's
/// own SMX tells it: --check, --retire and the statistics then need not know which SMX it is.
///
/// It keeps the registers that the records have written. What no observer looks at it checks
/// itself: numbers of instructions, words, that a warp goes on where its last record says, that
/// values come for an access under way. The first violation, and the first fault of a kernel, ends
/// the run through fault_reporter; nothing is followed after it.
class core_follower final : public pin_part {
public:
    struct environment {
        sm_id id;
        machine_configuration machine;  ///< a copy: the configuration may go after construction
        unsigned schedulers;            ///< as core_counts
        const allocation_table& ranges;
        run_status& status;
    };

    /// `blocks` says what is behind the pins. All that it is given outlives it.
    core_follower(pin_clock& clock, const retire_pins& pins, core_to_pins& blocks,
                  const environment& around);

    void clock_edge() override;

    /// Null: nobody hears.
    void observe(execution_observer* observer) noexcept { observer_ = observer; }
    [[nodiscard]] const core_counts& counts() const noexcept { return counts_; }
    /// Instructions that warps of a block have executed, which is here or has just ended.
    [[nodiscard]] std::uint64_t executed(const protocol::block_dispatch& block) const;
    /// As smx_core::waiting_threads().
    [[nodiscard]] std::vector<std::string> waiting_threads() const;

private:
    using kind = core_record::kind;
    using block_ptr = core_to_pins::block_ptr;

    struct followed_block {
        block_ptr dispatch;
        protocol::block_dispatch told;  ///< the same, with the slot that the retire port names
        followed_place place;
        std::uint64_t warps = 0;  ///< slots
        std::uint64_t steps = 0;
    };
    struct ended_block {
        block_ptr dispatch;
        std::uint64_t steps;
    };
    struct followed_access {
        std::uint64_t n = 0;
        std::uint32_t pc = 0, rd = 0, missing = 0;
        std::optional<access_checker::fault> illegal;  ///< memory has to refuse it
    };
    struct followed_warp {
        unsigned block = 0;  ///< slot
        unsigned index = 0;  ///< in the block
        std::uint64_t n = 0;
        std::uint64_t at = 0;  ///< edge of the last step
        std::uint32_t pc = 0, lanes = 0, live = 0;
        std::uint64_t last_write = 0;  ///< number of the last store or atomic
        /// Loads and atomics without all their values, and illegal stores.
        std::vector<followed_access> accesses;
    };

    void follow(const core_record& record);
    [[nodiscard]] std::uint64_t leave(const protocol::block_dispatch& block);
    void end_leaving();
    void begin(const core_record& record);
    void end(const core_record& record);
    void step(const core_record& record);
    [[nodiscard]] std::optional<access_checker::fault> judge(const core_record& record,
                                                             const followed_warp& warp,
                                                             const isa::instruction& i);
    [[nodiscard]] bool touches_shared() const;
    void access(const core_record& record, followed_warp& warp, const issued_instruction& issued,
                std::optional<access_checker::fault> illegal);
    void write(const core_record& record, issued_instruction& issued);
    void data(const core_record& record);
    void drained(const core_record& record);
    [[nodiscard]] static bool diverges(const core_record& record, const isa::instruction& i,
                                       const std::uint32_t* targets);
    [[nodiscard]] bool targets_differ(const core_record& record, const isa::instruction& i,
                                      const std::uint32_t* targets);
    [[nodiscard]] followed_block* block_in(const core_record& record);
    void wrong(const core_record& record, const std::string& what);

    const clock_domain& domain_;
    const retire_pins& pins_;
    core_to_pins& blocks_;
    const environment around_;
    fault_reporter reporter_;
    core_faults faults_;
    access_checker checker_;
    core_counts counts_;
    std::unique_ptr<register_file> registers_;
    std::vector<followed_warp> warps_;
    std::vector<followed_block> slots_;
    std::vector<ended_block> ended_;  ///< whose `done` has not come
    block_ptr leaving_;               ///< whose `done` comes in this clock
    memory_instruction access_{};
    execution_observer* observer_ = nullptr;
    std::uint64_t edge_ = 0;
};

}  // namespace heddle::pins
