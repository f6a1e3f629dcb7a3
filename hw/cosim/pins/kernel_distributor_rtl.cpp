// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <Vkernel_distributor.h>

#include <cstdint>

#include "hw/cosim/pins/block_rtl.h"

namespace heddle::pins {
namespace {

/// The RTL, with its constant port.
class kernel_distributor_rtl final : public sc_core::sc_module {
public:
    kernel_distributor_rtl(const sc_core::sc_module_name& name, pin_clock& clock,
                           distributor_pins& pins, std::uint32_t entries)
        : sc_module(name), rtl_("rtl") {
        rtl_.clk(clock.clk);
        rtl_.rst_n(clock.rst_n);
        constants_.entries.write(entries);
        rtl_.entries(constants_.entries);
        bind_dispatch(pins.dispatch);
        bind_start(pins.start);
        bind_update(pins.update);
        rtl_.update_error(pins.update_error);
        rtl_.complete_valid(pins.complete.valid);
        rtl_.complete_ready(pins.complete.ready);
        rtl_.complete_kde(pins.complete.payload.kde);
        rtl_.complete_launch(pins.complete.payload.launch);
    }

private:
    void bind_dispatch(pin_channel<kernel_pins>& channel) {
        kernel_pins& kernel = channel.payload;
        rtl_.dispatch_valid(channel.valid);
        rtl_.dispatch_ready(channel.ready);
        rtl_.dispatch_launch(kernel.launch);
        rtl_.dispatch_entry_pc(kernel.entry_pc);
        rtl_.dispatch_grid_x(kernel.grid_x);
        rtl_.dispatch_grid_y(kernel.grid_y);
        rtl_.dispatch_grid_z(kernel.grid_z);
        rtl_.dispatch_block_x(kernel.block_x);
        rtl_.dispatch_block_y(kernel.block_y);
        rtl_.dispatch_block_z(kernel.block_z);
        rtl_.dispatch_parameters(kernel.parameters);
        rtl_.dispatch_cooperative(kernel.cooperative);
    }
    void bind_start(pin_channel<start_pins>& channel) {
        kernel_pins& kernel = channel.payload.kernel;
        rtl_.start_valid(channel.valid);
        rtl_.start_ready(channel.ready);
        rtl_.start_kde(channel.payload.kde);
        rtl_.start_launch(kernel.launch);
        rtl_.start_entry_pc(kernel.entry_pc);
        rtl_.start_grid_x(kernel.grid_x);
        rtl_.start_grid_y(kernel.grid_y);
        rtl_.start_grid_z(kernel.grid_z);
        rtl_.start_block_x(kernel.block_x);
        rtl_.start_block_y(kernel.block_y);
        rtl_.start_block_z(kernel.block_z);
        rtl_.start_parameters(kernel.parameters);
        rtl_.start_cooperative(kernel.cooperative);
    }
    void bind_update(credit_channel<update_pins>& channel) {
        rtl_.update_valid(channel.valid);
        rtl_.update_credit(channel.credit);
        rtl_.update_event(channel.payload.event);
        rtl_.update_kde(channel.payload.kde);
        rtl_.update_launch(channel.payload.launch);
        rtl_.update_of_group(channel.payload.of_group);
        rtl_.update_next_group(channel.payload.next_group);
        rtl_.update_last_group(channel.payload.last_group);
    }

    distributor_constants constants_;
    Vkernel_distributor rtl_;
};

}  // namespace

std::unique_ptr<sc_core::sc_module> make_kernel_distributor_rtl(
    const char* name, pin_clock& clock, distributor_pins& pins,
    const kernel_distributor_configuration& configuration) {
    return std::make_unique<kernel_distributor_rtl>(name, clock, pins, configuration.entries);
}

}  // namespace heddle::pins
