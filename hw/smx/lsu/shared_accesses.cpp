// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/shared_accesses.h"

#include <algorithm>

#include "hw/base/report_error.h"
#include "models/base/bits.h"
#include "models/program/address_map.h"

namespace heddle {

using isa::instruction_class;
using protocol::local_command;

shared_accesses::shared_accesses(const clock_domain& domain, sm_id sm, unsigned lanes, link& shared,
                                 flight_table& flights, memory_client& client,
                                 load_store_counters& counters)
    : domain_(domain),
      lanes_(lanes),
      shared_(shared),
      flights_(flights),
      client_(client),
      counters_(counters),
      pool_("shared-memory accesses"),
      payload_(pool_.make()) {
    payload_->sm = sm;
}

void shared_accesses::access(const queued_instruction& m, std::uint64_t edge) {
    describe(m);
    const std::uint64_t cycles = serve();
    busy_until_ = edge + payload_->busy_cycles;
    ++counters_.shared_accesses;
    if (profile_ != nullptr) {
        profile_->accessed(m.flight.position);
        profile_->conflicted(m.flight.position, payload_->busy_cycles - 1U);
    }
    if (payload_->losers != 0) client_.lost(m.flight, payload_->losers);
    const isa::instruction& i = *m.flight.instruction;
    if (i.cls == instruction_class::store) return;
    protocol::shared_access& answer = *payload_;
    const isa::lane_mask served = answer.lanes & ~answer.lost;
    if (i.access_bytes() != 4) {
        bits::for_each(served, [&](unsigned lane) {
            answer.data[lane] = isa::extend_loaded(i, answer.data[lane]);
        });
    }
    if (served != 0) flights_.deliver(m.entry, served, answer.data.data());
    under_way_.push(edge + std::max<std::uint64_t>(cycles, 1),
                    flights_.start_access(m.entry, answer.lanes));
}

void shared_accesses::describe(const queued_instruction& m) {
    const isa::instruction& i = *m.flight.instruction;
    protocol::shared_access& payload = *payload_;
    payload.launch = m.launch;
    payload.warp = home_warp(m, m.left.in_shared, lanes_);
    payload.block = m.block;
    payload.bytes = static_cast<std::uint8_t>(i.access_bytes());
    payload.lanes = m.left.in_shared;
    payload.response = protocol::shared_response::incomplete;
    payload.transactional = m.transactional;
    payload.transaction = m.transaction;
    payload.lost = payload.losers = payload.lost_to_lower = payload.lost_to_higher = 0;
    payload.operation = isa::opcode::illegal;
    payload.command = local_command::load;
    const std::uint32_t move = m.shared_base - program::shared_window.base;
    for (unsigned lane = 0; lane < lanes_; ++lane) payload.address[lane] = m.address[lane] + move;
    if (i.cls != instruction_class::load) {
        payload.command = local_command::store;
        std::copy_n(m.data, lanes_, payload.data.begin());
    }
    if (i.cls == instruction_class::atomic) {
        payload.command = local_command::atomic;
        payload.operation = i.op;
        std::copy_n(m.compare, lanes_, payload.compare.begin());
        bits::for_each(payload.lanes,
                       [&](unsigned lane) { payload.thread[lane] = thread_in(m, lane, lanes_); });
    }
}

std::uint64_t shared_accesses::serve() {
    sc_core::sc_time delay;
    shared_->b_transport(*payload_, delay);
    if (payload_->response != protocol::shared_response::ok) {
        report_error("heddle/smx/shared_memory", "a legal access to shared memory was refused");
    }
    if (cycle_ticks_ == 0) cycle_ticks_ = domain_.edge_time(1).value();
    return (delay.value() + cycle_ticks_ / 2) / cycle_ticks_;
}

}  // namespace heddle
