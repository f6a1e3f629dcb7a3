// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <systemc>
#include <tlm>

#include "hw/protocol/rule_table.h"

namespace heddle::protocol {

/// Stands between the two sockets of a link and passes every call on, unchanged and in the same
/// call. So time, order and results of a run don't depend on it. Derived classes look at the calls.
///
/// Bind an initiator to `target_socket` and `initiator_socket` to the target. Without an observer
/// the two sockets are bound directly, so an observer that is off costs nothing.
template <typename Link, unsigned Width = 32>
class link_observer : public sc_core::sc_module,
                      protected tlm::tlm_fw_transport_if<Link>,
                      protected tlm::tlm_bw_transport_if<Link> {
public:
    using payload_type = typename Link::tlm_payload_type;
    using phase_type = typename Link::tlm_phase_type;

    tlm::tlm_target_socket<Width, Link> target_socket;
    tlm::tlm_initiator_socket<Width, Link> initiator_socket;

    explicit link_observer(const sc_core::sc_module_name& name)
        : sc_module(name), target_socket("target_socket"), initiator_socket("initiator_socket") {
        target_socket.bind(static_cast<tlm::tlm_fw_transport_if<Link>&>(*this));
        initiator_socket.bind(static_cast<tlm::tlm_bw_transport_if<Link>&>(*this));
    }

protected:
    /// A non-blocking call, on either path.
    virtual tlm::tlm_sync_enum pass(path via, payload_type& payload, phase_type& phase,
                                    sc_core::sc_time& time) {
        return via == path::forward ? initiator_socket->nb_transport_fw(payload, phase, time)
                                    : target_socket->nb_transport_bw(payload, phase, time);
    }
    void b_transport(payload_type& payload, sc_core::sc_time& time) override {
        initiator_socket->b_transport(payload, time);
    }
    bool get_direct_mem_ptr(payload_type& payload, tlm::tlm_dmi& dmi) override {
        return initiator_socket->get_direct_mem_ptr(payload, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
        target_socket->invalidate_direct_mem_ptr(first, last);
    }
    unsigned transport_dbg(payload_type& payload) override {
        return initiator_socket->transport_dbg(payload);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(payload_type& payload, phase_type& phase,
                                       sc_core::sc_time& time) final {
        return pass(path::forward, payload, phase, time);
    }
    tlm::tlm_sync_enum nb_transport_bw(payload_type& payload, phase_type& phase,
                                       sc_core::sc_time& time) final {
        return pass(path::backward, payload, phase, time);
    }
};

}  // namespace heddle::protocol
