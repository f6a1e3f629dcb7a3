// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/smx/thread_pool/dwf/warp_pool.h"

namespace heddle {

/// A warp of the pool in the waveform: -1 for none.
inline std::int64_t shown_index(pool_index w) noexcept {
    return w == no_pool_index ? -1 : static_cast<std::int64_t>(w.value());
}

}  // namespace heddle
