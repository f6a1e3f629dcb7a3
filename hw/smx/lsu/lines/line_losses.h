// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/lsu/lines/line_access.h"
#include "hw/smx/lsu/queue/record_table.h"

namespace heddle {

/// A write-back under way.
using write_back_record = strong_index<struct write_back_record_tag>;

/// What L1D writes back: takes dirty bytes to device memory, and notes the lines that warps have
/// lost.
class line_losses final : private protocol::naming_requester<write_back_record> {
public:
    explicit line_losses(const line_environment& environment)
        : cache_(environment.cache),
          requests_(environment.requests),
          outstanding_(environment.outstanding),
          lost_(environment.lost) {}

    /// A load has missed. There must be room for what the cache has pushed out.
    void missed(const memory_instruction& m, const line_access& a) {
        lost_.missed(a.warp, a.line, cache_.displaced());
        send_evicted(m);
    }

    /// Sends the dirty bytes that the last access of `m` to the cache writes back, if any. There
    /// must be room for them.
    void send_evicted(const memory_instruction& m) { send_evicted(source_of(m)); }
    /// The same in the name of a block.
    void send_evicted(const memory_source& source);

    /// An access of `m` is about to ask memory for a line past the cache: sends dirty bytes of
    /// global memory that the cache has.
    access_refusal clean(const memory_instruction& m, const line_access& a);

private:
    void responded(memory_request& answer) override;

    l1_data_cache& cache_;
    data_requests& requests_;
    outstanding_accesses& outstanding_;
    lost_localities& lost_;
    record_table<write_back_record, owner_set> under_way_;  ///< whose writes the requests carry
};

}  // namespace heddle
