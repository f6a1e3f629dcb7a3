// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/crossbar_traffic/traffic_source.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace heddle::crossbar_traffic {

using protocol::memory_phase;

traffic_source::traffic_source(const sc_core::sc_module_name& name, clock_domain& domain,
                               testbench& bench, const traffic_options& options, double load,
                               std::uint32_t input, ledger& flows)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      bench_(bench),
      options_(options),
      probability_(load / options.flits),
      input_(input),
      // half of the buffer, shared by the outputs that it serves
      backlog_(std::max(2U, options.crossbar.input_buffer * options.crossbar.input_speedup /
                                (options.flits * options.outputs))),
      last_(options.warm_up + options.cycles),
      flows_(flows),
      random_(bench.random(part_name())),
      pool_(part_name()),
      accepted_(*this, 2) {
    socket.register_nb_transport_bw(this, &traffic_source::from_crossbar);
}

tlm::tlm_sync_enum traffic_source::from_crossbar(payload& transaction, memory_phase& phase,
                                                 sc_core::sc_time&) {
    if (phase == memory_phase::end_request) {
        bench_.check(accepted_.push(&transaction), "an acceptance that nobody waits for");
        return tlm::TLM_ACCEPTED;
    }
    --open_;
    transaction.release();
    phase = memory_phase::end_response;
    return tlm::TLM_UPDATED;
}

std::uint32_t traffic_source::destination() {
    switch (options_.traffic) {
        case pattern::permutation:
            return (input_ + 1) % options_.outputs;
        case pattern::hotspot:
            if (random_.chance(options_.hotspot)) {
                return 0;
            }
            break;
        default:
            break;
    }
    return static_cast<std::uint32_t>(random_.below(options_.outputs));
}

bool traffic_source::backlog(std::uint32_t& output) const {
    std::uint64_t fewest = backlog_;
    for (std::uint32_t i = 0; i < options_.outputs; ++i) {
        const std::size_t flow = flows_.flow(input_, i);
        const std::uint64_t under_way = flows_.sent[flow] - flows_.seen[flow];
        if (under_way < fewest) {
            fewest = under_way;
            output = i;
        }
    }
    return fewest < backlog_;
}

void traffic_source::create() {
    if (domain().edge() > last_) {
        return;
    }
    if (options_.traffic == pattern::backlogged) {
        message next{0, domain().edge()};
        if (queue_.empty() && backlog(next.output)) {
            queue_.push_back(next);
        }
    } else if (random_.chance(probability_)) {
        queue_.push_back({destination(), domain().edge()});
    }
}

void traffic_source::send() {
    const message next = queue_.front();
    queue_.pop_front();
    protocol::memory_transaction* const transaction = pool_.make();
    const std::uint32_t data =
        options_.flits * options_.crossbar.flit_bytes - options_.crossbar.header_bytes;
    transaction->prepare(protocol::memory_kind::store, next.output * bank_bytes, data);
    transaction->access().sm = sm_id(input_);
    const std::uint64_t number = flows_.sent[flows_.flow(input_, next.output)]++;
    // the data: who, which and when, for the other end
    const std::uint64_t words[] = {input_, number, next.created};
    std::memcpy(transaction->data(), words, sizeof words);
    ++open_;
    memory_phase phase = memory_phase::begin_request;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    on_link_ = transaction;
    if (socket->nb_transport_fw(*transaction, phase, delay) == tlm::TLM_UPDATED) {
        on_link_ = nullptr;
    }
}

void traffic_source::evaluate() {
    if (accepted_.ready() != nullptr) {
        accepted_.pop();
        on_link_ = nullptr;
    }
    create();
    if (on_link_ == nullptr && !queue_.empty()) {
        send();
    }
}

activity traffic_source::update() {
    const bool creates = domain().edge() <= last_;
    return creates || (on_link_ == nullptr && !queue_.empty()) ? activity::busy : activity::idle;
}

std::string traffic_source::waiting_for() const {
    return done() ? std::string() : std::to_string(open_) + " messages not answered";
}

}  // namespace heddle::crossbar_traffic
