// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execute/simt_control_unit.h"

#include "models/simt/fault_text.h"

namespace heddle {

using kind = execution_outcome::kind;

execution_outcome simt_control_unit::execute(const issued_group& issued) {
    const thread_group& group = issued.threads;
    switch (issued.instruction.op) {
        case isa::opcode::exit:
            parts_.blocks.end_threads(group, issued.edge);
            return execution_outcome(kind::ends);
        case isa::opcode::barrier:
            if (const auto divergent = parts_.blocks.arrive(group)) {
                return parts_.fault(issued, bits::first(group.lanes), *divergent);
            }
            return execution_outcome(kind::waits_at_barrier);
        // The formation brings the lanes of a lock loop together here by itself.
        case isa::opcode::warp_join:
            return execution_outcome(kind::straight_on);
        default:
            return parts_.refuse(issued, group.lanes);
    }
}

}  // namespace heddle
