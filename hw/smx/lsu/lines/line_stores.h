// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/lsu/lines/line_access.h"
#include "hw/smx/lsu/lines/line_losses.h"
#include "hw/smx/lsu/queue/instruction_queue.h"
#include "models/program/address_map.h"

namespace heddle {

/// Stores. Private memory stays in L1D, if there is one. Global memory stays there, too, under
/// l1d.write_policy = back, but for the runtime reserve and, under l1d.store_miss = around, for
/// lines that are not there. Other stores write through and never
/// allocate a line: memory acknowledges them.
class line_stores final : private protocol::naming_requester<access_owner> {
public:
    line_stores(const line_environment& environment, line_losses& losses)
        : lanes_(environment.lanes),
          cache_(environment.cache),
          requests_(environment.requests),
          outstanding_(environment.outstanding),
          counters_(environment.counters),
          losses_(losses) {}

    access_refusal access(const queued_instruction& m, const line_access& a) {
        return stays(a) ? keep(m, a) : write_through(m, a);
    }

private:
    [[nodiscard]] bool stays(const line_access& a) const noexcept {
        if (a.is_private) return cache_.exists();
        return cache_.writes_back() && !program::reserve_window.contains(a.line) &&
               cache_.keeps_store(a.line);
    }
    // Apart from loads, which are more: they align the stack for a line.
    [[gnu::noinline]] access_refusal keep(const queued_instruction& m, const line_access& a);
    [[gnu::noinline]] access_refusal write_through(const queued_instruction& m,
                                                   const line_access& a);
    void responded(memory_request& answer) override { outstanding_.end_write(name_of(answer)); }

    const unsigned lanes_;
    l1_data_cache& cache_;
    data_requests& requests_;
    outstanding_accesses& outstanding_;
    load_store_counters& counters_;
    line_losses& losses_;
};

}  // namespace heddle
