// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/kernel_distributor_pins.h"

#include "hw/cosim/pins/block_rtl.h"
#include "models/base/error.h"

namespace heddle::pins {
namespace {

/// Each block on an SMX may have a start, an end and an exhaustion on its way, and each entry what
/// is held and released; blocks may be shorter than their updates take over the pins.
std::size_t most_updates(const kernel_distributor_pins::options& o) {
    constexpr std::size_t blocks = 256;
    return (3 * blocks) * o.smx_count + std::size_t{4} * o.distributor.entries;
}

}  // namespace

kernel_distributor_pins::kernel_distributor_pins(const sc_core::sc_module_name& name,
                                                 const options& o)
    : sc_module(name), clock_("pin_clock", o.clock, o.pins.reset_clocks) {
    if (o.distributor.entries > kde_limit) {
        throw configuration_error("slot.kernel_distributor: kernel_distributor.entries = " +
                                  std::to_string(o.distributor.entries) +
                                  "; legal behind pins: up to " + std::to_string(kde_limit));
    }
    const auto stalls = [&](const char* end) {
        return pin_stalls(o.seed, std::string(this->name()) + "." + end, o.pins.stalls);
    };
    if (o.implementation == block_implementation::rtl) {
        rtl_ = make_kernel_distributor_rtl("distributor", clock_, pins_, o.distributor);
    } else {
        make_tlm(o);
    }
    front_ = std::make_unique<distributor_to_pins>(
        "from_kmu", clock_, pins_, most_updates(o),
        distributor_to_pins::stalls{stalls("from_kmu.dispatch"), stalls("from_kmu.start"),
                                    stalls("from_kmu.update"), stalls("from_kmu.complete")});
    if (o.waves != nullptr) {
        pin_waves::show_clock(*o.waves, clock_, this->name());
        waves_ = std::make_unique<pin_waves>(*o.waves, clock_);
        waves_->show(pins_.dispatch);
        waves_->show(pins_.start);
        waves_->show(pins_.update);
        waves_->show(pins_.update_error);
        waves_->show(pins_.complete);
    }
    if (!o.pins.check) return;
    checker_ =
        std::make_unique<distributor_checker>(this->name(), clock_, pins_, o.pins.longest_wait);
}

void kernel_distributor_pins::make_tlm(const options& o) {
    const auto stalls = [&](const char* end) {
        return pin_stalls(o.seed, std::string(name()) + "." + end, o.pins.stalls);
    };
    distributor_ = std::make_unique<kernel_distributor>("distributor", o.clock, o.distributor,
                                                        o.smx_count, o.waves);
    back_ = std::make_unique<pins_to_distributor>(
        "to_distributor", clock_, pins_,
        pins_to_distributor::stalls{stalls("to_distributor.dispatch"),
                                    stalls("to_distributor.start"), stalls("to_distributor.update"),
                                    stalls("to_distributor.complete")});
    back_->dispatch_socket.bind(distributor_->dispatch_socket);
    distributor_->kernel_ready_socket.bind(back_->kernel_ready_socket);
    back_->block_update_socket.bind(distributor_->block_update_socket);
}

kernel_distributor_pins::~kernel_distributor_pins() = default;

void kernel_distributor_pins::collect(statistics& out, const std::string& scope) const {
    if (distributor_ != nullptr) {
        distributor_->collect(out, scope);
    } else {
        front_->collect(out, scope);
    }
}

}  // namespace heddle::pins
