// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/intrinsics.h"
#include "heddle/qualifiers.h"

namespace heddle {

/// A transaction over the block's shared memory: accesses between the two calls take effect
/// together, or the thread starts again at tx_begin, with registers and private memory as they were
/// there. Both calls stand in the same function, under the same conditions, on every path in this
/// order; transactions do not nest.
///
/// In between a thread may compute, load, and store to shared and private memory. A store to global
/// memory, an atomic, a barrier, the end of the thread or a launch is a kernel fault. Accesses
/// outside of transactions are not isolated from those inside. A block has at most 256 threads.
///
/// The compiler moves no access to memory over either call, and keeps no value of memory in a
/// register across it.
__forceinline__ void tx_begin() {
    HEDDLE_PLAIN(TX_BEGIN);
}
__forceinline__ void tx_commit() {
    HEDDLE_PLAIN(TX_COMMIT);
}

}  // namespace heddle
