// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/execute/execution_parts.h"

namespace heddle {

/// Loads, stores and atomics: passes them to the load-store unit, which must have room. Values of
/// loads come back through instruction_executor::loaded().
class memory_unit final : public opcode_unit {
public:
    explicit memory_unit(const execution_parts& parts) : parts_(parts) {}

    execution_outcome execute(const issued_group& issued) override;

private:
    void name_threads(const thread_group& group, memory_instruction& access) const;
    [[gnu::noinline]] void show(const issued_group& issued, const memory_instruction& access);

    const execution_parts& parts_;
    memory_instruction shown_;  ///< the part of a gathered access that is one home warp's
};

}  // namespace heddle
