// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// Ports of slot.crossbar_allocator. The seeds are the states of the arbiters' shift registers
/// after reset; `granted` and `column` depend on the requests and on these registers. At a clock
/// edge with `enable` the arbiters that have picked step. One clock a cycle in which a flit could
/// move.
struct crossbar_allocator_call {
    static constexpr unsigned most = 32;  ///< rows and columns

    std::uint8_t rows = 0;     ///< that there are
    std::uint8_t columns = 0;  ///< likewise
    std::array<std::uint32_t, most> row_seed{}, column_seed{};
    std::array<std::uint32_t, most> request{};  ///< of each row, a bit for each column
    std::uint32_t granted = 0;                  ///< a bit for each row
    std::array<std::uint8_t, most> column{};    ///< of each granted row
};

inline constexpr port_field<crossbar_allocator_call> crossbar_allocator_ports[] = {
    {port_direction::input, "rows", 6,
     [](const crossbar_allocator_call& c, unsigned) { return std::uint64_t{c.rows}; }, nullptr},
    {port_direction::input, "columns", 6,
     [](const crossbar_allocator_call& c, unsigned) { return std::uint64_t{c.columns}; }, nullptr},
    {port_direction::input, "row_seed", 32,
     [](const crossbar_allocator_call& c, unsigned i) { return std::uint64_t{c.row_seed[i]}; },
     nullptr, crossbar_allocator_call::most},
    {port_direction::input, "column_seed", 32,
     [](const crossbar_allocator_call& c, unsigned i) { return std::uint64_t{c.column_seed[i]}; },
     nullptr, crossbar_allocator_call::most},
    {port_direction::input, "request", 32,
     [](const crossbar_allocator_call& c, unsigned i) { return std::uint64_t{c.request[i]}; },
     nullptr, crossbar_allocator_call::most},
    {port_direction::output, "granted", 32,
     [](const crossbar_allocator_call& c, unsigned) { return std::uint64_t{c.granted}; },
     [](crossbar_allocator_call& c, unsigned, std::uint64_t value) {
         c.granted = static_cast<std::uint32_t>(value);
     }},
    {port_direction::output, "column", 5,
     [](const crossbar_allocator_call& c, unsigned i) { return std::uint64_t{c.column[i]}; },
     [](crossbar_allocator_call& c, unsigned i, std::uint64_t value) {
         c.column[i] = static_cast<std::uint8_t>(value);
     },
     crossbar_allocator_call::most},
};

}  // namespace heddle::cosim
