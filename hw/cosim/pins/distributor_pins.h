// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tuple>

#include "hw/cosim/pins/pin_channel.h"
#include "hw/protocol/kernel_launch.h"

/// The pins of a Kernel Distributor.
namespace heddle::pins {

/// Entries that the pins can name.
inline constexpr std::uint32_t kde_limit = 32;
/// Updates that may be on their way.
inline constexpr std::uint32_t update_credits = 4;

/// A launch_id on pins is its value.
[[nodiscard]] inline launch_id launch_of(std::uint32_t value) {
    constexpr unsigned launcher_shift = 24;
    const std::uint32_t launcher = value >> launcher_shift;
    const std::uint32_t count = value & launch_id::most;
    return launcher == 0 ? launch_id(count) : launch_id(sm_id(launcher - 1), count);
}

/// A kernel, as an entry has it.
struct kernel_pins {
    explicit kernel_pins(const std::string& channel)
        : launch(channel, "launch"),
          entry_pc(channel, "entry_pc"),
          grid_x(channel, "grid_x"),
          grid_y(channel, "grid_y"),
          grid_z(channel, "grid_z"),
          block_x(channel, "block_x"),
          block_y(channel, "block_y"),
          block_z(channel, "block_z"),
          parameters(channel, "parameters"),
          cooperative(channel, "cooperative") {}
    auto all() {
        return std::tie(launch, entry_pc, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                        parameters, cooperative);
    }

    void write(const protocol::kernel_launch& from) {
        launch.write(from.launch.value());
        entry_pc.write(from.entry_pc);
        grid_x.write(from.grid.x);
        grid_y.write(from.grid.y);
        grid_z.write(from.grid.z);
        block_x.write(from.block.x);
        block_y.write(from.block.y);
        block_z.write(from.block.z);
        parameters.write(from.parameter_address);
        cooperative.write(from.cooperative);
    }
    void read(protocol::kernel_launch& to) const {
        to.launch = launch_of(launch.read());
        to.entry_pc = entry_pc.read();
        to.grid = {grid_x.read(), grid_y.read(), grid_z.read()};
        to.block = {block_x.read(), block_y.read(), block_z.read()};
        to.parameter_address = parameters.read();
        to.cooperative = cooperative.read();
    }

    pin<32> launch;  ///< launch_id
    pin<32> entry_pc;
    pin<32> grid_x, grid_y, grid_z;     ///< blocks
    pin<32> block_x, block_y, block_z;  ///< threads
    pin<32> parameters;                 ///< address of the parameter buffer
    pin<1> cooperative;                 ///< some of its blocks may never start
};

struct start_pins {
    explicit start_pins(const std::string& channel) : kde(channel, "kde"), kernel(channel) {}
    auto all() { return std::tuple_cat(std::tie(kde), kernel.all()); }

    pin<5> kde;
    kernel_pins kernel;
};

struct update_pins {
    explicit update_pins(const std::string& channel)
        : event(channel, "event"),
          kde(channel, "kde"),
          launch(channel, "launch"),
          of_group(channel, "of_group"),
          next_group(channel, "next_group"),
          last_group(channel, "last_group") {}
    auto all() { return std::tie(event, kde, launch, of_group, next_group, last_group); }

    pin<3> event;  ///< protocol::kde_event, block_started to release
    pin<5> kde;
    pin<32> launch;      ///< the kernel of the entry
    pin<1> of_group;     ///< the block is a group's, or was forked
    pin<32> next_group;  ///< NAGEI of the entry from now on
    pin<32> last_group;  ///< LAGEI, likewise
};

struct complete_pins {
    explicit complete_pins(const std::string& channel)
        : kde(channel, "kde"), launch(channel, "launch") {}
    auto all() { return std::tie(kde, launch); }

    pin<5> kde;
    pin<32> launch;
};

/// The constant port of a Kernel Distributor.
struct distributor_constants {
    auto all() { return std::tie(entries); }

    pin<6> entries{"entries"};  ///< kernel_distributor.entries, 1 to kde_limit
};

struct distributor_pins {
    pin_channel<kernel_pins> dispatch{"dispatch"};  ///< from the KMU
    pin_channel<start_pins> start{"start"};         ///< to the SMX scheduler, in order of dispatch
    credit_channel<update_pins> update{"update"};   ///< from the SMX scheduler
    pin<1> update_error{"update", "error"};         ///< an update did not fit its entry
    pin_channel<complete_pins> complete{"complete"};  ///< to the KMU: the entry is free
};

}  // namespace heddle::pins
