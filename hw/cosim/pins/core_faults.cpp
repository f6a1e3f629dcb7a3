// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_faults.h"

#include "models/base/bits.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle::pins {

followed_place followed_place::of(const protocol::block_dispatch& block,
                                  const program::image& image, sm_id smx) {
    const protocol::kernel_launch& launch = *block.kernel;
    return {&image.kernels()[launch.kernel_index],
            {block.position, launch.grid, launch.block, static_cast<std::uint32_t>(smx.value()),
             block.launch.gridid(),
             program::shared_window.base + launch.per_block.shared_bytes -
                 launch.dynamic_shared_bytes,
             launch.dynamic_shared_bytes, launch.offset, launch.dimensions}};
}

bool core_faults::tell(const instruction& at, unsigned lane, std::uint32_t pc,
                       const std::string& what) {
    reporter_.kernel_fault(simt::locate_lane(at.block.kernel->name, at.block.identity, at.warp,
                                             core_lanes, lane, pc),
                           at.slot, what);
    return true;
}

bool core_faults::step(const core_record& record, const instruction& at) {
    const unsigned first = bits::first(record.lanes);
    const program::kernel_code& code = at.block.kernel->code;
    if (at.decoded == nullptr) {
        // The model reports the instruction that left the code.
        const bool jumped = code.contains(at.last_pc) && record.pc != at.last_pc + 4;
        return record.fault == core_fault::target &&
               tell(at, first, jumped ? at.last_pc : record.pc,
                    jumped ? simt::bad_target_text(code, record.pc) : simt::past_end_text());
    }
    switch (record.fault) {
        case core_fault::illegal:
        case core_fault::refused:
            return tell(at, first, record.pc, simt::refusal_text(*at.decoded, record.pc));
        case core_fault::misaligned:
        case core_fault::access:
            return at.access && tell(at, at.access->lane, record.pc, at.access->what);
        case core_fault::target:
            return !code.contains(at.target) &&
                   tell(at, first, record.pc, simt::bad_target_text(code, at.target));
        case core_fault::barrier:
            return record.lanes != at.live &&
                   tell(at, first, record.pc,
                        simt::divergent_call_text(at.decoded->op, at.block.identity, at.warp,
                                                  core_lanes, record.lanes, at.live));
        case core_fault::stack:
            return tell(at, first, record.pc, "the reconvergence stack of the SMX is full");
        default:
            return false;
    }
}

void core_faults::refused(const followed_place& block, unsigned slot, unsigned warp,
                          std::uint32_t pc, const access_checker::fault& access) {
    reporter_.kernel_fault(simt::locate_lane(block.kernel->name, block.identity, warp, core_lanes,
                                             access.lane, pc),
                           slot, access.what);
}

}  // namespace heddle::pins
