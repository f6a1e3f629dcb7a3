// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sched.h>

#include <chrono>
#include <ctime>

namespace heddle {

/// Tells the core that its thread waits for another one.
inline void pause_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Lets other threads have the core. False: they took it for long, as they do on a busy computer,
/// where a thread that yields comes behind all others.
inline bool yield_core() noexcept {
    const auto before = std::chrono::steady_clock::now();
    sched_yield();
    return std::chrono::steady_clock::now() - before < std::chrono::microseconds(100);
}

/// Sleeps for as short as the host can, some 50 us. Who wakes up gets a core before those who
/// compute all the time.
inline void nap() noexcept {
    const timespec shortest{0, 1};
    nanosleep(&shortest, nullptr);
}

/// Waits for another thread: at first awake, as that takes nanoseconds where each thread has a
/// core. Then it lets others have the core, as with more threads than cores the other thread may
/// need this one, and on a busy computer sleeps. True: it has come to that.
template <class Ready>
bool wait_until(const Ready& ready) {
    constexpr unsigned turns_awake = 1'000;
    bool yielded = false;
    for (unsigned turn = 0; !ready(); ++turn) {
        if (turn < turns_awake) {
            pause_core();
        } else {
            if (!yield_core()) nap();
            yielded = true;
        }
    }
    return yielded;
}

}  // namespace heddle
