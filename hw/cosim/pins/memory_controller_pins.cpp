// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/memory_controller_pins.h"

#include "hw/cosim/pins/block_rtl.h"

namespace heddle::pins {

memory_controller_pins::memory_controller_pins(const sc_core::sc_module_name& name,
                                               const options& o)
    : sc_module(name) {
    const auto stalls = [&](const char* end) {
        return pin_stalls(o.seed, std::string(this->name()) + "." + end, o.pins.stalls);
    };
    memory_pins* behind = &requests_;
    if (o.implementation == block_implementation::rtl) {
        memory_ = std::make_unique<memory_pins>("memory_");
        behind = memory_.get();
        rtl_ = make_memory_controller_rtl("controller", o.clock, requests_, *memory_, o.controller);
    }
    back_ = std::make_unique<pins_to_memory>(
        "to_memory", o.clock, *behind, stalls("to_memory.request"), stalls("to_memory.response"));
    front_ = std::make_unique<memory_to_pins>(
        "from_l2", o.clock, requests_, o.bytes,
        [this](tlm::tlm_generic_payload& access) {
            return back_->memory_socket->transport_dbg(access);
        },
        o.status, stalls("from_l2.request"), stalls("from_l2.response"));
    if (o.waves != nullptr) {
        pin_waves::show_clock(*o.waves, o.clock, this->name());
        waves_ = std::make_unique<pin_waves>(*o.waves, o.clock);
        for (memory_pins* const port : {&requests_, memory_.get()}) {
            if (port == nullptr) continue;
            waves_->show(port->request);
            waves_->show(port->response);
        }
    }
    if (!o.pins.check) return;
    const std::string path = this->name();
    checkers_.push_back(
        std::make_unique<memory_checker>(path, o.clock, requests_, o.pins.longest_wait));
    if (memory_ != nullptr) {
        checkers_.push_back(std::make_unique<memory_checker>(path + ".memory", o.clock, *memory_,
                                                             o.pins.longest_wait));
    }
}

memory_controller_pins::~memory_controller_pins() = default;

}  // namespace heddle::pins
