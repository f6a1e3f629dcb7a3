// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/pipeline/issue_number.h"
#include "hw/smx/pipeline/thread_group.h"
#include "models/isa/instruction.h"

namespace heddle {

/// What a memory access belongs to: an instruction that a group of threads has under way. The
/// client fills it at issue and gets it back in every call; the load-store unit looks at the
/// instruction only.
struct memory_flight {
    group_name group{};
    issue_number number{};
    const isa::instruction* instruction = nullptr;  ///< stays valid until completed
};

}  // namespace heddle
