// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/memory_traffic/client.h"

#include <utility>

namespace heddle::traffic {

using protocol::memory_phase;

client::client(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
               scoreboard& reference, const client_options& options)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      socket("socket"),
      bench_(bench),
      reference_(reference),
      options_(options),
      pool_(part_name()),
      random_(bench.random(part_name())),
      request_stalls_(bench.stalls(part_name() + ".request")),
      response_stalls_(bench.stalls(part_name() + ".response")),
      styles_(bench.options().seed, part_name() + ".style", 0.5),
      events_(*this, 2 * options.outstanding + 2),
      slots_(options.outstanding) {
    socket.register_nb_transport_bw(this, &client::from_target);
    for (std::uint32_t i = options.outstanding; i-- > 0;) {
        free_.push_back(i);
    }
}

tlm::tlm_sync_enum client::from_target(payload& transaction, memory_phase& phase,
                                       sc_core::sc_time&) {
    if (phase == memory_phase::end_request) {
        bench_.check(events_.push({event::kind::accepted, &transaction}), "too many end_request");
        return tlm::TLM_ACCEPTED;
    }
    // what is answered depends on the cycle only
    if (response_stalls_.stalled(domain().next_edge())) {
        bench_.check(events_.push({event::kind::held, &transaction}), "too many responses");
        return tlm::TLM_ACCEPTED;
    }
    bench_.check(events_.push({event::kind::answered, &transaction}), "too many responses");
    if (styles_.stalled(domain().next_edge())) {
        return tlm::TLM_COMPLETED;
    }
    phase = memory_phase::end_response;
    return tlm::TLM_UPDATED;
}

void client::complete(payload& transaction) {
    const std::uint32_t number = protocol::access_of(transaction)->block;
    slot& done = slots_[number];
    latency_sum_ += domain().edge() - done.issued_at;
    reference_.complete(done.record);
    bench_.progress();
    ++completed_;
    free_.push_back(number);
    transaction.release();
}

void client::issue() {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    slot& next = slots_[number];
    next.issued_at = domain().edge();
    protocol::memory_transaction* const transaction = pool_.make();
    next.record.transaction = transaction;
    next.record.client =
        options_.first_identity + static_cast<unsigned>(random_.below(options_.identities));
    reference_.prepare(next.record, random_);
    transaction->access().block = number;
    ++issued_;
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    on_link_ = transaction;
    if (socket->nb_transport_fw(*transaction, phase, delay) == tlm::TLM_UPDATED) {
        on_link_ = nullptr;
    }
}

void client::evaluate() {
    while (events_.ready() != nullptr) {
        const event what = events_.pop();
        if (on_link_ == what.transaction) {
            on_link_ = nullptr;
        }
        if (what.what == event::kind::answered) {
            complete(*what.transaction);
        } else if (what.what == event::kind::held) {
            held_ = what.transaction;
        }
    }
    if (held_ != nullptr && !response_stalls_.stalled(domain().edge())) {
        memory_phase phase = memory_phase::end_response;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        payload& transaction = *std::exchange(held_, nullptr);
        socket->nb_transport_fw(transaction, phase, delay);
        complete(transaction);
    }
    if (on_link_ == nullptr && issued_ < options_.accesses && !free_.empty() &&
        !request_stalls_.stalled(domain().edge())) {
        issue();
    }
}

activity client::update() {
    const bool may_issue = on_link_ == nullptr && issued_ < options_.accesses && !free_.empty();
    return may_issue || held_ != nullptr ? activity::busy : activity::idle;
}

std::string client::waiting_for() const {
    return done() ? std::string()
                  : std::to_string(issued_ - completed_) + " accesses of " +
                        std::to_string(issued_) + " not answered";
}

}  // namespace heddle::traffic
