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

/// A name in a catalogue of IP-XACT: vendor, library, name, version.
struct library_reference {
    std::string vendor, library, name, version;
};

/// Ports that together are the target side of a bus which somebody has defined.
struct bus_interface {
    std::string name;
    library_reference bus;
    library_reference abstraction;  ///< which has the bus's ports
    struct port_map {
        std::string logical;  ///< as the abstraction names it
        std::string port;     ///< of the module
    };
    std::vector<port_map> ports;
};

/// What a component description says of a module.
struct rtl_component {
    std::string name;         ///< in the catalogue
    std::string description;  ///< may be empty
    std::string module;
    std::vector<component_port> ports;  ///< all of them, also clocks
    std::vector<std::string> files;     ///< sources, in the order in which they are compiled
    std::vector<component_parameter> parameters{};
    std::vector<bus_interface> interfaces{};
};

/// A block of a slot: the ports of its table, `clk`, `rst_n` and `enable`.
[[nodiscard]] rtl_component component_of(const rtl_block& block, const std::string& module,
                                         const std::vector<std::string>& files);

enum class ip_xact_standard { ieee_2014, ieee_2022 };

/// The description as an XML document of IP-XACT, IEEE 1685: a component with one view, its
/// buses, wire ports, source files and parameters. A port of several elements is one vector, with
/// element 0 in the lowest bits, as in the module.
[[nodiscard]] std::string ip_xact_of(const rtl_component& component,
                                     ip_xact_standard standard = ip_xact_standard::ieee_2014);
/// Of words `component` or `component_2022`; false: another word.
[[nodiscard]] bool read_standard(const std::string& word, ip_xact_standard& standard);

}  // namespace heddle::cosim
