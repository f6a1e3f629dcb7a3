// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// A kind of slot and the ports that its RTL has.
struct rtl_block {
    std::string name;  ///< the key is slot.NAME
    std::vector<port_shape> ports;
};
[[nodiscard]] const std::vector<rtl_block>& rtl_blocks();
/// Throws configuration_error with the legal names.
[[nodiscard]] const rtl_block& find_rtl_block(const std::string& name);

/// SystemVerilog: a module NAME_shell with the flat ports of rtl_model, around an instance of
/// `module`, whose ports are those of the block. `parameters` are of that module, as NAME=VALUE.
/// Throws configuration_error for one that is none.
[[nodiscard]] std::string shell_of(const rtl_block& block, const std::string& module,
                                   const std::vector<std::string>& parameters = {});
/// SystemVerilog: a `localparam int NAME_PORT_BITS` for each port, for the block's own source.
[[nodiscard]] std::string port_widths(const rtl_block& block);
/// SystemVerilog: a module with the block's ports, whose outputs are 0.
[[nodiscard]] std::string skeleton_of(const rtl_block& block, const std::string& module);
/// A table for people: direction, name, bits, elements.
[[nodiscard]] std::string port_listing(const rtl_block& block);

}  // namespace heddle::cosim
