// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/cosim/pins/smx_pins.h"
#include "hw/smx/execute/execution_observer.h"
#include "hw/smx/smx.h"
#include "hw/smx/smx_core.h"
#include "hw/smx/smx_statistics.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/statistics.h"

namespace heddle {

/// What all SMXs of a machine are built from; used during construction only.
struct smx_side_options {
    clock_domain& domain;
    const gpu_configuration& configuration;
    const smx_configurations& smx;
    const smx_environment& environment;
    std::uint64_t seed;      ///< of the run
    pins::pin_clock* clock;  ///< of SMXs behind pins; null: there are none
};

/// An SMX, by slot.smx: smx, or smx_pins, or one behind the other. Part of the netlist: makes the
/// modules and binds them.
///
/// An SMX behind pins has all sockets of the machine's other SMXs; over those of mechanisms it says
/// nothing, and what comes there is an error.
class smx_side final {
public:
    using block_target = protocol::target_socket_base<protocol::block_link>;
    using memory_initiator = protocol::initiator_socket_base<protocol::memory_link>;
    using launch_initiator = protocol::initiator_socket_base<protocol::launch_link>;
    using aggregation_initiator = protocol::initiator_socket_base<protocol::aggregation_link>;
    using cooperation_initiator = protocol::initiator_socket_base<protocol::cooperation_link>;

    /// `name`: of the SMX; its hierarchical name is chosen by slot.smx.where. Throws
    /// configuration_error as smx_pins does.
    smx_side(const std::string& name, sm_id id, const smx_side_options& o);
    ~smx_side();

    /// The hierarchical name of the SMX, whatever stands in its place.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] block_target& block_socket();
    [[nodiscard]] memory_initiator& memory_socket();
    // Precondition: SMXs of the machine have it.
    [[nodiscard]] launch_initiator& launch_socket();
    [[nodiscard]] aggregation_initiator& aggregation_socket();
    [[nodiscard]] cooperation_initiator& cooperation_socket();
    /// Precondition: it is not behind pins.
    [[nodiscard]] protocol::target_socket_base<protocol::kde_link>& preempt_socket() {
        return *tlm_->preempt_socket;
    }

    /// Whether it is Heddle's SMX, behind pins or not.
    [[nodiscard]] bool has_core() const noexcept { return tlm_ != nullptr; }
    /// Precondition: has_core().
    [[nodiscard]] smx_core& core() noexcept { return tlm_->core(); }
    [[nodiscard]] const smx_core& core() const noexcept { return tlm_->core(); }

    // As those of smx and smx_core; of RTL by its retire port.
    void observe(execution_observer* observer) noexcept;
    [[nodiscard]] smx_counts counts(std::uint64_t edge) const;
    [[nodiscard]] std::uint64_t progress() const noexcept;
    [[nodiscard]] std::vector<std::string> waiting_threads(
        const std::optional<std::uint64_t>& spinning_since) const;
    void watch_waiting();
    void collect(statistics& into, const std::string& scope, std::uint64_t idle_cycles) const;

private:
    struct silent_links;

    const unsigned warp_slots_;
    std::string name_;
    std::unique_ptr<pins::smx_pins> behind_;  ///< null: no pins
    std::unique_ptr<smx> tlm_;                ///< null: RTL
    std::unique_ptr<silent_links> silent_;    ///< of an SMX behind pins
};

}  // namespace heddle
