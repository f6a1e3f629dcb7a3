// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Prints the description in IP-XACT of a module with pins: heddle_pin_ports component BLOCK MODULE
// FILE..., or component_2022
#include <cctype>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "hw/axi/memory_pins.h"
#include "hw/axi/pins.h"
#include "hw/cosim/ip_xact.h"
#include "hw/cosim/pins/core_pins.h"
#include "hw/cosim/pins/distributor_pins.h"
#include "hw/cosim/pins/memory_pins.h"
#include "hw/cosim/pins/port_list.h"
#include "models/base/error.h"

namespace {

using namespace heddle;
using heddle::cosim::component_port;
using way = heddle::cosim::port_direction;

std::vector<component_port> memory_controller_ports() {
    pins::memory_controller_constants constants;
    pins::memory_pins requests;
    pins::memory_pins memory("memory_");
    pins::port_list list;
    list.add_clock();
    list.add_all(way::input, "", constants);
    list.add(way::input, "request", requests.request);
    list.add(way::output, "response", requests.response);
    list.add(way::output, "memory_request", memory.request);
    list.add(way::input, "memory_response", memory.response);
    return list.take();
}

std::vector<component_port> kernel_distributor_ports() {
    pins::distributor_constants constants;
    pins::distributor_pins pins;
    pins::port_list list;
    list.add_clock();
    list.add_all(way::input, "", constants);
    list.add(way::input, "dispatch", pins.dispatch);
    list.add(way::output, "start", pins.start);
    list.add(way::input, "update", pins.update);
    list.add(way::output, "update", pins.update_error);
    list.add(way::output, "complete", pins.complete);
    return list.take();
}

template <unsigned Width>
std::vector<component_port> axi_memory_ports_of_width() {
    axi::axi_pins<Width> bus("bus" + std::to_string(Width));
    axi::memory_side_pins<Width> side;
    pins::port_list list;
    list.add_clock();
    list.add(way::input, "", side.seed);
    list.add(way::input, "aw", bus.aw);
    list.add(way::input, "w", bus.w);
    list.add(way::output, "b", bus.b);
    list.add(way::input, "ar", bus.ar);
    list.add(way::output, "r", bus.r);
    list.add(way::output, "", side.idle);
    list.add(way::output, "mem", side.read);
    list.add(way::output, "mem", side.raddr);
    list.add(way::input, "mem", side.rdata);
    list.add(way::output, "mem", side.write);
    list.add(way::output, "mem", side.waddr);
    list.add(way::output, "mem", side.wdata);
    list.add(way::output, "mem", side.wstrb);
    return list.take();
}

/// The ports that are wider on a wider bus have a share of its width.
std::vector<component_port> axi_memory_ports() {
    constexpr unsigned width = 64;
    const std::vector<component_port> narrow = axi_memory_ports_of_width<width / 2>();
    std::vector<component_port> ports = axi_memory_ports_of_width<width>();
    for (std::size_t n = 0; n < ports.size(); ++n) {
        const unsigned bits = ports[n].shape.bits();
        if (bits == narrow[n].shape.bits()) continue;
        const std::string share = bits == width ? "" : "/" + std::to_string(width / bits);
        ports[n].left = "DATA_WIDTH" + share + "-1";
    }
    return ports;
}

/// The bus as its owner's definition has it: the ports are named as the signals of the
/// specification.
cosim::bus_interface axi_interface(const std::vector<component_port>& ports) {
    cosim::bus_interface bus{"axi",
                             {"amba.com", "AMBA4", "AXI4", "r0p0_0"},
                             {"amba.com", "AMBA4", "AXI4_rtl", "r0p0_0"},
                             {{"ACLK", "clk"}, {"ARESETn", "rst_n"}}};
    for (const component_port& port : ports) {
        const std::string& name = port.shape.name;
        const std::size_t end = name.find('_');
        const std::string channel = name.substr(0, end);
        if (channel != "aw" && channel != "w" && channel != "b" && channel != "ar" &&
            channel != "r") {
            continue;
        }
        std::string logical = channel + name.substr(end + 1);
        for (char& c : logical) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        bus.ports.push_back({logical, name});
    }
    return bus;
}

cosim::rtl_component axi_memory() {
    cosim::rtl_component memory{
        "axi_memory", "AXI4 memory for memory.bus = axi_rtl of Heddle", "", axi_memory_ports(), {}};
    memory.parameters = {{"DATA_WIDTH", "Bits of data of the bus", 128, {32, 64, 128, 256, 512}}};
    memory.interfaces = {axi_interface(memory.ports)};
    return memory;
}

/// Rows and masks have a share for each lane.
std::string left_of(const std::string& name) {
    for (const char* mask : {"request_lanes", "retire_lanes", "retire_live", "retire_next_lanes",
                             "retire_taken", "retire_known", "retire_event_lanes"}) {
        if (name == mask) return "LANES-1";
    }
    for (const char* row :
         {"request_compare", "retire_value", "retire_address", "retire_data", "retire_compare"}) {
        if (name == row) return "LANES*32-1";
    }
    return name == "request_words" ? "LANES*5-1" : "";
}

cosim::rtl_component smx() {
    pins::core_constants constants;
    pins::core_pins pins;
    pins::port_list list;
    list.add_clock();
    list.add_all(way::input, "", constants);
    list.add(way::input, "dispatch", pins.dispatch);
    list.add(way::output, "done", pins.done);
    list.add(way::output, "fetch", pins.fetch);
    list.add(way::input, "line", pins.line);
    list.add(way::output, "request", pins.request);
    list.add(way::input, "response", pins.response);
    list.add_all(way::output, "retire", pins.retire);
    cosim::rtl_component all{"smx", "RTL for slot.smx of Heddle", "", list.take(), {}};
    for (component_port& port : all.ports) port.left = left_of(port.shape.name);
    all.parameters = {
        {"LANES", "Lanes of a warp", 32, {32}},
        {"WARPS", "Warp slots", 16, {2, 4, 8, 16, 32}},
        {"SHARED_BYTES", "Bytes of shared memory", 16384, {1024, 4096, 16384, 32768, 65536}},
        {"PRIVATE_BYTES", "Bytes of private memory of a thread", 8192, {1024, 2048, 4096, 8192}},
        {"STACK_ENTRIES", "Entries of a reconvergence stack", 128, {32, 64, 128}}};
    return all;
}

cosim::rtl_component component_of(const std::string& block) {
    if (block == "memory_controller") {
        return {
            block, "RTL for slot.memory_controller of Heddle", "", memory_controller_ports(), {}};
    }
    if (block == "kernel_distributor") {
        return {
            block, "RTL for slot.kernel_distributor of Heddle", "", kernel_distributor_ports(), {}};
    }
    if (block == "axi_memory") return axi_memory();
    if (block == "smx") return smx();
    throw configuration_error("no block '" + block +
                              "' has pins; legal: memory_controller, kernel_distributor, "
                              "axi_memory, smx");
}

int run(const std::vector<std::string>& words) {
    cosim::ip_xact_standard standard{};
    if (words.size() < 3 || !read_standard(words[0], standard)) {
        std::cerr << "heddle_pin_ports: component BLOCK MODULE FILE..., or component_2022 ...\n";
        return 2;
    }
    // Pins of two widths have the same names.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_,
                                            sc_core::SC_DO_NOTHING);
    cosim::rtl_component component = component_of(words[1]);
    component.module = words[2];
    component.files.assign(words.begin() + 3, words.end());
    std::cout << ip_xact_of(component, standard);
    return 0;
}

}  // namespace

/// libsystemc has a main() that calls this one; ours takes its place, which saves the banner.
extern "C" int sc_main(int, char**) {
    return 0;
}

int main(int count, char** words) {
    try {
        return run({words + 1, words + count});
    } catch (const std::exception& error) {
        std::cerr << "heddle_pin_ports: " << error.what() << '\n';
        return 2;
    }
}
