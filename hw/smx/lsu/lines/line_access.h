// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <optional>

#include "hw/smx/l1/l1_data_cache.h"
#include "hw/smx/lsu/lines/data_requests.h"
#include "hw/smx/lsu/lines/load_store_counters.h"
#include "hw/smx/lsu/lines/lost_localities.h"
#include "hw/smx/lsu/queue/coalescer.h"
#include "hw/smx/lsu/queue/flight_table.h"
#include "hw/smx/lsu/queue/outstanding_accesses.h"

namespace heddle {

/// An access of an instruction to one line of global or private memory. The line's address is that
/// in device memory.
struct line_access : coalescer::coalesced_access {
    bool is_private = false;
    warp_slot warp{};  ///< home of the thread in the lowest lane
};

/// Why an access has to wait; none: it is done.
using access_refusal = std::optional<reservation_fail>;

/// What accesses to lines work with; all of it outlives them.
struct line_environment {
    unsigned lanes;  ///< of a warp
    l1_data_cache& cache;
    data_requests& requests;
    flight_table& flights;
    outstanding_accesses& outstanding;
    lost_localities& lost;
    load_store_counters& counters;
};

}  // namespace heddle
