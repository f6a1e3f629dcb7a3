// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>

#include "models/device/launch_table.h"
#include "models/isa/instruction.h"
#include "models/program/kernel.h"

namespace heddle::iss {

/// What keeps the blocks of a launch by the host on one thread; null: threads may share them. Each
/// of these changes what belongs to blocks that may be running.
[[nodiscard]] inline const char* why_alone(const prepared_launch& launch) {
    if (launch.shape.cooperative) return "cooperative blocks";
    if (launch.kernel->launch_pc) return "launches by kernels";
    const auto& code = launch.kernel->code.instructions;
    const bool reserves = std::any_of(code.begin(), code.end(), [](const isa::instruction& i) {
        return i.op == isa::opcode::lr_w;
    });
    return reserves ? "lr.w" : nullptr;
}

}  // namespace heddle::iss
