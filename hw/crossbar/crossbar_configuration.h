// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

enum class allocator_kind : std::uint8_t { input_first, pim, islip, wavefront };
inline const choices<allocator_kind> allocator_names{{"input_first", allocator_kind::input_first},
                                                     {"pim", allocator_kind::pim},
                                                     {"islip", allocator_kind::islip},
                                                     {"wavefront", allocator_kind::wavefront}};

/// Where a full output is noticed.
enum class output_check : std::uint8_t { before_allocation, after_allocation };
inline const choices<output_check> output_check_names{
    {"before_allocation", output_check::before_allocation},
    {"after_allocation", output_check::after_allocation}};

/// The crossbar between SMXs and L2 banks, keys `crossbar.`. The same for both of its networks.
struct crossbar_configuration {
    allocator_kind allocator = allocator_kind::islip;
    std::uint32_t iterations = 1;
    std::uint32_t input_speedup = 1;
    output_check check = output_check::before_allocation;
    std::uint32_t flit_bytes = 32;
    std::uint32_t header_bytes = 8;
    std::uint32_t input_buffer = 64;
    std::uint32_t output_buffer = 64;
    std::uint32_t latency = 24;

    /// Flits of a message with so many bytes of data.
    [[nodiscard]] std::uint32_t flits_of(std::uint32_t data) const noexcept {
        return std::max(1U, (header_bytes + data + flit_bytes - 1) / flit_bytes);
    }

    void declare(parameter_list& p) {
        p.add("allocator", allocator, allocator_names,
              "Allocator that decides which input buffers send a flit to which outputs "
              "(docs/memory.md describes each)");
        p.add("iterations", iterations, range(1, 16), "iteration",
              "Passes of pim and islip in a cycle; other allocators make one pass");
        p.add("input_speedup", input_speedup, range(1, 8), "buffer",
              "Buffers of an input; buffer k holds messages to the outputs k, k + speedup, ..., "
              "and each buffer sends a flit a cycle");
        p.add("output_check", check, output_check_names,
              "When a full output is noticed: before_allocation = no buffer requests it; "
              "after_allocation = a flit granted to it stays, and the grant is lost");
        p.add("flit_bytes", flit_bytes, range(1, 1024), "byte",
              "Size of a flit: a port moves one flit in a cycle, and messages are cut into flits");
        p.add("header_bytes", header_bytes, range(0, 128), "byte",
              "Header of a message (address, command, identity), which is added to its data");
        p.add("input_buffer", input_buffer, range(1, 65'535), "flit",
              "Credits of each input buffer, which must hold the longest message");
        p.add("output_buffer", output_buffer, range(1, 65'535), "flit",
              "Credits of each output buffer, which must hold the longest message");
        p.add(
            "latency", latency, range(1, 10'000), "cycle",
            "Latency of the switch: from the grant of a flit to its arrival in the output buffer");
    }
};

}  // namespace heddle
