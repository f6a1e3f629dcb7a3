// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"

namespace heddle::pins {

/// Message ids of this transactor's reports.
namespace pins_to_distributor_report {
inline constexpr const char* protocol = "heddle/pins_to_distributor/protocol";
}  // namespace pins_to_distributor_report

/// Transactor from pins to TLM, and back: has the pins of a Kernel Distributor, and a TLM
/// kernel_distributor behind its sockets. Launches behind it are made from the pins, so they have
/// no name.
///
/// Costs: a launch or update that is sampled at edge r is sent at r, so that the distributor sees
/// it at r + 1; a kernel that it starts or completes at edge e is driven at e + 1. A kernel starts
/// on the pins when the end of the one before it in its entry has moved.
class pins_to_distributor final : public sc_core::sc_module, public clocked, public pin_part {
public:
    protocol::initiator_socket_of<pins_to_distributor, protocol::kernel_dispatch_link>
        dispatch_socket;
    protocol::target_socket_of<pins_to_distributor, protocol::kde_link> kernel_ready_socket;
    protocol::initiator_socket_of<pins_to_distributor, protocol::kde_link> block_update_socket;

    /// How much each end is stalled.
    struct stalls {
        pin_stalls dispatch, start, update, complete;
    };

    /// `clock` and `pins` outlive the transactor.
    pins_to_distributor(const sc_core::sc_module_name& name, pin_clock& clock,
                        distributor_pins& pins, const stalls& held = {});

    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
    void clock_edge() override;

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    using update_ptr = pool_ptr<protocol::kde_update>;

    tlm::tlm_sync_enum take_answer(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                   sc_core::sc_time& time);
    tlm::tlm_sync_enum take_ready(protocol::kde_update& update, protocol::kde_phase& phase,
                                  sc_core::sc_time& time);
    void dispatch(const kernel_pins& pins);
    void pass_update(const update_pins& pins);
    [[nodiscard]] bool drive_start(start_pins& pins);
    [[nodiscard]] bool drive_complete(complete_pins& pins);

    pin_sink<kernel_pins> dispatch_;
    pin_source<start_pins> start_;
    credit_sink<update_pins> update_;
    pin_source<complete_pins> complete_;
    pool<protocol::kernel_launch> launches_;
    pool<protocol::kde_update> updates_;
    std::vector<launch_ptr> entries_;  ///< kernels that have started, until their end has moved
    std::uint32_t ending_ = 0;         ///< entry whose end is on the pins
    launch_ptr requested_;             ///< not yet started
    bool accepted_ = true;             ///< the last launch
    inbox<bool> acceptances_;
    inbox<update_ptr> starts_;
    inbox<launch_ptr> ends_;
};

}  // namespace heddle::pins
