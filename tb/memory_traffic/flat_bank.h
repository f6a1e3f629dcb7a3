// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <deque>
#include <systemc>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/l2/line_operations.h"
#include "tb/memory_traffic/scoreboard.h"

namespace heddle::traffic {

/// Stands for an L2 bank and its memory: performs requests in order on flat bytes, with random
/// stalls before each acceptance and response.
class flat_bank final : public sc_core::sc_module, public clocked {
    using payload = tlm::tlm_generic_payload;

public:
    protocol::target_socket_of<flat_bank, protocol::memory_link> socket{"socket"};

    flat_bank(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
              std::vector<std::uint8_t>& bytes)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          bytes_(bytes),
          accept_stalls_(bench.stalls(part_name() + ".accept")),
          response_stalls_(bench.stalls(part_name() + ".response")),
          requests_(*this, 2),
          ends_(*this, 2) {
        socket.register_nb_transport_fw(this, &flat_bank::from_network);
        socket.register_transport_dbg(this, &flat_bank::debug);
    }

    void evaluate() override {
        while (ends_.ready() != nullptr) {
            responding_ = !ends_.pop();
        }
        if (requests_.ready() != nullptr && !accept_stalls_.stalled(domain().edge())) {
            queue_.push_back(requests_.pop());
            call(*queue_.back(), protocol::memory_phase::end_request);
        }
        if (!responding_ && !queue_.empty() && !response_stalls_.stalled(domain().edge())) {
            payload& access = *queue_.front();
            queue_.pop_front();
            line_store::state line;
            const std::uint64_t first = (access.get_address() - region) / line_bytes * line_bytes;
            perform_access(access, *protocol::access_of(access), line, &bytes_[first], line_bytes,
                           reserved_);
            responding_ = call(access, protocol::memory_phase::begin_response) == tlm::TLM_ACCEPTED;
        }
    }
    activity update() override {
        return requests_.empty() && queue_.empty() ? activity::idle : activity::busy;
    }

private:
    tlm::tlm_sync_enum call(payload& access, protocol::memory_phase phase) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        return socket->nb_transport_bw(access, phase, delay);
    }
    tlm::tlm_sync_enum from_network(payload& access, protocol::memory_phase& phase,
                                    sc_core::sc_time&) {
        if (phase == protocol::memory_phase::end_response) {
            bench_.check(ends_.push(true), "end_response without a response");
            return tlm::TLM_COMPLETED;
        }
        bench_.check(requests_.push(&access), "a request before the last was accepted");
        return tlm::TLM_ACCEPTED;
    }
    unsigned debug(payload& access) {
        const std::uint64_t first = access.get_address() - region;
        for (unsigned i = 0; i < access.get_data_length(); ++i) {
            std::uint8_t& here = bytes_[first + i];
            std::uint8_t& there = access.get_data_ptr()[i];
            (access.is_read() ? there : here) = access.is_read() ? here : there;
        }
        return access.get_data_length();
    }

    testbench& bench_;
    std::vector<std::uint8_t>& bytes_;
    stall_source accept_stalls_, response_stalls_;
    inbox<payload*> requests_;
    inbox<bool> ends_;
    std::deque<payload*> queue_;
    reservations reserved_;
    bool responding_ = false;
};

}  // namespace heddle::traffic
