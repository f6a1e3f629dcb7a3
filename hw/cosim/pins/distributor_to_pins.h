// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "hw/base/ring.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/protocol/kde_update.h"
#include "hw/protocol/link.h"
#include "models/base/level_meter.h"
#include "models/base/statistics.h"

namespace heddle::pins {

/// Message ids of this transactor's reports.
namespace distributor_to_pins_report {
inline constexpr const char* protocol = "heddle/distributor_to_pins/protocol";
}  // namespace distributor_to_pins_report

/// Transactor from TLM to pins, and back: has the sockets of a kernel_distributor, and drives the
/// pins of one. The launches themselves stay here; the pins carry what an entry needs of them.
///
/// A launch is accepted when it has moved over the pins. Updates wait here for credits, in their
/// order, one a clock.
/// Costs: a launch or update that is sent at edge e is driven at e + 1, so that the distributor
/// samples it at e + 2; a kernel that starts or completes at edge r is told at r, so that it is
/// seen at r + 1. `accepted` comes at the edge at which the distributor samples the launch.
/// Illegal: a kernel that starts out of its order, one that completes without an entry,
/// update_error, more updates than its inbox holds: distributor_to_pins_report::protocol.
class distributor_to_pins final : public sc_core::sc_module, public clocked, public pin_part {
public:
    protocol::target_socket_of<distributor_to_pins, protocol::kernel_dispatch_link> dispatch_socket;
    protocol::initiator_socket_of<distributor_to_pins, protocol::kde_link> kernel_ready_socket;
    protocol::target_socket_of<distributor_to_pins, protocol::kde_link> block_update_socket;

    /// How much each end is stalled.
    struct stalls {
        pin_stalls dispatch, start, update, complete;
    };

    /// `clock` and `pins` outlive the transactor. `most_updates`: how many may wait.
    distributor_to_pins(const sc_core::sc_module_name& name, pin_clock& clock,
                        distributor_pins& pins, std::size_t most_updates, const stalls& held = {});

    void evaluate() override {}
    [[nodiscard]] activity update() override { return activity::idle; }
    void clock_edge() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// Kernels that are in an entry, as far as the pins have told.
    [[nodiscard]] std::uint64_t used() const noexcept { return started_ - completed_; }
    /// Declares kernel_distributor_statistics under `scope`, and sets them by what is seen of the
    /// pins: an entry is in use from start to complete.
    void collect(statistics& out, const std::string& scope) const;

private:
    using launch_ptr = pool_ptr<protocol::kernel_launch>;
    using update_ptr = pool_ptr<protocol::kde_update>;

    tlm::tlm_sync_enum take_request(protocol::kernel_launch& launch, protocol::launch_phase& phase,
                                    sc_core::sc_time& time);
    tlm::tlm_sync_enum take_update(protocol::kde_update& update, protocol::kde_phase& phase,
                                   sc_core::sc_time& time);
    void accept();
    void start(const start_pins& pins);
    void complete(const complete_pins& pins);
    [[nodiscard]] bool drive_launch(kernel_pins& pins);
    [[nodiscard]] bool drive_update(update_pins& pins);
    void report(const std::string& what) const;

    pin_source<kernel_pins> dispatch_;
    pin_sink<start_pins> start_;
    credit_source<update_pins> update_;
    pin_sink<complete_pins> complete_;
    const sc_core::sc_signal<bool>& update_error_;
    inbox<launch_ptr> requests_;
    inbox<update_ptr> updates_;
    launch_ptr on_pins_;           ///< driven, not yet taken
    ring<launch_ptr> dispatched_;  ///< taken, not yet started
    std::vector<launch_ptr> entries_;
    pool<protocol::kde_update> ready_pool_;
    level_meter occupancy_;
    std::uint64_t started_ = 0;
    std::uint64_t completed_ = 0;
};

}  // namespace heddle::pins
