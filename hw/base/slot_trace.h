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
        idle,        ///< the values just before a clock edge without `enable`
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

/// Shows values of slots over time. Names are hierarchical; all are declared while the netlist is
/// built. Of several values in an instant the last one counts.
class slot_view {
public:
    using handle = std::size_t;

    slot_view() = default;
    slot_view(const slot_view&) = delete;
    slot_view& operator=(const slot_view&) = delete;
    virtual ~slot_view() = default;

    [[nodiscard]] virtual handle declare_number(const std::string& name) = 0;
    [[nodiscard]] virtual handle declare_bits(const std::string& name, unsigned width) = 0;
    virtual void set_number(handle which, std::uint64_t value) = 0;
    /// ceil(width / 64) words, least significant first.
    virtual void set_bits(handle which, const std::uint64_t* words) = 0;
};

/// Takes the signals inside of an RTL part.
class slot_internals {
public:
    slot_internals() = default;
    slot_internals(const slot_internals&) = delete;
    slot_internals& operator=(const slot_internals&) = delete;
    virtual ~slot_internals() = default;

    /// The file of an instance. Throws configuration_error for a second one.
    [[nodiscard]] virtual const std::string& begin(const std::string& slot,
                                                   const std::string& instance) = 0;
    /// Picoseconds of the run.
    [[nodiscard]] virtual std::uint64_t now() const = 0;
};

/// Who wants to hear of slots; each may be null, and outlives the parts.
struct slot_listeners {
    slot_trace* trace = nullptr;          ///< of RTL
    slot_view* view = nullptr;            ///< of RTL, and of both parts in `shadow`
    slot_internals* internals = nullptr;  ///< of RTL
};

}  // namespace heddle
