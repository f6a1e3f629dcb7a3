// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/crossbar_configuration.h"

#include "hw/crossbar/allocators.h"

namespace heddle {

void crossbar_configuration::declare(parameter_list& p) {
    p.add("allocator", allocator, allocators::names(),
          "Allocator that decides which input buffers send a flit to which outputs: " +
              allocators::description());
    p.add("iterations", iterations, range(1, 16), "iteration",
          "Passes of pim and islip in a cycle; other allocators make one pass")
        .larger_is_better();
    p.add("input_speedup", input_speedup, range(1, 8), "buffer",
          "Buffers of an input; buffer k holds messages to the outputs k, k + speedup, ..., "
          "and each buffer sends a flit a cycle")
        .larger_is_better();
    p.add("output_check", check, output_check_names,
          "When a full output is noticed: before_allocation = no buffer requests it; "
          "after_allocation = a flit granted to it stays, and the grant is lost")
        .best("before_allocation");
    p.add("flit_bytes", flit_bytes, range(1, 1024), "byte",
          "Size of a flit: a port moves one flit in a cycle, and messages are cut into flits")
        .larger_is_better();
    p.add("header_bytes", header_bytes, range(0, 128), "byte",
          "Header of a message (address, command, identity), which is added to its data")
        .smaller_is_better();
    p.add("input_buffer", input_buffer, range(1, 65'535), "flit",
          "Credits of each input buffer, which must hold the longest message")
        .larger_is_better(1024);
    p.add("output_buffer", output_buffer, range(1, 65'535), "flit",
          "Credits of each output buffer, which must hold the longest message")
        .larger_is_better(1024);
    p.add("latency", latency, range(1, 10'000), "cycle",
          "Latency of the switch: from the grant of a flit to its arrival in the output buffer")
        .smaller_is_better();
}

}  // namespace heddle
