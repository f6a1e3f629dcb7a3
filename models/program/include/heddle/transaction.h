// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/intrinsics.h"
#include "heddle/qualifiers.h"

namespace heddle {

/// A transaction over the block's shared memory: accesses between the two calls take effect
/// together or the thread starts again at tx_begin. Both calls stand in the same function, on
/// every path in this order.
__forceinline__ void tx_begin() {
    HEDDLE_PLAIN(TX_BEGIN);
}
__forceinline__ void tx_commit() {
    HEDDLE_PLAIN(TX_COMMIT);
}

}  // namespace heddle
