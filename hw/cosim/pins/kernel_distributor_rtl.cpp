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
        pins.dispatch.bind(rtl_.dispatch_valid, rtl_.dispatch_ready, rtl_.dispatch_launch,
                           rtl_.dispatch_entry_pc, rtl_.dispatch_grid_x, rtl_.dispatch_grid_y,
                           rtl_.dispatch_grid_z, rtl_.dispatch_block_x, rtl_.dispatch_block_y,
                           rtl_.dispatch_block_z, rtl_.dispatch_parameters,
                           rtl_.dispatch_cooperative);
        pins.start.bind(rtl_.start_valid, rtl_.start_ready, rtl_.start_kde, rtl_.start_launch,
                        rtl_.start_entry_pc, rtl_.start_grid_x, rtl_.start_grid_y,
                        rtl_.start_grid_z, rtl_.start_block_x, rtl_.start_block_y,
                        rtl_.start_block_z, rtl_.start_parameters, rtl_.start_cooperative);
        pins.update.bind(rtl_.update_valid, rtl_.update_credit, rtl_.update_event, rtl_.update_kde,
                         rtl_.update_launch, rtl_.update_of_group, rtl_.update_next_group,
                         rtl_.update_last_group);
        rtl_.update_error(pins.update_error);
        pins.complete.bind(rtl_.complete_valid, rtl_.complete_ready, rtl_.complete_kde,
                           rtl_.complete_launch);
    }

private:
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
