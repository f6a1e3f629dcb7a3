// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "hw/base/slot_trace.h"
#include "hw/base/trace_output.h"

namespace heddle {

/// `heddle run --slot-trace`: what an RTL simulator needs to play the ports of one slot again.
///
/// A text file. The first line is `heddle-slot-trace 2 SLOT INSTANCE INPUT_BITS OUTPUT_BITS`. Each
/// further line is a step, `STEP INPUTS OUTPUTS`, or, in version 3, `STEP INPUTS OUTPUTS COUNTS`,
/// where COUNTS has a 1 for each output bit whose value means something: STEP is `c` for the values
/// just before a clock edge with `enable`, `e` for values that no clock edge followed, `r` for a
/// clock edge in reset, whose outputs count for nothing, `i` for the values just before a clock
/// edge without `enable`; the values are hexadecimal. A name that ends in .gz gives a gzip file.
/// The file appears whole or not at all.
class slot_trace_file final : public slot_trace {
public:
    /// Throws configuration_error if the file can't be written.
    explicit slot_trace_file(const std::string& file);
    ~slot_trace_file() override;

    /// A file has one instance: throws configuration_error for a second one.
    void begin(const std::string& slot, const std::string& instance, std::size_t input_bits,
               std::size_t output_bits) override;
    void record(step what, const std::uint32_t* inputs, const std::uint32_t* outputs) override {
        write(what, inputs, outputs, nullptr);
    }
    /// Makes a file of version 3, in which each step has `counts`. Before begin().
    void write_counts() noexcept { with_counts_ = true; }
    void write(step what, const std::uint32_t* inputs, const std::uint32_t* outputs,
               const std::uint32_t* counts);

    /// With the netlist built: throws configuration_error if no slot has RTL.
    void check() const;
    /// Completes the file. Nothing is recorded after that.
    void finish();

private:
    std::unique_ptr<trace_output> output_;
    std::string instance_;
    std::size_t input_bits_ = 0, output_bits_ = 0;
    bool with_counts_ = false;
};

}  // namespace heddle
