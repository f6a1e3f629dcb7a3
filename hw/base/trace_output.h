// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>

namespace heddle {

/// A file that is written during a run. It appears in commit(), whole, or not at all; see
/// output_file. The ending of its name chooses the format.
class trace_output {
public:
    virtual ~trace_output() = default;

    [[nodiscard]] virtual std::ostream& stream() noexcept = 0;
    [[nodiscard]] virtual const std::filesystem::path& destination() const noexcept = 0;
    /// Throws configuration_error if not everything could be written.
    virtual void commit() = 0;
};

/// FILE.gz is compressed, without time stamp and name inside; any other file is plain. Throws
/// configuration_error if the file can't be made.
[[nodiscard]] std::unique_ptr<trace_output> make_trace_output(const std::filesystem::path& file);

/// For a waveform in VCD: FILE.fst becomes an FST file. GTKWave's vcd2fst makes it; it runs beside
/// the simulation and reads from it, so no VCD file is written. Any other file is as in
/// make_trace_output. Also throws configuration_error if vcd2fst is missing, or if FILE.fst is a
/// pipe or device, because FST is written out of order.
[[nodiscard]] std::unique_ptr<trace_output> make_wave_output(const std::filesystem::path& file);

}  // namespace heddle
