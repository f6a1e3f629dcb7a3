// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/execution_parts.h"

namespace heddle {

/// Arithmetic, votes and shuffles: everything that reads and writes registers only.
class arithmetic_unit final : public opcode_unit {
public:
    explicit arithmetic_unit(const execution_parts& parts) : parts_(parts) {}

    execution_outcome execute(const issued_group& issued) override {
        const isa::lane_mask bad = parts_.registers.compute(issued.threads, issued.instruction);
        if (bad != 0) return parts_.refuse(issued, bad);
        return execution_outcome(execution_outcome::kind::straight_on);
    }

private:
    const execution_parts& parts_;
};

}  // namespace heddle
