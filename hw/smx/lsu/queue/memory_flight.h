// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"

namespace heddle {

/// What a memory access belongs to: an instruction that a group of threads has under way. The
/// client fills it at issue and gets it back in every call; the load-store unit looks at the
/// instruction only.
struct memory_flight {
    std::uint32_t group = 0;                        ///< the client's name of the group
    std::uint64_t number = 0;                       ///< the client's, of the group's instructions
    const isa::instruction* instruction = nullptr;  ///< stays valid until completed
};

}  // namespace heddle
