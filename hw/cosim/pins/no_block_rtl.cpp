// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/block_rtl.h"
#include "models/base/error.h"

namespace heddle::pins {

bool has_block_rtl() {
    return false;
}

std::unique_ptr<sc_core::sc_module> make_memory_controller_rtl(
    const char*, pin_clock&, memory_pins&, memory_pins&, const memory_controller_configuration&) {
    throw configuration_error("slot.memory_controller: this build has no RTL; legal: tlm, pins");
}

std::unique_ptr<sc_core::sc_module> make_kernel_distributor_rtl(
    const char*, pin_clock&, distributor_pins&, const kernel_distributor_configuration&) {
    throw configuration_error("slot.kernel_distributor: this build has no RTL; legal: tlm, pins");
}

std::unique_ptr<sc_core::sc_module> make_smx_rtl(const char*, pin_clock&, core_pins&, sm_id,
                                                 const machine_configuration&, std::uint32_t) {
    throw configuration_error("slot.smx: this build has no RTL; legal: tlm, pins");
}

}  // namespace heddle::pins
