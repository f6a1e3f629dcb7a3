// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <unordered_map>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/protocol/link.h"
#include "hw/protocol/memory_access.h"
#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// Memory for launch records: accesses take effect in the order of their requests, after random
/// times. Words that nobody has stored are garbage.
class record_store final : public sc_core::sc_module, public clocked {
public:
    protocol::target_socket_of<record_store, protocol::memory_link> socket;

    record_store(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          socket("socket"),
          bench_(bench),
          random_(bench.random(sc_module::name())),
          requests_(*this, 2) {
        socket.register_nb_transport_fw(this, &record_store::take);
    }

    void evaluate() override {
        const std::uint64_t now = clocked::domain().edge();
        if (requests_.ready() != nullptr) {
            tlm::tlm_generic_payload* const request = requests_.pop();
            const std::uint64_t before = open_.empty() ? now : open_.back().due;
            open_.push_back({request, std::max(before, now + 1 + random_.below(60))});
            answer(*request, protocol::memory_phase::end_request);
        }
        if (open_.empty() || open_.front().due > now) return;
        tlm::tlm_generic_payload& request = *open_.front().request;
        open_.pop_front();
        access(request);
        request.set_response_status(tlm::TLM_OK_RESPONSE);
        answer(request, protocol::memory_phase::begin_response);
    }
    [[nodiscard]] activity update() override {
        return open_.empty() && requests_.empty() ? activity::idle : activity::busy;
    }
    [[nodiscard]] std::string waiting_for() const override { return {}; }

private:
    struct pending {
        tlm::tlm_generic_payload* request;
        std::uint64_t due;
    };

    tlm::tlm_sync_enum take(tlm::tlm_generic_payload& request, protocol::memory_phase& phase,
                            sc_core::sc_time&) {
        bench_.check(phase == protocol::memory_phase::begin_request && requests_.push(&request),
                     "a second request before the end of the first one");
        return tlm::TLM_ACCEPTED;
    }
    void answer(tlm::tlm_generic_payload& request, protocol::memory_phase phase) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->nb_transport_bw(request, phase, delay);
    }
    void access(tlm::tlm_generic_payload& request) {
        for (unsigned at = 0; at < request.get_data_length(); at += 4) {
            std::uint8_t* const data = request.get_data_ptr() + at;
            const std::uint64_t address = request.get_address() + at;
            if (request.is_write()) {
                std::memcpy(&words_[address], data, 4);
            } else {
                const auto found = words_.find(address);
                const std::uint32_t word = found == words_.end() ? 0xdead'beef : found->second;
                std::memcpy(data, &word, 4);
            }
        }
    }

    testbench& bench_;
    random_stream random_;
    inbox<tlm::tlm_generic_payload*> requests_;
    std::deque<pending> open_;
    std::unordered_map<std::uint64_t, std::uint32_t> words_;
};

}  // namespace heddle::launch_tb
