// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "hw/base/waveform.h"
#include "hw/cosim/pins/block_choice.h"
#include "hw/cosim/pins/distributor_checker.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "hw/cosim/pins/distributor_to_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/cosim/pins/pin_configuration.h"
#include "hw/cosim/pins/pin_waves.h"
#include "hw/cosim/pins/pins_to_distributor.h"
#include "hw/kernel_distributor/kernel_distributor.h"
#include "models/base/statistics.h"

namespace heddle::pins {

/// A Kernel Distributor behind pins, with the sockets of one:
///  - pins: distributor_to_pins -> pins -> pins_to_distributor -> the TLM kernel_distributor;
///  - rtl: distributor_to_pins -> pins -> RTL.
/// Part of the netlist: makes the modules and binds them, no behaviour.
class kernel_distributor_pins final : public sc_core::sc_module {
public:
    struct options {
        clock_domain& clock;
        const pin_configuration& pins;
        block_implementation implementation;  ///< pins or rtl
        kernel_distributor_configuration distributor;
        unsigned smx_count;
        std::uint64_t seed;         ///< of the run, for stalls
        waveform* waves = nullptr;  ///< for the pins and the TLM distributor; may be null
    };

    /// Throws configuration_error for more entries than the pins can name, and as
    /// make_kernel_distributor_rtl() does.
    kernel_distributor_pins(const sc_core::sc_module_name& name, const options& o);
    ~kernel_distributor_pins() override;

    [[nodiscard]] distributor_to_pins& front() noexcept { return *front_; }
    /// kernel_distributor_statistics; of RTL, by what the pins show.
    void collect(statistics& out, const std::string& scope) const;

private:
    void make_tlm(const options& o);

    pin_clock clock_;
    distributor_pins pins_;
    std::unique_ptr<sc_core::sc_module> rtl_;          ///< or
    std::unique_ptr<kernel_distributor> distributor_;  ///< with
    std::unique_ptr<pins_to_distributor> back_;
    std::unique_ptr<distributor_to_pins> front_;
    std::unique_ptr<distributor_checker> checker_;  ///< null: not checked
    std::unique_ptr<pin_waves> waves_;              ///< null: no waveform
};

}  // namespace heddle::pins
