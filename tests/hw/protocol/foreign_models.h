// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/base/has_process.h"
#include "models/base/random.h"

/// Initiator and target as a third party writes them: TLM headers only (and a random stream).
/// `Phases` names the four phases, so that memory_link can be driven by the same code.
namespace foreign {

using sc_core::SC_NS;
using sc_core::sc_time;

struct base_phases {
    using types = tlm::tlm_base_protocol_types;
    static constexpr auto begin_req = tlm::BEGIN_REQ;
    static constexpr auto end_req = tlm::END_REQ;
    static constexpr auto begin_resp = tlm::BEGIN_RESP;
    static constexpr auto end_resp = tlm::END_RESP;
};

inline sc_time stall(heddle::random_stream& random) {
    return random.chance(0.5) ? sc_core::SC_ZERO_TIME
                              : sc_time(static_cast<double>(1 + random.below(7)), SC_NS);
}

/// Issues random reads and writes, several at a time, and compares what it reads.
template <typename Phases>
class at_initiator : public sc_core::sc_module,
                     tlm::tlm_bw_transport_if<typename Phases::types>,
                     tlm::tlm_mm_interface {
    using types = typename Phases::types;
    using phase = typename types::tlm_phase_type;
    using payload = tlm::tlm_generic_payload;

public:
    static constexpr unsigned memory_bytes = 1024;

    tlm::tlm_initiator_socket<32, types> socket{"socket"};
    std::ostringstream log;
    unsigned completed = 0, mismatches = 0, alive = 0;
    /// Adds what the link wants beyond a generic payload.
    void (*decorate)(payload&) = [](payload&) {};

    HEDDLE_HAS_PROCESS(at_initiator);
    at_initiator(const sc_core::sc_module_name& name, std::uint64_t seed, unsigned count)
        : sc_module(name), random_(seed, "initiator"), count_(count), expected_(memory_bytes) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<types>&>(*this));
        SC_THREAD(send);
        SC_THREAD(finish_responses);
    }

private:
    void send() {
        for (unsigned i = 0; i < count_; ++i) {
            while (outstanding_ == 4) {
                wait(completed_event_);
            }
            payload* p = make();
            phase ph = Phases::begin_req;
            sc_time t = stall(random_);
            requesting_ = p;
            ++outstanding_;
            log << i << '@' << sc_core::sc_time_stamp() << ';';
            const tlm::tlm_sync_enum status = socket->nb_transport_fw(*p, ph, t);
            if (status == tlm::TLM_COMPLETED) {
                complete(*p);
            } else if (status == tlm::TLM_UPDATED) {
                requesting_ = nullptr;
                if (ph == Phases::begin_resp) {
                    ending_.push_back(p), ending_event_.notify(t);
                }
            }
            while (requesting_ == p) {
                wait(request_event_);
            }
            wait(stall(random_));
        }
    }

    void finish_responses() {
        for (;;) {
            while (ending_.empty()) {
                wait(ending_event_);
            }
            payload* p = ending_.front();
            ending_.pop_front();
            wait(sc_time(20, SC_NS));  // no earlier than any annotation
            phase ph = Phases::end_resp;
            sc_time t = sc_core::SC_ZERO_TIME;
            p->acquire();
            complete(*p);
            socket->nb_transport_fw(*p, ph, t);
            p->release();
        }
    }

    tlm::tlm_sync_enum nb_transport_bw(payload& p, phase& ph, sc_time& t) override {
        if (requesting_ == &p) {
            requesting_ = nullptr;
            request_event_.notify();
        }
        if (ph == phase(Phases::end_req)) {
            return tlm::TLM_ACCEPTED;
        }
        switch (random_.below(3)) {
            case 0:
                complete(p);
                return tlm::TLM_COMPLETED;
            case 1:
                complete(p);
                ph = Phases::end_resp;
                t += stall(random_);
                return tlm::TLM_UPDATED;
            default:
                ending_.push_back(&p);
                ending_event_.notify();
                return tlm::TLM_ACCEPTED;
        }
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    payload* make() {
        auto* p = new payload(this);
        ++alive;
        const unsigned length = 4 * static_cast<unsigned>(1 + random_.below(8));
        const std::uint64_t address = 32 * random_.below(memory_bytes / 32);
        auto* data = new unsigned char[length];
        p->set_command(random_.chance(0.5) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
        p->set_address(address);
        p->set_data_ptr(data);
        p->set_data_length(length);
        p->set_streaming_width(length);
        for (unsigned i = 0; i < length; ++i) {
            data[i] = static_cast<unsigned char>(random_.next());
            if (p->is_write()) {
                expected_[address + i] = data[i];
            }
        }
        if (p->is_read()) {
            const auto first = expected_.begin() + static_cast<std::ptrdiff_t>(address);
            reads_[p] = std::vector<unsigned char>(first, first + length);
        }
        decorate(*p);
        p->acquire();
        return p;
    }

    void complete(payload& p) {
        if (requesting_ == &p) {
            requesting_ = nullptr, request_event_.notify();
        }
        if (!p.is_response_ok()) {
            ++mismatches;
        }
        if (p.is_read()) {
            const std::vector<unsigned char>& expected = reads_[&p];
            for (std::size_t i = 0; i < expected.size(); ++i) {
                if (p.get_data_ptr()[i] != expected[i]) {
                    ++mismatches;
                }
            }
            reads_.erase(&p);
        }
        ++completed;
        --outstanding_;
        completed_event_.notify();
        log << 'c' << completed << '@' << sc_core::sc_time_stamp() << ';';
        p.release();
    }

    void free(payload* p) override {
        delete[] p->get_data_ptr();
        delete p;
        --alive;
    }

    heddle::random_stream random_;
    unsigned count_, outstanding_ = 0;
    std::vector<unsigned char> expected_;
    std::map<payload*, std::vector<unsigned char>> reads_;
    std::deque<payload*> ending_;
    payload* requesting_ = nullptr;
    sc_core::sc_event request_event_, completed_event_, ending_event_;
};

/// Memory that answers in every way that the protocol allows, chosen at random.
template <typename Phases>
class at_target : public sc_core::sc_module, tlm::tlm_fw_transport_if<typename Phases::types> {
    using types = typename Phases::types;
    using phase = typename types::tlm_phase_type;
    using payload = tlm::tlm_generic_payload;

public:
    tlm::tlm_target_socket<32, types> socket{"socket"};

    HEDDLE_HAS_PROCESS(at_target);
    at_target(const sc_core::sc_module_name& name, std::uint64_t seed)
        : sc_module(name), random_(seed, "target"), memory_(1024) {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<types>&>(*this));
        SC_THREAD(respond);
    }

private:
    struct pending {
        payload* p;
        bool ends_request;
        sc_time not_before;
    };

    tlm::tlm_sync_enum nb_transport_fw(payload& p, phase& ph, sc_time& t) override {
        if (ph == phase(Phases::end_resp)) {
            response_busy_ = false;
            response_event_.notify();
            return random_.chance(0.5) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
        }
        perform(p);
        const std::uint64_t choice = random_.below(5);
        if (choice == 0 || (choice == 1 && !response_busy_)) {
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            t += stall(random_);
            if (choice == 0) {
                return tlm::TLM_COMPLETED;
            }
            response_busy_ = true;
            ph = Phases::begin_resp;
            return tlm::TLM_UPDATED;
        }
        p.acquire();
        queue_.push_back({&p, choice == 3, sc_core::sc_time_stamp() + t});
        queue_event_.notify();
        if (choice != 2) {
            return tlm::TLM_ACCEPTED;
        }
        ph = Phases::end_req;
        return tlm::TLM_UPDATED;
    }

    void respond() {
        for (;;) {
            while (queue_.empty()) {
                wait(queue_event_);
            }
            const pending next = queue_.front();
            queue_.pop_front();
            if (next.not_before > sc_core::sc_time_stamp()) {
                wait(next.not_before - sc_core::sc_time_stamp());
            }
            wait(stall(random_));
            sc_time t = sc_core::SC_ZERO_TIME;
            if (next.ends_request) {
                phase ph = Phases::end_req;
                socket->nb_transport_bw(*next.p, ph, t);
                wait(stall(random_));
            }
            while (response_busy_) {
                wait(response_event_);
            }
            response_busy_ = true;
            next.p->set_response_status(tlm::TLM_OK_RESPONSE);
            phase ph = Phases::begin_resp;
            t = sc_core::SC_ZERO_TIME;
            if (socket->nb_transport_bw(*next.p, ph, t) != tlm::TLM_ACCEPTED) {
                response_busy_ = false;
            }
            next.p->release();
        }
    }

    void perform(payload& p) {
        unsigned char* cell = &memory_[p.get_address()];
        unsigned char* data = p.get_data_ptr();
        for (unsigned i = 0; i < p.get_data_length(); ++i) {
            (p.is_read() ? data[i] : cell[i]) = p.is_read() ? cell[i] : data[i];
        }
    }

    void b_transport(payload& p, sc_time&) override {
        perform(p);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool get_direct_mem_ptr(payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(payload& p) override {
        perform(p);
        return p.get_data_length();
    }

    heddle::random_stream random_;
    std::vector<unsigned char> memory_;
    std::deque<pending> queue_;
    bool response_busy_ = false;
    sc_core::sc_event queue_event_, response_event_;
};

}  // namespace foreign
