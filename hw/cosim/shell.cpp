// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/shell.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "hw/cosim/crossbar_allocator_ports.h"
#include "hw/cosim/dram_scheduler_ports.h"
#include "hw/cosim/formation_ports.h"
#include "hw/cosim/group_allocator_ports.h"
#include "hw/cosim/kde_chain_ports.h"
#include "hw/cosim/queue_picker_ports.h"
#include "hw/cosim/tm_bank_ports.h"
#include "hw/cosim/warp_scheduler_ports.h"
#include "models/base/error.h"

namespace heddle::cosim {

namespace {

constexpr const char* shell_notice =
    "// SPDX-License-Identifier: Apache-2.0\n// Copyright The Heddle authors\n"
    "// Generated from the port table of the slot.\n";

/// Verilator gives vectors of more than 64 bits as words, which the model expects.
std::size_t flat_bits(const rtl_block& block, port_direction way) {
    constexpr std::size_t smallest = 96;
    return std::max(smallest, 32 * words_for(bits_of(block.ports, way)));
}

std::string upper(const std::string& name) {
    std::string result;
    for (const char c : name) {
        result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return result;
}

/// " #(.A(1), .B(2))"; nothing without any.
std::string parameter_list(const std::vector<std::string>& parameters) {
    std::string all;
    for (const std::string& each : parameters) {
        const std::size_t equal = each.find('=');
        if (equal == 0 || equal == std::string::npos || equal + 1 == each.size()) {
            throw configuration_error("'" + each + "' is no parameter; legal: NAME=VALUE");
        }
        all += (all.empty() ? " #(." : ", .") + each.substr(0, equal) + "(" +
               each.substr(equal + 1) + ")";
    }
    return all.empty() ? all : all + ")";
}

}  // namespace

const std::vector<rtl_block>& rtl_blocks() {
    static const std::vector<rtl_block> all = {
        {"warp_scheduler", port_table(warp_scheduler_ports).shapes()},
        {"formation", port_table(formation_ports).shapes()},
        {"crossbar_allocator", port_table(crossbar_allocator_ports).shapes()},
        {"dram_scheduler", port_table(dram_scheduler_ports).shapes()},
        {"queue_picker", port_table(queue_picker_ports).shapes()},
        {"kde_chain", port_table(kde_chain_ports).shapes()},
        {"group_allocator", port_table(group_allocator_ports).shapes()},
        {"tm_bank", port_table(tm_bank_ports).shapes()}};
    return all;
}

const rtl_block& find_rtl_block(const std::string& name) {
    std::string legal;
    for (const rtl_block& block : rtl_blocks()) {
        if (block.name == name) return block;
        legal += (legal.empty() ? "" : ", ") + block.name;
    }
    throw configuration_error("no slot '" + name + "' takes RTL; legal: " + legal);
}

std::string shell_of(const rtl_block& block, const std::string& module,
                     const std::vector<std::string>& parameters) {
    const std::size_t in = flat_bits(block, port_direction::input);
    const std::size_t out = flat_bits(block, port_direction::output);
    const std::size_t used_out = bits_of(block.ports, port_direction::output);
    std::ostringstream text;
    text << shell_notice << "module " << block.name << "_shell (\n"
         << "    input logic clk,\n    input logic rst_n,\n    input logic enable,\n"
         << "    /* verilator lint_off UNUSEDSIGNAL */\n"
         << "    input logic [" << in - 1 << ":0] in,\n"
         << "    /* verilator lint_on UNUSEDSIGNAL */\n"
         << "    output logic [" << out - 1 << ":0] out\n);\n";
    if (used_out < out) {
        text << "  assign out[" << out - 1 << ":" << used_out << "] = '0;\n";
    }
    text << "  " << module << parameter_list(parameters)
         << " block (\n      .clk(clk),\n      .rst_n(rst_n),\n"
         << "      .enable(enable)";
    std::size_t at[2] = {};
    for (const port_shape& port : block.ports) {
        const bool input = port.way == port_direction::input;
        std::size_t& low = at[input ? 0 : 1];
        text << ",\n      ." << port.name << "(" << (input ? "in" : "out") << "["
             << low + port.bits() - 1 << ":" << low << "])";
        low += port.bits();
    }
    text << "\n  );\nendmodule\n";
    return text.str();
}

std::string skeleton_of(const rtl_block& block, const std::string& module) {
    std::ostringstream text;
    const auto port = [&](const char* way, const std::string& name, unsigned bits) {
        text << ",\n    " << way << " logic ";
        if (bits != 1) text << "[" << bits - 1 << ":0] ";
        text << name;
    };
    text << "// For slot." << block.name
         << ". A port of n elements has element 0 in its lowest bits.\n"
         << "module " << module << " (\n    input logic clk";
    port("input", "rst_n", 1);
    port("input", "enable", 1);
    for (const port_shape& p : block.ports) {
        port(p.way == port_direction::input ? "input" : "output", p.name, p.bits());
    }
    text << "\n);\n";
    for (const port_shape& p : block.ports) {
        if (p.way == port_direction::output) text << "  assign " << p.name << " = '0;\n";
    }
    text << "  /* verilator lint_off UNUSEDSIGNAL */\n  wire unused = &{1'b0, clk, rst_n, enable";
    for (const port_shape& p : block.ports) {
        if (p.way == port_direction::input) text << ", " << p.name;
    }
    text << "};\n  /* verilator lint_on UNUSEDSIGNAL */\nendmodule\n";
    return text.str();
}

std::string port_widths(const rtl_block& block) {
    std::ostringstream text;
    text << shell_notice;
    for (const port_shape& port : block.ports) {
        const std::string name = upper(block.name) + "_" + upper(port.name);
        text << "localparam int " << name << "_BITS = " << port.width << ";\n";
        if (port.elements != 1) {
            text << "localparam int " << name << "_ELEMENTS = " << port.elements << ";\n";
        }
    }
    return text.str();
}

std::string port_listing(const rtl_block& block) {
    std::ostringstream text;
    text << "slot." << block.name << "\n";
    const auto line = [&](const char* way, const std::string& name, unsigned width,
                          unsigned elements) {
        text << "  " << way << "  " << name
             << std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') << width;
        if (elements != 1) text << " x " << elements;
        text << "\n";
    };
    for (const char* name : {"clk", "rst_n", "enable"}) line("input ", name, 1, 1);
    for (const port_shape& port : block.ports) {
        line(port.way == port_direction::input ? "input " : "output", port.name, port.width,
             port.elements);
    }
    return text.str();
}

}  // namespace heddle::cosim
