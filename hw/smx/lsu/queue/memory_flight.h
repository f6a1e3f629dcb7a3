// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/pipeline/issue_number.h"
#include "hw/smx/pipeline/thread_group.h"
#include "models/isa/instruction.h"

namespace heddle {

/// What a memory access belongs to: an instruction that a group of threads has under way. The
/// client fills it at issue and gets it back in every call; the load-store unit looks at the
/// instruction only, and counts for its position (code_profile).
struct memory_flight {
    group_name group{};
    std::uint32_t position = 0;  ///< of the instruction in the code
    issue_number number{};
    const isa::instruction* instruction = nullptr;  ///< stays valid until completed
};

}  // namespace heddle
