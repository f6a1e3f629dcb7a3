// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "heddle/memory.h"

/// Cooperative kernels: blocks that may be ended and started while the kernel runs.
namespace heddle {

/// A function at which forked blocks start.
using fork_function = void (*)();

/// The scheduler may end this block here if it has the highest id.
__forceinline__ void offer_kill() {
    HEDDLE_PLAIN(OFFER_KILL);
}
/// The scheduler may start further blocks at `start`.
__forceinline__ void request_fork(fork_function start) {
    HEDDLE_SIGNAL_1(REQUEST_FORK, reinterpret_cast<unsigned>(start));
}
/// Number of active blocks.
__forceinline__ unsigned get_num_groups() {
    unsigned groups;
    __asm__ __volatile__(".insn r 0x0b, %1, %2, %0, x0, x0"
                         : "=r"(groups)
                         : "i"(HEDDLE_GET_NUM_GROUPS_FUNCT3), "i"(HEDDLE_GET_NUM_GROUPS_FUNCT7)
                         : "memory");
    return groups;
}
/// Waits for every thread of the kernel.
__forceinline__ void global_barrier() {
    HEDDLE_PLAIN(GLOBAL_BARRIER);
}
/// A global barrier at which blocks may end, or start at `start`.
__forceinline__ void resizing_global_barrier(fork_function start) {
    HEDDLE_SIGNAL_1(RESIZING_GLOBAL_BARRIER, reinterpret_cast<unsigned>(start));
}
/// Declares a value that forked blocks receive.
template <typename T>
__forceinline__ void transmit(const T& value) {
    HEDDLE_SIGNAL(TRANSMIT, detail::address(&value), sizeof(T));
}

}  // namespace heddle
