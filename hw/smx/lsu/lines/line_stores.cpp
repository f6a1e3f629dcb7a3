// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/lines/line_stores.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace heddle {

access_refusal line_stores::keep(const queued_instruction& m, const line_access& a) {
    coalescer::lane_offsets offsets;
    alignas(64) std::array<std::uint8_t, protocol::maximum_line_bytes> line;
    coalescer::find_offsets(m.address, a.line, lanes_, offsets);
    coalescer::scatter(m.flight.instruction->access_bytes(), offsets, a.lanes, m.data, lanes_,
                       line.data());
    const unsigned room = requests_.room();
    const line_user by{m.owner, a.warp};
    const auto got = a.is_private ? cache_.store_private(a.line, a.bytes, line.data(), room, by)
                                  : cache_.keep_global(a.line, a.bytes, line.data(), room, by);
    if (got.what == l1_data_cache::outcome::failed) return got.cause;
    // Memory acknowledges it when the line has been written back.
    if (got.first_write) outstanding_.start_write(m.owner);
    losses_.send_evicted(m);
    return {};
}

access_refusal line_stores::write_through(const queued_instruction& m, const line_access& a) {
    if (requests_.room() == 0) return reservation_fail::miss_queue_full;
    const unsigned low = a.bytes.first() & ~3u;
    const unsigned high = (a.bytes.end() + 3u) & ~3u;
    memory_request& request =
        requests_.make(m, a.warp, protocol::memory_kind::store, a.line + low, high - low);
    request.access().byte_mask = a.bytes.moved_down(low).word;
    coalescer::lane_offsets offsets;
    coalescer::find_offsets(m.address, a.line + low, lanes_, offsets);
    coalescer::scatter(m.flight.instruction->access_bytes(), offsets, a.lanes, m.data, lanes_,
                       request.data());
    if (cache_.holds_global()) {
        alignas(64) std::array<std::uint8_t, protocol::maximum_line_bytes> line;
        std::memcpy(line.data() + low, request.data(), high - low);
        cache_.store_global(a.line, a.bytes, line.data());
    }
    ++counters_.write_requests;
    expect_answer(request, m.owner);
    outstanding_.start_write(m.owner);
    requests_.send(request);
    return {};
}

}  // namespace heddle
