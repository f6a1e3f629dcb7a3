// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/cosim/shell.h"

/// The C++ parts of slots as functions for other simulators (reference.h): for each slot
/// heddle_SLOT_create, _decide, _edge, _reset and _destroy, with an argument for each port.
namespace heddle::cosim {

using rtl_block_list = std::vector<rtl_block>;

/// C header. A port is an array of words of 32 bits.
[[nodiscard]] std::string dpi_header(const rtl_block_list& blocks);
/// SystemVerilog: the package heddle_reference, which imports them over DPI-C.
[[nodiscard]] std::string dpi_package(const rtl_block_list& blocks);
/// C source of the functions.
[[nodiscard]] std::string dpi_source(const rtl_block_list& blocks);

}  // namespace heddle::cosim
