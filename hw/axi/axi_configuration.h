// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/parameter.h"

namespace heddle::axi {

/// What carries the accesses of an L2 bank to memory.
enum class memory_bus : std::uint8_t {
    tlm,      ///< sockets
    axi,      ///< the pins of AXI4, between two bridges
    axi_rtl,  ///< the pins of AXI4, between a bridge and a memory in SystemVerilog
};

/// Keys `memory.`.
struct axi_configuration {
    memory_bus bus = memory_bus::tlm;
    std::uint32_t width = 128;
    std::uint32_t ids = 64;
    std::uint32_t queue = 32;

    /// `axi_rtl` is legal where the build has it.
    void declare(parameter_list& p);
};

}  // namespace heddle::axi
