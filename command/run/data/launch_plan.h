// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "command/run/data/argument_buffers.h"
#include "command/run/data/golden_values.h"
#include "command/run/data/program_arguments.h"
#include "models/base/dim3.h"

namespace heddle::command {

/// A buffer of a launch script.
struct planned_buffer {
    std::string name;
    located_text definition;  ///< TYPE[COUNT]=INIT or @FILE
};

struct planned_launch {
    std::string where;   ///< in front of error messages, with ": "; empty: the command line
    std::string kernel;  ///< may be empty when there is only one
    dim3 grid{1, 1, 1};
    dim3 block{32, 1, 1};
    dim3 offset{0, 0, 0};
    std::uint32_t shared_bytes = 0;
    bool cooperative = false;
    std::uint32_t stream = 0;
    std::vector<located_text> arguments;
};

/// A file that a buffer is written to or compared with after the run.
struct planned_file {
    std::string buffer;
    std::filesystem::path file;
    std::string where;  ///< "--save NAME=FILE", "run.toml:12:1: save.NAME"
};

/// What `heddle run` does with the kernels of one program, from the command line or from a file.
struct launch_plan {
    std::filesystem::path program;  ///< ELF file
    std::filesystem::path folder;   ///< where relative names in `buffers` and arguments begin
    buffer_naming naming = buffer_naming::defined;
    std::vector<planned_buffer> buffers;
    std::vector<planned_launch> launches;
    std::vector<planned_file> saved;
    std::vector<planned_file> golden;
    std::optional<golden_tolerance> tolerance;

    /// Files that arguments and buffers are read from and golden values; for checks that nothing is
    /// overwritten.
    [[nodiscard]] std::vector<std::filesystem::path> inputs() const;
};

/// Splits NAME=FILE of an option. Throws configuration_error if it has another form.
planned_file parse_named_file(const std::string& option, const std::string& text);

}  // namespace heddle::command
