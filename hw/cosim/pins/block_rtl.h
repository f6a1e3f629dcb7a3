// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <systemc>

#include "hw/cosim/pins/core_pins.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "hw/cosim/pins/memory_pins.h"
#include "hw/cosim/pins/pin_clock.h"
#include "hw/kernel_distributor/kernel_distributor_configuration.h"
#include "hw/memory_controller/memory_controller_configuration.h"
#include "models/base/machine_configuration.h"
#include "models/base/strong_index.h"

/// RTL of whole blocks, translated by Verilator with --sc: its own, or that of HEDDLE_RTL.
namespace heddle::pins {

/// Whether this build has it. Without Verilator it has none.
[[nodiscard]] bool has_block_rtl();

/// The module of slot.memory_controller = rtl, between the pins towards L2 and those towards DRAM.
/// Its constant ports get the parameters `dram.`. Throws configuration_error for values that the
/// ports can't carry, and without Verilator.
[[nodiscard]] std::unique_ptr<sc_core::sc_module> make_memory_controller_rtl(
    const char* name, pin_clock& clock, memory_pins& requests, memory_pins& memory,
    const memory_controller_configuration& configuration);

/// The module of slot.kernel_distributor = rtl. Throws configuration_error without Verilator.
[[nodiscard]] std::unique_ptr<sc_core::sc_module> make_kernel_distributor_rtl(
    const char* name, pin_clock& clock, distributor_pins& pins,
    const kernel_distributor_configuration& configuration);

/// The module of slot.smx = rtl and shadow. Throws configuration_error if the machine has sizes
/// that the module's parameters don't allow, and without Verilator.
[[nodiscard]] std::unique_ptr<sc_core::sc_module> make_smx_rtl(const char* name, pin_clock& clock,
                                                               core_pins& pins, sm_id id,
                                                               const machine_configuration& machine,
                                                               std::uint32_t stack_entries);

}  // namespace heddle::pins
