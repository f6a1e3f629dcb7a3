// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/loads/cached_loads.h"

#include <array>

namespace heddle {

cached_loads::cached_loads(const l1_data_cache_configuration& configuration, l1_data_cache& cache,
                           const load_environment& environment, load_targets& targets,
                           line_losses* losses)
    : lanes_(environment.lanes),
      line_bytes_(configuration.line),
      hit_latency_(configuration.hit_latency),
      cache_(cache),
      requests_(environment.requests),
      flights_(environment.flights),
      timer_(environment.timer),
      targets_(targets),
      losses_(losses) {}

access_refusal cached_loads::access(const queued_instruction& m, const line_access& a,
                                    std::uint64_t edge) {
    const unsigned room = requests_.room();
    const line_user by{m.owner, a.warp};
    const l1_data_cache::answer got = a.is_private ? cache_.load_private(a.line, a.bytes, room, by)
                                                   : cache_.load_global(a.line, a.bytes, room, by);
    switch (got.what) {
        case l1_data_cache::outcome::failed:
            return got.cause;
        case l1_data_cache::outcome::hit:
            hit(m, a, got.data, edge);
            return {};
        case l1_data_cache::outcome::missed:
            if (losses_ != nullptr) losses_->missed(m, a);
            request_line(m, a, got.miss);
            break;
        case l1_data_cache::outcome::pending:
            break;
    }
    targets_.wait_for_fill(got.miss, m, a, edge);
    return {};
}

void cached_loads::hit(const queued_instruction& m, const line_access& a, const std::uint8_t* line,
                       std::uint64_t edge) {
    coalescer::lane_offsets offsets;
    alignas(64) std::array<std::uint32_t, protocol::maximum_lanes> values;
    coalescer::find_offsets(m.address, a.line, lanes_, offsets);
    coalescer::gather(*m.flight.instruction, offsets, a.lanes, line, lanes_, values.data());
    flights_.deliver(m.entry, a.lanes, values.data());
    hits_.push(edge + hit_latency_, flights_.start_access(m.entry, a.lanes));
    timer_.hit(timer_.start(m.queued, a.is_private), edge + hit_latency_);
}

void cached_loads::request_line(const queued_instruction& m, const line_access& a,
                                miss_register miss) {
    memory_request& request =
        requests_.make(m, a.warp, protocol::memory_kind::load, a.line, line_bytes_);
    expect_answer(request, miss);
    requests_.send(request);
}

}  // namespace heddle
