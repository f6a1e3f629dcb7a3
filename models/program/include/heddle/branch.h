// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/qualifiers.h"

namespace heddle {

/// Inside an arm of a branch, keeps the branch: the compiler would make a select of a short arm.
/// For kernels whose subject is branches.
__forceinline__ void keep_branch() {
    __asm__ __volatile__("");
}

}  // namespace heddle
