// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execute/control_flow_unit.h"

#include "models/simt/fault_text.h"

namespace heddle {

using isa::instruction_class;

simt::transfer control_flow_unit::transfer_of(const issued_group& issued) const {
    const thread_group& group = issued.threads;
    const isa::instruction& i = issued.instruction;
    const simt::control_site site{parts_.blocks.block(group.block).kernel->code, group.pc,
                                  group.lanes, parts_.counts(issued)};
    if (i.cls == instruction_class::branch) {
        return simt::branch(site, i, parts_.registers.branch_taken(group, i));
    }
    if (i.cls == instruction_class::jump) return simt::jump(site, i);
    alignas(64) std::uint32_t targets[protocol::maximum_lanes];
    parts_.registers.jump_targets(group, i, targets);
    return simt::jump_register(site, i, targets);
}

execution_outcome control_flow_unit::execute(const issued_group& issued) {
    const thread_group& group = issued.threads;
    const isa::instruction& i = issued.instruction;
    execution_outcome outcome([&] { return transfer_of(issued); });
    if (outcome.where.what == simt::transfer::kind::refused) {
        const simt::lane_group& first = outcome.where.groups[0];
        const program::kernel_code& code = parts_.blocks.block(group.block).kernel->code;
        (void)parts_.fault(issued, bits::first(first.lanes), simt::bad_target_text(code, first.pc));
        outcome.what = execution_outcome::kind::refused;
    } else if (i.cls != instruction_class::branch) {
        // The link register; a branch has none.
        (void)parts_.registers.compute(group, i);
    }
    return outcome;
}

}  // namespace heddle
