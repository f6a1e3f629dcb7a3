// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// Ports of slot.dram_scheduler: one bank that is free, and the requests that wait for it in the
/// order of their arrival. `found` and `entry` depend on the inputs alone; there is no clock. The
/// channel asks once for each free bank. Times are the lower 32 bits of a clock's number.
struct dram_scheduler_call {
    static constexpr unsigned most = 128;  ///< requests of a bank

    bool open = false;  ///< a row of the bank is open, `open_row`
    std::uint32_t open_row = 0;
    std::uint32_t now = 0;
    std::uint32_t age_limit = 0;
    std::array<bool, most> candidate{};  ///< may be picked: its turn, and it waits for none
    std::array<std::uint32_t, most> row{};
    std::array<std::uint32_t, most> arrival{};
    bool found = false;
    std::uint8_t entry = 0;
};

inline constexpr port_field<dram_scheduler_call> dram_scheduler_ports[] = {
    port_of<&dram_scheduler_call::open>(port_direction::input, "open", 1),
    port_of<&dram_scheduler_call::open_row>(port_direction::input, "open_row", 32),
    port_of<&dram_scheduler_call::now>(port_direction::input, "now", 32),
    port_of<&dram_scheduler_call::age_limit>(port_direction::input, "age_limit", 32),
    port_of<&dram_scheduler_call::candidate>(port_direction::input, "candidate", 1),
    port_of<&dram_scheduler_call::row>(port_direction::input, "row", 32),
    port_of<&dram_scheduler_call::arrival>(port_direction::input, "arrival", 32),
    port_of<&dram_scheduler_call::found>(port_direction::output, "found", 1),
    port_of<&dram_scheduler_call::entry>(port_direction::output, "entry", 7),
};

}  // namespace heddle::cosim
