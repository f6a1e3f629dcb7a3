// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/run/run_command.h"

namespace heddle::command {

/// `heddle opencl` or `heddle cuda`, as typed.
struct guest_request {
    run_request run;                   ///< for its options
    bool double_precision = true;      ///< likewise
    std::vector<std::string> options;  ///< the same, as typed
    std::vector<std::string> program;  ///< with its arguments
};

/// The words of such a command line up to "--", which are Heddle's; all words of another command.
[[nodiscard]] std::vector<std::string> without_program(std::vector<std::string> words);

/// Finds the options and the program in the words of a command line `heddle COMMAND OPTIONS --
/// PROGRAM ARGUMENTS`.
void split_command_line(const std::vector<std::string>& words, guest_request& request);

/// Runs an OpenCL program with Heddle's runtime library as its only platform, and waits for it and
/// its device servers. Returns its exit code; 128 + N if signal N ended it. Throws
/// configuration_error for options that the device server would refuse, and if the program can't
/// be started.
int run_opencl(const guest_request& request, const std::filesystem::path& configurations);

/// The same for a program of `heddle nvcc`, which has Heddle's runtime library in it. One that has
/// used no device is told to standard error: it may be of another compiler.
int run_cuda(const guest_request& request, const std::filesystem::path& configurations);

}  // namespace heddle::command
