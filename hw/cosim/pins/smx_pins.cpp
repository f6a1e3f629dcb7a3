// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/smx_pins.h"

#include <tuple>

#include "hw/cosim/pins/block_rtl.h"
#include "models/base/warp_slots.h"
#include "models/simt/private_layout.h"

namespace heddle::pins {
namespace {

/// Private memory lies at the end of the address space.
std::uint32_t private_from(const machine_configuration& machine) {
    const simt::private_layout layout{machine.smx.private_bytes, machine.warp_size};
    return layout.region_address(resident_warps(machine) - 1);
}

}  // namespace

smx_pins::smx_pins(const sc_core::sc_module_name& name, const options& o) : sc_module(name) {
    const machine_configuration& machine = o.core.machine;
    const auto stalls = [&](const char* end) {
        return pin_stalls(o.seed, std::string(this->name()) + "." + end, o.pins.stalls);
    };
    front_ = std::make_unique<core_to_pins>(
        "from_scheduler", o.clock, pins_, o.core.id,
        core_limits{o.core.ranges, private_from(machine)},
        core_to_pins::stalls{stalls("from_scheduler.dispatch"), stalls("from_scheduler.done"),
                             stalls("from_scheduler.fetch"), stalls("from_scheduler.line"),
                             stalls("from_scheduler.request"), stalls("from_scheduler.response")});
    if (o.implementation == block_implementation::pins) {
        make_tlm_side(o);
    } else {
        rtl_ = make_smx_rtl("smx", o.clock, pins_, o.core.id, machine, o.stack_entries);
        follower_ = std::make_unique<core_follower>(o.clock, pins_.retire, *front_, o.core);
    }
    if (o.waves != nullptr) show(o);
    if (!o.pins.check) return;
    checker_ = std::make_unique<core_checker>(
        this->name(), o.clock, pins_, o.pins.longest_wait,
        core_checker::limits{warp_slots(machine), machine.smx.shared_bytes});
}

void smx_pins::make_tlm_side(const options& o) {
    const auto stalls = [&](const char* end) {
        return pin_stalls(o.seed, std::string(name()) + "." + end, o.pins.stalls);
    };
    back_ = std::make_unique<pins_to_core>(
        "to_smx", o.clock, pins_, o.core.id, o.programs,
        pins_to_core::stalls{stalls("to_smx.dispatch"), stalls("to_smx.done"),
                             stalls("to_smx.fetch"), stalls("to_smx.line"),
                             stalls("to_smx.request"), stalls("to_smx.response")});
    back_->on_end([this](launch_id, std::uint32_t, std::uint64_t count) { last_count_ = count; });
    front_->count_by([this](const protocol::block_dispatch&) { return last_count_; });
}

void smx_pins::show(const options& o) {
    pin_waves::show_clock(*o.waves, o.clock, name());
    waves_ = std::make_unique<pin_waves>(*o.waves, o.clock);
    waves_->show(pins_.dispatch);
    waves_->show(pins_.done);
    waves_->show(pins_.fetch);
    waves_->show(pins_.line);
    waves_->show(pins_.request);
    waves_->show(pins_.response);
    if (rtl_ == nullptr) return;
    std::apply([this](const auto&... one) { (waves_->show(one), ...); }, pins_.retire.all());
}

smx_pins::~smx_pins() = default;

}  // namespace heddle::pins
