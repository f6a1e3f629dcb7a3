// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sched.h>

namespace heddle {

/// Tells the core that its thread waits for another one.
inline void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Waits for another thread: at first awake, as that takes nanoseconds where each thread has a
/// core. Then it lets others have the core: with more threads than cores the other thread may need
/// this one. True: it has come to that.
template <class Ready>
bool wait_until(const Ready& ready) {
    constexpr unsigned turns_awake = 1'000;
    bool yielded = false;
    for (unsigned turn = 0; !ready(); ++turn) {
        if (turn < turns_awake) {
            pause_core();
        } else {
            sched_yield();
            yielded = true;
        }
    }
    return yielded;
}

}  // namespace heddle
