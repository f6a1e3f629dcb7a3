// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/execution_parts.h"

namespace heddle {

/// Branches, jumps, calls and returns (models/simt/transfer.h).
class control_flow_unit final : public opcode_unit {
public:
    explicit control_flow_unit(const execution_parts& parts) : parts_(parts) {}

    execution_outcome execute(const issued_group& issued) override;

private:
    [[nodiscard]] simt::transfer transfer_of(const issued_group& issued) const;

    const execution_parts& parts_;
};

}  // namespace heddle
