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
    {port_direction::input, "open", 1,
     [](const dram_scheduler_call& c, unsigned) { return std::uint64_t{c.open}; }, nullptr},
    {port_direction::input, "open_row", 32,
     [](const dram_scheduler_call& c, unsigned) { return std::uint64_t{c.open_row}; }, nullptr},
    {port_direction::input, "now", 32,
     [](const dram_scheduler_call& c, unsigned) { return std::uint64_t{c.now}; }, nullptr},
    {port_direction::input, "age_limit", 32,
     [](const dram_scheduler_call& c, unsigned) { return std::uint64_t{c.age_limit}; }, nullptr},
    {port_direction::input, "candidate", 1,
     [](const dram_scheduler_call& c, unsigned i) { return std::uint64_t{c.candidate[i]}; },
     nullptr, dram_scheduler_call::most},
    {port_direction::input, "row", 32,
     [](const dram_scheduler_call& c, unsigned i) { return std::uint64_t{c.row[i]}; }, nullptr,
     dram_scheduler_call::most},
    {port_direction::input, "arrival", 32,
     [](const dram_scheduler_call& c, unsigned i) { return std::uint64_t{c.arrival[i]}; }, nullptr,
     dram_scheduler_call::most},
    {port_direction::output, "found", 1,
     [](const dram_scheduler_call& c, unsigned) { return std::uint64_t{c.found}; },
     [](dram_scheduler_call& c, unsigned, std::uint64_t value) { c.found = value != 0; }},
    {port_direction::output, "entry", 7,
     [](const dram_scheduler_call& c, unsigned) { return std::uint64_t{c.entry}; },
     [](dram_scheduler_call& c, unsigned, std::uint64_t value) {
         c.entry = static_cast<std::uint8_t>(value);
     }},
};

}  // namespace heddle::cosim
