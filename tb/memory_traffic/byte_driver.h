// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/protocol/base_access.h"
#include "tb/kit/testbench.h"

namespace heddle {

/// Initiator of a base_link: random reads and writes with byte enables, random stalls before each
/// request and END_RESP, every answer compared with flat bytes. Accesses to the same bytes may
/// overlap in time: the target has to keep their order. Ends the run when all are answered.
class byte_driver : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<byte_driver, protocol::base_link> socket{"socket"};
    protocol::memory_pool pool{"pool"};

    /// Accesses lie in the first `bytes`; `calls`: how many the target may make ahead.
    byte_driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
                unsigned accesses, std::size_t bytes, std::size_t calls)
        : sc_module(name),
          clocked(domain, sc_module::name()),
          bench_(bench),
          accesses_(accesses),
          random_(bench.random(part_name())),
          request_stalls_(bench.stalls("request")),
          response_stalls_(bench.stalls("response")),
          events_(*this, calls),
          expected_(bytes) {
        socket.register_nb_transport_bw(this, &byte_driver::from_memory);
    }

    void evaluate() override {
        while (events_.ready() != nullptr) {
            const event what = events_.pop();
            if (what.payload == on_link_) on_link_ = nullptr;
            if (what.is_response) held_ = what.payload;
        }
        if (held_ != nullptr && !response_stalls_.stalled(domain().edge())) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_fw(*held_, phase, delay);
            complete(*std::exchange(held_, nullptr));
        }
        if (on_link_ == nullptr && issued_ < accesses_ &&
            !request_stalls_.stalled(domain().edge())) {
            issue();
        }
        if (completed_ == accesses_) bench_.finish();
    }
    activity update() override { return activity::busy; }
    /// Read or written, disabled ones included.
    [[nodiscard]] std::uint64_t moved_bytes(bool written) const { return bytes_[written]; }

protected:
    struct access {
        unsigned length;
        std::uint64_t address;
        bool is_read;
    };
    virtual access draw(random_stream& random) = 0;
    /// What a testbench checks besides the bytes.
    virtual void began(const tlm::tlm_generic_payload&) {}
    virtual void answered(const tlm::tlm_generic_payload&) {}
    virtual void ended(const tlm::tlm_generic_payload&) {}

    testbench& bench_;

private:
    struct event {
        tlm::tlm_generic_payload* payload = nullptr;
        bool is_response = false;
    };

    void issue() {
        protocol::memory_transaction& t = *pool.make();
        const access a = draw(random_);
        t.prepare(a.is_read ? protocol::memory_kind::load : protocol::memory_kind::write_back,
                  a.address, a.length);
        std::vector<std::uint8_t>& data = open_[&t];
        data.clear();
        for (unsigned i = 0; i < a.length; ++i) {
            const bool enabled = a.is_read || random_.chance(0.7);
            if (!enabled) t.access().byte_mask[i / 64] &= ~(std::uint64_t{1} << (i % 64));
            t.data()[i] = static_cast<std::uint8_t>(random_.next());
            if (a.is_read) {
                data.push_back(expected_[a.address + i]);
            } else if (enabled) {
                expected_[a.address + i] = t.data()[i];
            }
        }
        t.apply_byte_enables();
        bytes_[!a.is_read] += a.length;
        ++issued_;
        began(t);
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        on_link_ = socket->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED ? &t : nullptr;
    }
    tlm::tlm_sync_enum from_memory(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                   sc_core::sc_time&) {
        const bool is_response = phase == tlm::BEGIN_RESP;
        bench_.check(events_.push({&p, is_response}), "too many calls");
        if (is_response) answered(p);
        return tlm::TLM_ACCEPTED;
    }
    void complete(tlm::tlm_generic_payload& p) {
        const auto found = open_.find(&p);
        bench_.check(found != open_.end(), "an answer to no request");
        bench_.check(p.is_response_ok(), "answered " + p.get_response_string());
        const std::vector<std::uint8_t>& data = found->second;
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (p.get_data_ptr()[i] != data[i]) {
                bench_.check(false, "byte " + std::to_string(p.get_address() + i) + " is " +
                                        std::to_string(p.get_data_ptr()[i]) + " instead of " +
                                        std::to_string(data[i]));
            }
        }
        open_.erase(found);
        ended(p);
        ++completed_;
        bench_.progress();
        p.release();
    }

    const unsigned accesses_;
    random_stream random_;
    stall_source request_stalls_, response_stalls_;
    inbox<event> events_;
    std::vector<std::uint8_t> expected_;
    std::map<const tlm::tlm_generic_payload*, std::vector<std::uint8_t>> open_;
    tlm::tlm_generic_payload* on_link_ = nullptr;
    tlm::tlm_generic_payload* held_ = nullptr;
    std::uint64_t bytes_[2] = {0, 0};
    unsigned issued_ = 0, completed_ = 0;
};

}  // namespace heddle
