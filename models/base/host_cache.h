// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>

namespace heddle {

/// Line of the host's caches.
inline constexpr std::size_t host_line_bytes = 64;

/// Has the host's cache fetch `bytes` from `first` on: for what is looked at soon, and was not
/// lately. No result depends on it.
inline void prefetch_bytes(const void* first, std::size_t bytes) noexcept {
    const char* const begin = static_cast<const char*>(first);
    for (std::size_t byte = 0; byte < bytes; byte += host_line_bytes) {
        __builtin_prefetch(begin + byte);
    }
}

}  // namespace heddle
