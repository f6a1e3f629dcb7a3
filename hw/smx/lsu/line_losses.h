// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/lsu/line_access.h"

namespace heddle {

/// What L1D loses to make room: takes lines of private memory to device memory, and notes the
/// lines that warps have lost.
class line_losses {
public:
    explicit line_losses(const line_access_environment& environment)
        : cache_(environment.cache),
          requests_(environment.requests),
          outstanding_(environment.outstanding),
          lost_(environment.lost) {}

    /// A load has missed. There must be room for what the cache has pushed out.
    void missed(const memory_instruction& m, const line_access& a) {
        lost_.missed(a.warp, a.line, cache_.displaced());
        send_evicted(m);
    }

    /// Sends the dirty line that the last access of `m` to the cache has pushed out, if any. There
    /// must be room for it.
    void send_evicted(const memory_instruction& m) { send_evicted(source_of(m)); }
    /// The same in the name of a block.
    void send_evicted(const memory_source& source);

private:
    l1_data_cache& cache_;
    data_requests& requests_;
    outstanding_accesses& outstanding_;
    lost_localities& lost_;
};

}  // namespace heddle
