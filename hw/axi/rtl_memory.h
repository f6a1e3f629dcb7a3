// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>

#include "hw/axi/pins.h"
#include "hw/cosim/pins/pin_clock.h"

namespace heddle::axi {

/// hw/rtl/axi_memory.sv behind the pins of a bus, simulated by Verilator.
///
/// memory_socket (initiator): what holds the bytes; a beat is a b_transport() that takes no time.
/// debug_socket (target): transport_dbg and b_transport go on to memory_socket. idle(): high while
/// no answered write waits in the RTL.
class rtl_memory {
public:
    virtual ~rtl_memory() = default;
    [[nodiscard]] virtual tlm::tlm_initiator_socket<32>& memory_socket() = 0;
    [[nodiscard]] virtual tlm::tlm_target_socket<32>& debug_socket() = 0;
    [[nodiscard]] virtual const sc_core::sc_signal_in_if<bool>& idle() const = 0;
};

/// Whether this build has one.
[[nodiscard]] bool rtl_memory_built();
/// A module NAME of the current hierarchy. `pins` are those of make_pins(); they and `clock`
/// outlive it. `seed`: of the random order of answers. Throws configuration_error if the build has
/// none.
[[nodiscard]] std::unique_ptr<rtl_memory> make_rtl_memory(const char* name, pins::pin_clock& clock,
                                                          bus_pins& pins, std::uint32_t seed);

}  // namespace heddle::axi
