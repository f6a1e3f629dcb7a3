// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/execution_parts.h"

namespace heddle {

/// Exits, block barriers, and the join of a lock loop.
class simt_control_unit final : public opcode_unit {
public:
    explicit simt_control_unit(const execution_parts& parts) : parts_(parts) {}

    execution_outcome execute(const issued_group& issued) override;

private:
    const execution_parts& parts_;
};

}  // namespace heddle
