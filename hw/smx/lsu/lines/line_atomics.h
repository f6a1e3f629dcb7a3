// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/lsu/lines/line_access.h"
#include "hw/smx/lsu/lines/line_losses.h"
#include "hw/smx/lsu/queue/instruction_queue.h"

namespace heddle {

/// Atomics on global and private memory: they drop the SMX's own line and execute in memory.
class line_atomics final : private protocol::naming_requester<flight_access> {
public:
    line_atomics(const line_environment& environment, line_losses& losses)
        : lanes_(environment.lanes),
          cache_(environment.cache),
          requests_(environment.requests),
          flights_(environment.flights),
          outstanding_(environment.outstanding),
          counters_(environment.counters),
          losses_(losses) {}

    access_refusal access(const queued_instruction& m, const line_access& a);

private:
    void responded(memory_request& answer) override;

    const unsigned lanes_;
    l1_data_cache& cache_;
    data_requests& requests_;
    flight_table& flights_;
    outstanding_accesses& outstanding_;
    load_store_counters& counters_;
    line_losses& losses_;
};

}  // namespace heddle
