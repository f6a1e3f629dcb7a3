// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "hw/axi/axi_checker.h"
#include "hw/axi/axi_configuration.h"
#include "hw/axi/axi_manager.h"
#include "hw/axi/axi_subordinate.h"
#include "hw/axi/axi_waves.h"
#include "hw/axi/rtl_memory.h"
#include "hw/cosim/pins/pin_configuration.h"

namespace heddle::axi {

struct axi_link_options {
    const axi_configuration& bus;         ///< memory_bus::axi or axi_rtl
    const pins::pin_configuration& pins;  ///< stalls, checker
    unsigned line = 128;                  ///< bytes that share an ID
    std::uint64_t seed = 1;               ///< of the run
    waveform* waves = nullptr;            ///< may be null
};

/// A memory bus of pins: NAME.manager, the pins NAME.bus_..., NAME.subordinate or NAME.memory, and
/// a checker where pins.check wants one. Part of a netlist: binds them, no behaviour.
class axi_link final : public sc_core::sc_module {
public:
    /// `clock` outlives it.
    axi_link(const sc_core::sc_module_name& name, pins::pin_clock& clock,
             const axi_link_options& options);
    ~axi_link() override;

    /// Where the initiator binds.
    [[nodiscard]] tlm::tlm_target_socket<32>& request_socket() { return manager_->request_socket; }
    /// Binds to the memory.
    [[nodiscard]] tlm::tlm_initiator_socket<32>& memory_socket();
    [[nodiscard]] bus_pins& pins() noexcept { return *pins_; }
    /// Null if the link has none.
    [[nodiscard]] axi_checker* checker() noexcept { return checker_.get(); }

private:
    std::unique_ptr<bus_pins> pins_;
    std::unique_ptr<axi_checker> checker_;  ///< before the bridges, so that it reports first
    std::unique_ptr<rtl_memory> rtl_;       ///< or
    std::unique_ptr<axi_subordinate> subordinate_;
    std::unique_ptr<axi_manager> manager_;
    std::unique_ptr<axi_waves> waves_;
};

}  // namespace heddle::axi
