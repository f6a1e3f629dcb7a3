// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <atomic>

namespace heddle::attention {

/// What comes from outside a run and wants its attention. Whoever works for long polls raised(),
/// which costs one load: simulations at every edge, readers of input at every block of a file.
///
/// It belongs to the process, as signals do; nothing that a run computes depends on it.
enum cause : unsigned {
    interrupt = 1,  ///< Ctrl-C: end soon, with partial results
    progress = 2,   ///< a timer: show how far the run is
};

inline std::atomic<unsigned> causes{0};

/// Anything at all.
[[nodiscard]] inline bool raised() noexcept {
    return causes.load(std::memory_order_relaxed) != 0;
}
[[nodiscard]] inline bool interrupted() noexcept {
    return (causes.load(std::memory_order_relaxed) & interrupt) != 0;
}
/// Also from a signal handler or another thread.
inline void raise(cause what) noexcept {
    causes.fetch_or(what, std::memory_order_relaxed);
}
/// Whether `what` was raised; it is no longer.
inline bool take(cause what) noexcept {
    return (causes.fetch_and(~unsigned{what}, std::memory_order_relaxed) & what) != 0;
}

/// Throws a run_error of error_kind::interrupted that says during what, as "making a graph".
[[noreturn]] void throw_interrupted(const char* during);
/// For untimed code that may take longer than a user waits; cheap enough for inner loops.
inline void throw_if_interrupted(const char* during) {
    if (interrupted()) throw_interrupted(during);
}

}  // namespace heddle::attention
