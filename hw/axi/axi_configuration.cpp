// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/axi_configuration.h"

#include "hw/axi/channels.h"
#include "hw/axi/rtl_memory.h"

namespace heddle::axi {

void axi_configuration::declare(parameter_list& p) {
    using choice = choices<memory_bus>;
    p.add("bus", bus,
          rtl_memory_built() ? choice{{"tlm", memory_bus::tlm},
                                      {"axi", memory_bus::axi},
                                      {"axi_rtl", memory_bus::axi_rtl}}
                             : choice{{"tlm", memory_bus::tlm}, {"axi", memory_bus::axi}},
          "What is between the L2 banks and memory: tlm = sockets, axi = an AXI4 bus of pins for "
          "each bank before the memory of dram.model, axi_rtl = an AXI4 bus before a memory in "
          "SystemVerilog, without the timing of dram.model");
    p.add("axi_width", width, one_of({32, 64, 128, 256, 512}), "bit",
          "Width of the data of the AXI4 buses of memory.bus")
        .larger_is_better();
    p.add("axi_ids", ids, range(1, maximum_ids), "access",
          "Accesses that an AXI4 bus of memory.bus can have under way; each has an ID or shares "
          "that of its L2 line")
        .larger_is_better();
    p.add("axi_queue", queue, range(1, 256), "burst",
          "Bursts of each direction that the subordinate of memory.bus = axi can have under way")
        .larger_is_better();
}

}  // namespace heddle::axi
