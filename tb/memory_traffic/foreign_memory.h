// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

// A memory as a third party would write it: nothing but SystemC and TLM headers.
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/base/has_process.h"

namespace foreign {

struct memory_options {
    bool byte_enables = true;  ///< else it answers BYTE_ENABLE_ERROR to them
    unsigned latency_ns = 60;  ///< at most
    unsigned seed = 1;
};

/// Performs an access on `bytes`, which begin at address `base`.
inline void perform(tlm::tlm_generic_payload& p, std::vector<std::uint8_t>& bytes,
                    std::uint64_t base, const memory_options& options) {
    const std::uint64_t first = p.get_address() - base;
    const std::uint8_t* enables = p.get_byte_enable_ptr();
    if (p.get_address() < base || first + p.get_data_length() > bytes.size()) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (enables != nullptr && !options.byte_enables) {
        p.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        return;
    }
    for (unsigned i = 0; i < p.get_data_length(); ++i) {
        if (enables == nullptr || enables[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED) {
            (p.is_read() ? p.get_data_ptr()[i] : bytes[first + i]) =
                p.is_read() ? bytes[first + i] : p.get_data_ptr()[i];
        }
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Loosely timed: nothing but b_transport, in which random time passes, and transport_dbg.
class lt_memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<lt_memory> socket{"socket"};

    lt_memory(const sc_core::sc_module_name& name, std::vector<std::uint8_t>& bytes,
              std::uint64_t base, const memory_options& options)
        : sc_module(name), bytes_(bytes), base_(base), options_(options), random_(options.seed) {
        socket.register_b_transport(this, &lt_memory::b_transport);
        socket.register_transport_dbg(this, &lt_memory::transport_dbg);
    }

private:
    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        wait(delay + sc_core::sc_time(static_cast<double>(random_() % options_.latency_ns),
                                      sc_core::SC_NS));
        delay = sc_core::SC_ZERO_TIME;
        perform(p, bytes_, base_, options_);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) {
        perform(p, bytes_, base_, options_);
        return p.is_response_ok() ? p.get_data_length() : 0;
    }

    std::vector<std::uint8_t>& bytes_;
    std::uint64_t base_;
    memory_options options_;
    std::minstd_rand random_;
};

/// Base-protocol target that answers in every way that the standard allows, after random times and
/// in random order, also of accesses to one address.
class at_memory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<32> socket{"socket"};

    HEDDLE_HAS_PROCESS(at_memory);
    at_memory(const sc_core::sc_module_name& name, std::vector<std::uint8_t>& bytes,
              std::uint64_t base, const memory_options& options)
        : sc_module(name), bytes_(bytes), base_(base), options_(options), random_(options.seed) {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        SC_THREAD(respond);
    }

private:
    struct pending {
        tlm::tlm_generic_payload* payload;
        bool ends_request;
    };

    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    sc_core::sc_time pause() {
        return {static_cast<double>(below(options_.latency_ns)), sc_core::SC_NS};
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (phase == tlm::END_RESP) {
            response_busy_ = false;
            response_event_.notify(sc_core::SC_ZERO_TIME);
            return below(2) != 0 ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        }
        const unsigned choice = below(6);
        if (choice == 0) {
            perform(p);
            delay += pause();
            return tlm::TLM_COMPLETED;
        }
        if (choice == 1 && !response_busy_) {
            perform(p);
            response_busy_ = true;
            phase = tlm::BEGIN_RESP;
            delay += pause();
            return tlm::TLM_UPDATED;
        }
        p.acquire();
        const bool accepts = choice == 2 || choice == 3;
        // one that withholds END_REQ goes first, or nothing else would ever come
        const pending entry{&p, choice == 4};
        queue_.insert(accepts ? queue_.end() : queue_.begin(), entry);
        queue_event_.notify(sc_core::SC_ZERO_TIME);
        if (!accepts) {
            return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }

    void respond() {
        for (;;) {
            while (queue_.empty()) {
                wait(queue_event_);
            }
            const auto chosen = queue_.begin() + below(static_cast<unsigned>(queue_.size()));
            const pending next = *chosen;
            queue_.erase(chosen);
            const bool early = below(2) != 0;
            if (early) {
                perform(*next.payload);
            }
            wait(pause());
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            if (next.ends_request) {
                tlm::tlm_phase phase = tlm::END_REQ;
                socket->nb_transport_bw(*next.payload, phase, delay);
                wait(pause());
            }
            while (response_busy_) {
                wait(response_event_);
            }
            if (!early) {
                perform(*next.payload);
            }
            response_busy_ = true;
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            delay = sc_core::SC_ZERO_TIME;
            if (socket->nb_transport_bw(*next.payload, phase, delay) != tlm::TLM_ACCEPTED) {
                response_busy_ = false;
            }
            next.payload->release();
        }
    }

    void perform(tlm::tlm_generic_payload& p) { foreign::perform(p, bytes_, base_, options_); }

    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) override { perform(p); }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload& p) override {
        perform(p);
        return p.is_response_ok() ? p.get_data_length() : 0;
    }

    std::vector<std::uint8_t>& bytes_;
    std::uint64_t base_;
    memory_options options_;
    std::minstd_rand random_;
    std::deque<pending> queue_;
    bool response_busy_ = false;
    sc_core::sc_event queue_event_, response_event_;
};

}  // namespace foreign
