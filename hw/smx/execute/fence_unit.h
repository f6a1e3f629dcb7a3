// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/opcode_unit.h"

namespace heddle {

/// Fences: the threads wait until their accesses have been performed.
class fence_unit final : public opcode_unit {
public:
    execution_outcome execute(const issued_group&) override {
        return execution_outcome(execution_outcome::kind::waits_for_accesses);
    }
};

}  // namespace heddle
