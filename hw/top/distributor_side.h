// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <string>

#include "hw/base/clock_domain.h"
#include "hw/base/waveform.h"
#include "hw/cosim/pins/kernel_distributor_pins.h"
#include "hw/kernel_distributor/kernel_distributor.h"
#include "hw/top/gpu_configuration.h"
#include "models/base/statistics.h"

namespace heddle {

/// The Kernel Distributor, by slot.kernel_distributor: kernel_distributor, or
/// kernel_distributor_pins. Part of the netlist: makes the modules, no behaviour.
class distributor_side {
public:
    /// `waves` may be null; it and `domain` outlive this object. `seed`: of the run. Throws
    /// configuration_error as kernel_distributor_pins does, and for a pattern that names nothing.
    distributor_side(clock_domain& domain, const gpu_configuration& configuration,
                     std::uint64_t seed, waveform* waves);
    ~distributor_side();

    [[nodiscard]] protocol::target_socket_base<protocol::kernel_dispatch_link>& dispatch_socket();
    [[nodiscard]] protocol::initiator_socket_base<protocol::kde_link>& kernel_ready_socket();
    [[nodiscard]] protocol::target_socket_base<protocol::kde_link>& block_update_socket();
    /// The hierarchical name of the distributor, whatever stands in its place.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Declares kernel_distributor_statistics under `scope` and sets them.
    void collect(statistics& out, const std::string& scope) const;

private:
    std::string name_;
    std::unique_ptr<kernel_distributor> plain_;  ///< or
    std::unique_ptr<pins::kernel_distributor_pins> behind_;
};

}  // namespace heddle
