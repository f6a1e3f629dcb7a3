// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/execution_parts.h"
#include "models/isa/csr.h"

namespace heddle {

/// Reads and writes of control and status registers: ids, counters, rounding mode.
class csr_unit final : public opcode_unit {
public:
    explicit csr_unit(const execution_parts& parts) : parts_(parts) {}

    execution_outcome execute(const issued_group& issued) override {
        const thread_group& group = issued.threads;
        if (!isa::csr_legal(issued.instruction)) return parts_.refuse(issued, group.lanes);
        const simt::block_identity& block = parts_.blocks.block(group.block).identity;
        for_each_home(group, group.lanes, parts_.warp_size,
                      [&](unsigned warp, isa::lane_mask lanes) {
                          parts_.registers.access_csr(
                              warp, issued.instruction, lanes,
                              {block, parts_.blocks.warp(warp).index, issued.edge,
                               issued.number.value(), parts_.blocks.thread_instructions(warp)});
                      });
        return execution_outcome(execution_outcome::kind::straight_on);
    }

private:
    const execution_parts& parts_;
};

}  // namespace heddle
