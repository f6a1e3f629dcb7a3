// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A build without Verilator.
#include "hw/axi/rtl_memory.h"
#include "models/base/error.h"

namespace heddle::axi {

bool rtl_memory_built() {
    return false;
}

std::unique_ptr<rtl_memory> make_rtl_memory(const char*, pins::pin_clock&, bus_pins&,
                                            std::uint32_t) {
    throw configuration_error("memory.bus = axi_rtl: this build has no Verilator");
}

}  // namespace heddle::axi
