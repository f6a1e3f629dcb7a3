// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_faults.h"

#include "models/base/bits.h"
#include "models/device/program_table.h"
#include "models/isa/csr.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle::pins {

namespace {

bool has_wrong_mode(const core_record& record, const core_faults::instruction& at, unsigned lane) {
    constexpr std::uint8_t last_mode = 4;
    return bits::test(record.lanes, lane) && at.modes[lane] > last_mode;
}

/// Whether an SMX may refuse the instruction: by what it is, or by its rounding mode.
bool may_be_refused(const core_record& record, const core_faults::instruction& at) {
    using isa::instruction_class;
    switch (at.decoded->cls) {
        case instruction_class::illegal:
        case instruction_class::environment:
        case instruction_class::launch:
        case instruction_class::transaction:
        case instruction_class::cooperation:
            return true;
        case instruction_class::csr:
            return !isa::csr_legal(*at.decoded);
        default:
            break;
    }
    for (unsigned lane = 0; lane < core_lanes; ++lane) {
        if (has_wrong_mode(record, at, lane)) return true;
    }
    return false;
}

/// The lowest lane with an illegal rounding mode, if that is what is illegal.
unsigned refused_lane(const core_record& record, const core_faults::instruction& at) {
    const unsigned first = bits::first(record.lanes);
    if (at.decoded->cls == isa::instruction_class::illegal) return first;
    for (unsigned lane = first; lane < core_lanes; ++lane) {
        if (has_wrong_mode(record, at, lane)) return lane;
    }
    return first;
}

}  // namespace

followed_place followed_place::of(const protocol::block_dispatch& block, sm_id smx) {
    const protocol::kernel_launch& launch = *block.kernel;
    return {
        launch.program->image.get(),
        launch.kernel,
        {block.position, launch.grid, launch.block, static_cast<std::uint32_t>(smx.value()),
         block.launch.gridid(),
         program::shared_window.base + launch.per_block.shared_bytes - launch.dynamic_shared_bytes,
         launch.dynamic_shared_bytes, launch.offset, launch.dimensions}};
}

bool core_faults::tell(const instruction& at, unsigned lane, std::uint32_t pc,
                       const std::string& what) {
    reporter_.kernel_fault(
        *at.block.image,
        simt::locate_lane(at.block.kernel->name, at.block.identity, at.warp, core_lanes, lane, pc),
        at.slot, what);
    return true;
}

bool core_faults::step(const core_record& record, const instruction& at) {
    const unsigned first = bits::first(record.lanes);
    const program::kernel_code& code = at.block.kernel->code;
    if (at.decoded == nullptr) {
        // Behind the last instruction; a line that is partly code has zeros there. Other ways out
        // are faults of jumps.
        const std::uint32_t end =
            code.base + 4 * static_cast<std::uint32_t>(code.instructions.size());
        const bool no_code =
            record.fault == core_fault::target || record.fault == core_fault::illegal;
        return no_code && record.pc == end && tell(at, first, record.pc, simt::past_end_text());
    }
    switch (record.fault) {
        case core_fault::illegal:
        case core_fault::refused:
            return may_be_refused(record, at) && tell(at, refused_lane(record, at), record.pc,
                                                      simt::refusal_text(*at.decoded, record.pc));
        case core_fault::misaligned:
        case core_fault::access:
            return at.access && tell(at, at.access->lane, record.pc, at.access->what);
        case core_fault::target:
            return leaves(record, at);
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

bool core_faults::leaves(const core_record& record, const instruction& at) {
    using isa::instruction_class;
    const instruction_class cls = at.decoded->cls;
    const program::kernel_code& code = at.block.kernel->code;
    const std::uint32_t fixed = record.pc + static_cast<std::uint32_t>(at.decoded->imm);
    const std::uint32_t going =
        cls == instruction_class::branch ? record.lanes & record.taken : record.lanes;
    for (unsigned lane = 0; at.decoded->is_control_flow() && lane < core_lanes; ++lane) {
        const std::uint32_t target =
            cls == instruction_class::jump_register ? at.targets[lane] : fixed;
        if (!bits::test(going, lane) || code.contains(target)) continue;
        return tell(at, lane, record.pc, simt::bad_target_text(code, target));
    }
    return false;
}

void core_faults::refused(const followed_place& block, unsigned slot, unsigned warp,
                          std::uint32_t pc, const access_checker::fault& access) {
    reporter_.kernel_fault(
        *block.image,
        simt::locate_lane(block.kernel->name, block.identity, warp, core_lanes, access.lane, pc),
        slot, access.what);
}

}  // namespace heddle::pins
