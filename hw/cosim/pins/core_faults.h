// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw/cosim/pins/core_record.h"
#include "hw/protocol/block_dispatch.h"
#include "hw/smx/blocks/fault_reporter.h"
#include "hw/smx/lsu/queue/access_checker.h"
#include "models/program/image.h"
#include "models/simt/special_registers.h"

namespace heddle::pins {

/// A block behind pins, for messages.
struct followed_place {
    const program::image* image = nullptr;  ///< as long as the block runs
    const program::kernel* kernel = nullptr;
    simt::block_identity identity;

    [[nodiscard]] static followed_place of(const protocol::block_dispatch& block, sm_id smx);
};

/// What a kernel did wrong, from the retire port's record of it, in the words of Heddle's own SMX.
class core_faults {
public:
    /// `reporter` outlives it.
    explicit core_faults(fault_reporter& reporter) : reporter_(reporter) {}

    struct instruction {
        const followed_place& block;
        unsigned slot;                                       ///< warp slot
        unsigned warp;                                       ///< in the block
        std::uint32_t live;                                  ///< lanes
        const isa::instruction* decoded;                     ///< null: there is no code
        const std::optional<access_checker::fault>& access;  ///< what is illegal in an access
        const std::uint32_t* targets;                        ///< of an indirect jump, by lane
        const std::uint8_t* modes;                           ///< of rounding, by lane
    };
    /// A step that did not retire. False: nothing is wrong with it.
    [[nodiscard]] bool step(const core_record& record, const instruction& at);
    /// A jump or branch. True: a lane leaves the code, which is the fault of this instruction.
    [[nodiscard]] bool leaves(const core_record& record, const instruction& at);
    /// Memory has refused an access that retired at `pc`.
    void refused(const followed_place& block, unsigned slot, unsigned warp, std::uint32_t pc,
                 const access_checker::fault& access);

private:
    [[nodiscard]] bool tell(const instruction& at, unsigned lane, std::uint32_t pc,
                            const std::string& what);

    fault_reporter& reporter_;
};

}  // namespace heddle::pins
