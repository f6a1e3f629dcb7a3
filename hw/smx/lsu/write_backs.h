// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/lsu/line_access.h"

namespace heddle {

/// Takes what private memory has lost in L1D to device memory.
class write_backs {
public:
    explicit write_backs(const line_access_environment& environment)
        : cache_(environment.cache),
          requests_(environment.requests),
          outstanding_(environment.outstanding) {}

    /// Sends the dirty line that the last access of `m` to the cache has pushed out, if any. There
    /// must be room for it.
    void send_evicted(const memory_instruction& m);

private:
    l1_data_cache& cache_;
    data_requests& requests_;
    outstanding_accesses& outstanding_;
};

}  // namespace heddle
