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
    port_of<&crossbar_allocator_call::rows>(port_direction::input, "rows", 6),
    port_of<&crossbar_allocator_call::columns>(port_direction::input, "columns", 6),
    port_of<&crossbar_allocator_call::row_seed>(port_direction::input, "row_seed", 32),
    port_of<&crossbar_allocator_call::column_seed>(port_direction::input, "column_seed", 32),
    port_of<&crossbar_allocator_call::request>(port_direction::input, "request", 32),
    port_of<&crossbar_allocator_call::granted>(port_direction::output, "granted", 32),
    port_of<&crossbar_allocator_call::column>(port_direction::output, "column", 5),
};

}  // namespace heddle::cosim
