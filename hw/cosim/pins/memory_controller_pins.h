// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/cosim/pins/block_choice.h"
#include "hw/cosim/pins/memory_checker.h"
#include "hw/cosim/pins/memory_pins.h"
#include "hw/cosim/pins/memory_to_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/cosim/pins/pin_configuration.h"
#include "hw/cosim/pins/pin_waves.h"
#include "hw/cosim/pins/pins_to_memory.h"
#include "hw/memory_controller/memory_controller_configuration.h"
#include "models/base/run_status.h"

namespace heddle::pins {

/// What stands between an L2 bank and a memory when the memory controller is behind pins:
///  - pins: memory_to_pins -> pins -> pins_to_memory; the TLM controller binds to memory_socket();
///  - rtl: memory_to_pins -> pins -> RTL -> pins -> pins_to_memory; the DRAM binds to it.
/// Part of the netlist: makes the modules and binds them, no behaviour.
class memory_controller_pins final : public sc_core::sc_module {
public:
    struct options {
        pin_clock& clock;
        const pin_configuration& pins;
        block_implementation implementation;  ///< pins or rtl
        const memory_controller_configuration& controller;
        std::uint64_t bytes;  ///< of the memory
        std::uint64_t seed;   ///< of the run, for stalls
        run_status& status;
        waveform* waves = nullptr;  ///< for the pins; may be null
    };

    /// `clock` and `status` outlive the module. Throws configuration_error as
    /// make_memory_controller_rtl() does.
    memory_controller_pins(const sc_core::sc_module_name& name, const options& o);
    ~memory_controller_pins() override;

    [[nodiscard]] tlm::tlm_target_socket<32>& request_socket() { return front_->request_socket; }
    [[nodiscard]] tlm::tlm_initiator_socket<32>& memory_socket() { return back_->memory_socket; }
    [[nodiscard]] const pin_memory_counts& counts() const noexcept { return back_->counts(); }

private:
    memory_pins requests_;
    std::unique_ptr<memory_pins> memory_;  ///< behind the RTL; null: there is none
    std::unique_ptr<sc_core::sc_module> rtl_;
    std::unique_ptr<pins_to_memory> back_;
    std::unique_ptr<memory_to_pins> front_;
    std::vector<std::unique_ptr<memory_checker>> checkers_;
    std::unique_ptr<pin_waves> waves_;  ///< null: no waveform
};

}  // namespace heddle::pins
