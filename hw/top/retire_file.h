// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "hw/base/trace_output.h"
#include "include/heddle/retire.h"

namespace heddle {

/// The instructions of each warp as a text: a line of retired_text() for each record of a
/// retire_stream, behind a line that names the columns.
///
/// Sorted by launch, block, warp and n (`sort -n -k4,4 -k5,5 -k6,6 -k7,7`) two files of different
/// machines can be compared. Equal runs give equal bytes.
class retire_file {
public:
    /// A name that ends in .gz gives a gzip file. Throws configuration_error if the file can't be
    /// written.
    explicit retire_file(const std::string& file);

    void write(const heddle_retired& retired);
    /// Completes the file, which appears whole or not at all. Throws configuration_error if not
    /// everything could be written.
    void finish();

private:
    std::unique_ptr<trace_output> output_;
    fmt::memory_buffer line_;
};

}  // namespace heddle
