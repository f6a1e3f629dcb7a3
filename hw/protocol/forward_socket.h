// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "hw/base/report_error.h"
#include "hw/protocol/instrumentation.h"
#include "hw/protocol/link.h"

namespace heddle::protocol {

/// Initiator end of a link on which nothing comes back.
template <class Link>
class forward_socket final : public initiator_socket_base<Link>,
                             private tlm::tlm_bw_transport_if<Link> {
public:
    explicit forward_socket(const char* name) : initiator_socket_base<Link>(name) {
        this->bind(static_cast<tlm::tlm_bw_transport_if<Link>&>(*this));
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(typename Link::tlm_payload_type&,
                                       typename Link::tlm_phase_type&, sc_core::sc_time&) override {
        report_error("heddle/smx/child_link", "a child of an SMX answers on the backward path");
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// Binds two ends of a link, with its checkers and recorders if there are any.
template <class Initiator, class Target>
void connect(instrumentation* links, Initiator& initiator, Target& target, const link_name& name) {
    if (links != nullptr) {
        links->connect(initiator, target, name);
    } else {
        initiator.bind(target);
    }
}

}  // namespace heddle::protocol
