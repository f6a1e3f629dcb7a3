// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/smx/lsu/instruction_queue.h"
#include "hw/smx/lsu/line_access.h"
#include "hw/smx/lsu/line_losses.h"

namespace heddle {

/// Atomics on global and private memory: they drop the SMX's own line and execute in memory.
class line_atomics {
public:
    line_atomics(const line_access_environment& environment, line_losses& losses)
        : lanes_(environment.lanes),
          cache_(environment.cache),
          requests_(environment.requests),
          flights_(environment.flights),
          outstanding_(environment.outstanding),
          counters_(environment.counters),
          losses_(losses) {}

    access_refusal access(const queued_instruction& m, const line_access& a);
    void answered(memory_request& answer);

private:
    const unsigned lanes_;
    l1_data_cache& cache_;
    data_requests& requests_;
    flight_table& flights_;
    outstanding_accesses& outstanding_;
    load_store_counters& counters_;
    line_losses& losses_;
};

}  // namespace heddle
