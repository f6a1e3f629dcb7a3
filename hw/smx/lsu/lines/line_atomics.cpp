// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/lines/line_atomics.h"

#include <array>
#include <cstdint>

#include "models/base/bits.h"

namespace heddle {

access_refusal line_atomics::access(const queued_instruction& m, const line_access& a) {
    const auto got = a.is_private && cache_.exists()
                         ? cache_.flush_private(a.line, requests_.room())
                         : cache_.drop_global(a.line, requests_.room());
    if (got.what == l1_data_cache::outcome::failed) return got.cause;
    losses_.send_evicted(m);
    if (requests_.room() == 0) return reservation_fail::miss_queue_full;
    const std::uint32_t first = a.line + a.bytes.first();
    memory_request& request = requests_.make(m, a.warp, protocol::memory_kind::atomic, first,
                                             a.line + a.bytes.end() - first);
    protocol::memory_access& access = request.access();
    access.operation = m.flight.instruction->op;
    bits::for_each(a.lanes, [&](unsigned lane) {
        access.atomics[access.atomic_count++] = {static_cast<std::uint8_t>(lane),
                                                 static_cast<std::uint8_t>(m.address[lane] - first),
                                                 thread_in(m, lane, lanes_),
                                                 m.data[lane],
                                                 m.compare[lane],
                                                 0};
    });
    expect_answer(request, flights_.start_access(m.entry, a.lanes));
    outstanding_.start_write(m.owner);
    ++counters_.atomic_requests;
    requests_.send(request);
    return {};
}

void line_atomics::responded(memory_request& answer) {
    const protocol::memory_access& access = answer.access();
    alignas(64) std::array<std::uint32_t, protocol::maximum_lanes> values;
    isa::lane_mask lanes = 0;
    for (unsigned i = 0; i < access.atomic_count; ++i) {
        values[access.atomics[i].lane] = access.atomics[i].result;
        lanes |= bits::one(access.atomics[i].lane);
    }
    const flight_access done = name_of(answer);
    const flight_index flight = flights_.flight_of(done);
    const access_owner owner = flights_.owner(flight);
    flights_.deliver(flight, lanes, values.data());
    flights_.end_access(done);
    outstanding_.end_write(owner);
}

}  // namespace heddle
