// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>

namespace heddle {

/// A file that a run fills as it goes on, and that appears whole in commit() or not at all; see
/// output_file. Its name says how it is stored.
class trace_output {
public:
    virtual ~trace_output() = default;

    [[nodiscard]] virtual std::ostream& stream() noexcept = 0;
    [[nodiscard]] virtual const std::filesystem::path& destination() const noexcept = 0;
    /// Throws configuration_error if not everything could be written.
    virtual void commit() = 0;
};

/// FILE.gz is compressed, without time stamp or name inside; anything else is written as it is.
/// Throws configuration_error if the file can't be made.
[[nodiscard]] std::unique_ptr<trace_output> make_trace_output(const std::filesystem::path& file);

/// For what is written as VCD: FILE.fst becomes an FST file, made by GTKWave's own vcd2fst, which
/// runs beside the simulation and reads from it; no VCD file is written. Otherwise as
/// make_trace_output.
/// Throws configuration_error as well if vcd2fst is missing, or for a pipe or device, as FST must
/// be written out of order.
[[nodiscard]] std::unique_ptr<trace_output> make_wave_output(const std::filesystem::path& file);

}  // namespace heddle
