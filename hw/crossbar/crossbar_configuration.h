// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/base/parameter.h"

namespace heddle {

/// A place in the list of allocators (allocators.h). The first one is the default.
enum class allocator_kind : std::uint8_t {};

/// Where a full output is noticed.
enum class output_check : std::uint8_t { before_allocation, after_allocation };
inline const choices<output_check> output_check_names{
    {"before_allocation", output_check::before_allocation},
    {"after_allocation", output_check::after_allocation}};

/// The crossbar between SMXs and L2 banks, keys `crossbar.`. The same for both of its networks.
struct crossbar_configuration {
    allocator_kind allocator{};
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

    void declare(parameter_list& p);
};

}  // namespace heddle
