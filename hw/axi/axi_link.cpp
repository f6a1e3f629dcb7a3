// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/axi_link.h"

#include <string>

#include "models/base/random.h"

namespace heddle::axi {

std::unique_ptr<bus_pins> make_pins(const std::string& name, unsigned width) {
    switch (width) {
        case 32:
            return std::make_unique<axi_pins<32>>(name);
        case 64:
            return std::make_unique<axi_pins<64>>(name);
        case 128:
            return std::make_unique<axi_pins<128>>(name);
        case 256:
            return std::make_unique<axi_pins<256>>(name);
        default:
            return std::make_unique<axi_pins<512>>(name);
    }
}

axi_link::axi_link(const sc_core::sc_module_name& name, pins::pin_clock& clock,
                   const axi_link_options& options)
    : sc_module(name), pins_(make_pins("bus", options.bus.width)) {
    const std::string path = sc_module::name();
    axi_manager_options manager;
    manager.settings.ids = options.bus.ids;
    manager.settings.line = options.line;
    manager.stalls = {options.seed, path + ".manager", options.pins.stalls};
    if (options.bus.bus == memory_bus::axi_rtl) {
        const lfsr32 seed(options.seed, path + ".rtl");
        rtl_ = make_rtl_memory("memory", clock, *pins_, seed.value());
        manager.idle = &rtl_->idle();
    } else {
        axi_subordinate_options subordinate;
        subordinate.settings.queue = options.bus.queue;
        subordinate.stalls = {options.seed, path + ".subordinate", options.pins.stalls};
        subordinate_ = std::make_unique<axi_subordinate>("subordinate", clock, *pins_, subordinate);
    }
    // Parts hear of an edge in the order in which they were made: the checker first, which names
    // the rule, before a bridge says that it can't go on.
    if (options.pins.check) {
        checker_ = std::make_unique<axi_checker>(path, clock, *pins_, options.bus.ids,
                                                 options.pins.longest_wait);
    }
    manager_ = std::make_unique<axi_manager>("manager", clock, *pins_, manager);
    manager_->debug_socket.bind(rtl_ ? rtl_->debug_socket() : subordinate_->debug_socket);
    if (options.waves != nullptr) {
        waves_ = std::make_unique<axi_waves>(*options.waves, path, clock, *pins_);
    }
    if (checker_ == nullptr) return;
    manager_->observe_debug_writes(
        [this](std::uint64_t address, unsigned bytes) { checker_->forget(address, bytes); });
}

axi_link::~axi_link() = default;

tlm::tlm_initiator_socket<32>& axi_link::memory_socket() {
    return rtl_ ? rtl_->memory_socket() : subordinate_->memory_socket;
}

}  // namespace heddle::axi
