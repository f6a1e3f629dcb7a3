// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/device/device_runtime.h"
#include "models/isa/instruction.h"

namespace heddle::iss {

/// What the launch instructions of the functional simulator call.
class launch_calls {
public:
    virtual ~launch_calls() = default;

    /// Carries out an instruction of one thread with its operands. Nothing: `fault` says why it is
    /// a kernel fault.
    virtual std::optional<std::uint32_t> call(const launcher& by, isa::opcode what,
                                              std::uint32_t first, std::uint32_t second,
                                              std::string& fault) = 0;
    /// Whether launches made by the block have not ended.
    [[nodiscard]] virtual bool has_children(const launcher& by) const = 0;
};

}  // namespace heddle::iss
