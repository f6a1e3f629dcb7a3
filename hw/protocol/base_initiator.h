// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "hw/base/clock_domain.h"
#include "hw/base/delay_edges.h"
#include "hw/base/inbox.h"
#include "hw/base/report_error.h"

namespace heddle::protocol {

/// An initiator's end of the four phases of the base protocol, for one target: the next request
/// goes out when END_REQ of the one before has come; answers are seen at their edge. Costs no
/// simulated time of its own.
class base_initiator {
public:
    using payload = tlm::tlm_generic_payload;

    /// At most `answers` END_REQs and responses are under way. `report`: message id for broken
    /// rules of the protocol, each an SC_REPORT_ERROR. `owner` and `socket` outlive it; `owner` is
    /// woken for what is due.
    base_initiator(clocked& owner, tlm::tlm_initiator_socket<32>& socket, std::size_t answers,
                   const char* report)
        : owner_(owner), socket_(socket), report_(report), events_(owner, answers) {}

    /// The owner's nb_transport_bw.
    tlm::tlm_sync_enum take(payload& request, tlm::tlm_phase phase, const sc_core::sc_time& delay) {
        if (phase == tlm::END_REQ) {
            post({&request, false, false}, delay);
        } else if (phase == tlm::BEGIN_RESP) {
            post({&request, true, false}, delay);
            return tlm::TLM_COMPLETED;
        }
        return tlm::TLM_ACCEPTED;
    }

    // ---- evaluate() of the owner ----

    /// The request without END_REQ, or null.
    [[nodiscard]] const payload* unaccepted() const noexcept { return unaccepted_; }
    /// Sends BEGIN_REQ. Legal unless unaccepted(). True if the request is answered within the call
    /// and without a delay: the caller takes the answer now, or with answer_later().
    [[nodiscard]] bool send(payload& request) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        unaccepted_ = &request;
        switch (socket_->nb_transport_fw(request, phase, delay)) {
            case tlm::TLM_ACCEPTED:
                return false;
            case tlm::TLM_UPDATED:
                if (phase == tlm::BEGIN_RESP) {
                    post({&request, true, true}, delay);
                } else if (delay != sc_core::SC_ZERO_TIME) {
                    post({&request, false, false}, delay);
                } else {
                    unaccepted_ = nullptr;
                }
                return false;
            case tlm::TLM_COMPLETED:
                break;
        }
        if (delay == sc_core::SC_ZERO_TIME) {
            unaccepted_ = nullptr;
            return true;
        }
        post({&request, true, false}, delay);
        return false;
    }
    /// A request that was answered within its call is answered at the next edge.
    void answer_later(payload& request) {
        unaccepted_ = &request;
        post({&request, true, false}, sc_core::SC_ZERO_TIME);
    }
    /// Takes what is due at `edge`, the owner's, and calls answered(payload&) for each response.
    /// True if there was anything.
    template <class Answered>
    bool receive(std::uint64_t edge, Answered answered) {
        bool any = false;
        while (events_.ready(edge) != nullptr) {
            const event next = events_.pop();
            any = true;
            // A response stands for the acceptance of its request.
            if (unaccepted_ == next.request) unaccepted_ = nullptr;
            if (!next.answered) continue;
            if (next.ends) {
                tlm::tlm_phase phase = tlm::END_RESP;
                sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
                socket_->nb_transport_fw(*next.request, phase, delay);
            }
            answered(*next.request);
        }
        return any;
    }
    /// No acceptance and no response waits here for its edge.
    [[nodiscard]] bool idle() const noexcept { return events_.empty(); }

private:
    struct event {
        payload* request = nullptr;
        bool answered = false;  ///< else accepted
        bool ends = false;      ///< END_RESP is due
    };

    void post(const event& next, const sc_core::sc_time& delay) {
        if (!events_.push(next, delay_edges(owner_.domain(), delay))) {
            report_error(report_, "more answers of memory than requests");
        }
    }

    clocked& owner_;
    tlm::tlm_initiator_socket<32>& socket_;
    const char* const report_;
    inbox<event> events_;
    payload* unaccepted_ = nullptr;
};

}  // namespace heddle::protocol
