// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/base/strong_index.h"

namespace heddle {

/// Whom an SMX counts memory accesses for: those that a fence or the end of a block waits for.
using access_owner = strong_index<struct access_owner_tag>;

/// Who brings or writes a line of L1D.
struct line_user {
    access_owner owner{};  ///< whom the write-back of a private line is counted for
    warp_slot warp{};      ///< home of the thread, the lowest if there are several
};

}  // namespace heddle
