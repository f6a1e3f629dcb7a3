// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle {

/// Hears of the ports of an RTL part in a slot. Inputs and outputs are flat vectors in words of 32
/// bits, the first port in the lowest bits.
class slot_trace {
public:
    /// What the inputs and outputs were there for.
    enum class step : std::uint8_t {
        evaluation,  ///< the part was asked, and no clock edge followed with these inputs
        clock,       ///< the values just before a clock edge with `enable`
        reset,       ///< a clock edge in reset
    };

    slot_trace() = default;
    slot_trace(const slot_trace&) = delete;
    slot_trace& operator=(const slot_trace&) = delete;
    virtual ~slot_trace() = default;

    /// An instance begins. Throws configuration_error if it can't be traced.
    virtual void begin(const std::string& slot, const std::string& instance, std::size_t input_bits,
                       std::size_t output_bits) = 0;
    virtual void record(step what, const std::uint32_t* inputs, const std::uint32_t* outputs) = 0;
};

}  // namespace heddle
