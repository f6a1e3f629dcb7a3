// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

#include "hw/cosim/shell.h"

namespace heddle::cosim {

struct component_port {
    port_shape shape;
    std::string left;  ///< index of the highest bit by parameters; empty: bits() - 1
};

/// A parameter of the module: a whole number that the netlist may choose.
struct component_parameter {
    std::string name;
    std::string description;
    unsigned value;               ///< unless the netlist says another one
    std::vector<unsigned> legal;  ///< not empty
};

/// What a component description says of a module.
struct rtl_component {
    std::string name;         ///< in the catalogue
    std::string description;  ///< may be empty
    std::string module;
    std::vector<component_port> ports;  ///< all of them, also clocks
    std::vector<std::string> files;     ///< sources, in the order in which they are compiled
    std::vector<component_parameter> parameters{};
};

/// A block of a slot: the ports of its table, `clk`, `rst_n` and `enable`.
[[nodiscard]] rtl_component component_of(const rtl_block& block, const std::string& module,
                                         const std::vector<std::string>& files);

/// The description as an XML document of IP-XACT, IEEE 1685-2014: a component with one view, its
/// wire ports, source files and parameters. A port of several elements is one vector, with element
/// 0 in the lowest bits, as in the module.
[[nodiscard]] std::string ip_xact_of(const rtl_component& component);

}  // namespace heddle::cosim
