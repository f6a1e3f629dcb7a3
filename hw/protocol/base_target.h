// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "hw/base/clock_domain.h"
#include "hw/base/credit_latch.h"
#include "hw/base/delay_edges.h"
#include "hw/base/inbox.h"
#include "hw/base/report_error.h"

namespace heddle::protocol {

/// A target's end of the four phases of the base protocol, for one initiator: requests wait in an
/// inbox; END_REQ of one that finds no room is withheld; a response goes out when END_RESP of the
/// one before has come. Costs no simulated time of its own.
class base_target {
public:
    using payload = tlm::tlm_generic_payload;

    /// `room`: requests that are accepted in the call before the first latch(). `report`: message
    /// id for broken rules of the protocol, each an SC_REPORT_ERROR. `owner` and `socket` outlive
    /// it; `owner` is woken for what is due.
    base_target(clocked& owner, tlm::tlm_target_socket<32>& socket, std::uint32_t room,
                const char* report)
        : owner_(owner),
          socket_(socket),
          report_(report),
          requests_(owner, std::size_t{room} + 1),
          response_ends_(owner, 2),
          withheld_(owner, 1),
          credit_(room) {}

    // ---- nb_transport_fw of the owner ----

    /// A phase that begins no request: what to return.
    tlm::tlm_sync_enum end_response(tlm::tlm_phase phase, const sc_core::sc_time& delay) {
        if (phase != tlm::END_RESP) {
            return tlm::TLM_ACCEPTED;  // other protocols' phases are ignorable (IEEE 1666 15.2.5)
        }
        if (!response_ends_.push(true, delay_edges(owner_.domain(), delay))) {
            report_error(report_, "END_RESP without a response");
        }
        return tlm::TLM_COMPLETED;
    }
    /// BEGIN_REQ: the request is seen `latency` edges after its delay, and is held (acquire()).
    /// False if it breaks the rules; it is reported and dropped then.
    [[nodiscard]] bool begin_request(payload& request, const sc_core::sc_time& delay,
                                     std::uint64_t latency = 0) {
        // Requests keep their order even if a delay of one of them would change it.
        const std::uint64_t now = owner_.domain().next_edge() - 1;
        request_due_ = std::max(request_due_, now + delay_edges(owner_.domain(), delay));
        if (withheld_.full() || !requests_.push(&request, request_due_ - now + latency)) {
            report_error(report_, "BEGIN_REQ before END_REQ of the one before");
            return false;
        }
        request.acquire();
        return true;
    }
    /// After begin_request(): accepts the request if there is room. What to return.
    tlm::tlm_sync_enum accept_or_withhold(payload& request, tlm::tlm_phase& phase) {
        if (!credit_.take()) {
            (void)withheld_.push(&request);
            return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }

    // ---- evaluate() of the owner ----

    [[nodiscard]] inbox<payload*>& requests() noexcept { return requests_; }
    [[nodiscard]] const inbox<payload*>& requests() const noexcept { return requests_; }
    /// The request without END_REQ, or null. One that came at this very instant is seen at the next
    /// edge only: whether owner or sender runs first must not matter.
    [[nodiscard]] const payload* withheld() {
        payload* const* const request = withheld_.ready();
        return request != nullptr ? *request : nullptr;
    }
    /// Sends the END_REQ that is withheld.
    void accept() {
        payload& request = *withheld_.pop();
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket_->nb_transport_bw(request, phase, delay);
    }
    /// Takes END_RESPs that are due. True if there was one.
    bool take_response_ends() {
        bool any = false;
        while (response_ends_.ready() != nullptr) {
            response_ends_.pop();
            responding_ = false;
            any = true;
        }
        return any;
    }
    /// A response waits for END_RESP.
    [[nodiscard]] bool responding() const noexcept { return responding_; }
    /// Sends BEGIN_RESP and lets the request go (release()). Legal unless responding().
    void respond(payload& request, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        const tlm::tlm_sync_enum status = socket_->nb_transport_bw(request, phase, delay);
        responding_ = status == tlm::TLM_ACCEPTED;
        if (status == tlm::TLM_UPDATED && delay != sc_core::SC_ZERO_TIME) {
            responding_ = response_ends_.push(true, delay_edges(owner_.domain(), delay));
        }
        request.release();
    }

    /// Between instants: the next request will be accepted in its call, also if the owner needs
    /// `places` for those before it meanwhile, and none waits for that.
    [[nodiscard]] bool accepts_next(std::uint64_t places) const noexcept {
        return withheld_.empty() && credit_.room() > places;
    }

    // ---- update() of the owner ----

    /// `used` of `room` places are taken.
    void latch(std::size_t used, std::uint32_t room) {
        credit_.latch(room - static_cast<std::uint32_t>(std::min<std::size_t>(used, room)));
    }

private:
    clocked& owner_;
    tlm::tlm_target_socket<32>& socket_;
    const char* const report_;
    inbox<payload*> requests_;
    std::uint64_t request_due_ = 0;  ///< edge of the youngest
    inbox<bool> response_ends_;
    inbox<payload*> withheld_;
    credit_latch credit_;
    bool responding_ = false;
};

}  // namespace heddle::protocol
