// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execute/execution_parts.h"

#include "models/simt/fault_text.h"

namespace heddle {

execution_outcome execution_parts::refuse(const issued_group& issued, isa::lane_mask lanes) const {
    return fault(issued, bits::first(lanes),
                 simt::refusal_text(issued.instruction, issued.threads.pc));
}

execution_outcome execution_parts::fault(const issued_group& issued, unsigned lane,
                                         const std::string& what) const {
    const thread_home home = home_of(issued.threads, lane, warp_size);
    blocks.fault(home.warp, home.lane, issued.threads.pc, what);
    return execution_outcome(execution_outcome::kind::refused);
}

}  // namespace heddle
