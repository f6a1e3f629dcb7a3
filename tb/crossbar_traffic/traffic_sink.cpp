// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/crossbar_traffic/traffic_sink.h"

#include <cstring>
#include <string>

namespace heddle::crossbar_traffic {

using protocol::memory_phase;

traffic_sink::traffic_sink(const sc_core::sc_module_name& name, clock_domain& domain,
                           testbench& bench, const traffic_options& options, std::uint32_t output,
                           ledger& flows)
    : sc_module(name),
      clocked(domain, sc_module::name()),
      bench_(bench),
      options_(options),
      output_(output),
      flows_(flows),
      stalls_(bench.options().seed, part_name() + ".accept", options.receiver_stalls),
      held_(*this, 1),
      ends_(*this, 2) {
    socket.register_nb_transport_fw(this, &traffic_sink::from_crossbar);
}

void traffic_sink::see(const payload& transaction) {
    std::uint64_t words[3];
    std::memcpy(words, transaction.get_data_ptr(), sizeof words);
    const auto input = static_cast<std::uint32_t>(words[0]);
    std::uint64_t& next = flows_.seen[flows_.flow(input, output_)];
    if (transaction.get_address() != output_ * bank_bytes || words[1] != next) {
        bench_.check(false, "output " + std::to_string(output_) + " got message " +
                                std::to_string(words[1]) + " of input " + std::to_string(input) +
                                " for address " + std::to_string(transaction.get_address()) +
                                " in place of message " + std::to_string(next));
    }
    ++next;
    bench_.progress();
    const std::uint64_t now = domain().edge();
    if (now > options_.warm_up && now <= options_.warm_up + options_.cycles) {
        latency_.add(now - words[2]);
    }
}

tlm::tlm_sync_enum traffic_sink::from_crossbar(payload& transaction, memory_phase& phase,
                                               sc_core::sc_time&) {
    if (phase == memory_phase::end_response) {
        bench_.check(ends_.push(true), "end_response without a response");
        return tlm::TLM_COMPLETED;
    }
    see(transaction);
    // what is answered depends on the cycle only
    if (stalls_.stalled(domain().edge())) {
        bench_.check(held_.push(&transaction), "a request before the last was accepted");
        return tlm::TLM_ACCEPTED;
    }
    answers_.push_back({&transaction, domain().edge()});
    wake();
    phase = memory_phase::end_request;
    return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum traffic_sink::call(payload& transaction, memory_phase phase) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    return socket->nb_transport_bw(transaction, phase, delay);
}

void traffic_sink::evaluate() {
    while (ends_.ready() != nullptr) {
        ends_.pop();
        responding_ = false;
    }
    if (!responding_ && !answers_.empty() && answers_.front().accepted < domain().edge()) {
        payload& answer = *answers_.front().transaction;
        answers_.pop_front();
        responding_ = call(answer, memory_phase::begin_response) == tlm::TLM_ACCEPTED;
    }
    if (held_.ready() != nullptr && !stalls_.stalled(domain().edge())) {
        payload& held = *held_.pop();
        call(held, memory_phase::end_request);
        answers_.push_back({&held, domain().edge()});
    }
}

activity traffic_sink::update() {
    const bool answers = !responding_ && !answers_.empty();
    return answers || !held_.empty() ? activity::busy : activity::idle;
}

}  // namespace heddle::crossbar_traffic
