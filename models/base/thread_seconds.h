// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <ctime>

namespace heddle {

/// Processor time of the host that the calling thread has spent.
[[nodiscard]] inline double thread_seconds() noexcept {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

}  // namespace heddle
