// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/loads/uncached_loads.h"

namespace heddle {

access_refusal uncached_loads::access(const queued_instruction& m, const line_access& a,
                                      std::uint64_t edge) {
    if (requests_.room() == 0) return reservation_fail::miss_queue_full;
    const unsigned low = a.bytes.first() & ~(sector_ - 1);
    const unsigned high = (a.bytes.end() + sector_ - 1) & ~(sector_ - 1);
    memory_request& request =
        requests_.make(m, a.warp, protocol::memory_kind::load, a.line + low, high - low);
    request.access().byte_mask = a.bytes.moved_down(low).word;
    request.access().bypass_l1 = true;
    expect_answer(request, targets_.wait(m, a, a.line + low, edge));
    ++counters_.uncached_loads;
    requests_.send(request);
    return {};
}

}  // namespace heddle
