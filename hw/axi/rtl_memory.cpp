// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/rtl_memory.h"

namespace heddle::axi {

/// In the source that the build makes for each width.
template <unsigned Width>
std::unique_ptr<rtl_memory> make_verilated_memory(const char* name, pins::pin_clock& clock,
                                                  axi_pins<Width>& bus, std::uint32_t seed);

namespace {

template <unsigned Width>
std::unique_ptr<rtl_memory> make(const char* name, pins::pin_clock& clock, bus_pins& bus,
                                 std::uint32_t seed) {
    return make_verilated_memory<Width>(name, clock, dynamic_cast<axi_pins<Width>&>(bus), seed);
}

}  // namespace

bool rtl_memory_built() {
    return true;
}

std::unique_ptr<rtl_memory> make_rtl_memory(const char* name, pins::pin_clock& clock, bus_pins& bus,
                                            std::uint32_t seed) {
    switch (bus.bus_bytes()) {
        case 4:
            return make<32>(name, clock, bus, seed);
        case 8:
            return make<64>(name, clock, bus, seed);
        case 16:
            return make<128>(name, clock, bus, seed);
        case 32:
            return make<256>(name, clock, bus, seed);
        default:
            return make<512>(name, clock, bus, seed);
    }
}

}  // namespace heddle::axi
