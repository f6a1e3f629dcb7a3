// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::program {

/// How a child process ended.
struct process_result {
    int status = 0;      ///< exit code; 128 + signal when a signal ended it; 127: could not start
    std::string output;  ///< what it wrote to standard output and standard error
};

/// Runs a program found on PATH (no shell) with a file as its standard input, and waits for it.
/// Throws run_error when the system gives no pipe.
process_result run_process(const std::vector<std::string>& arguments,
                           const std::string& input = "/dev/null");

/// Path of a program on PATH, or the name itself when it has a slash and is executable; empty when
/// there is none.
std::string find_program(const std::string& name);

}  // namespace heddle::program
