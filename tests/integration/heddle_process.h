// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"

namespace heddle {

/// How the command ended.
struct command_result {
    int code = 0;        ///< exit code; -N: signal N ended it
    std::string output;  ///< standard output
    std::string errors;  ///< standard error
};

/// A running `heddle` command, or another program, with its own empty standard input.
class heddle_process {
public:
    explicit heddle_process(const std::vector<std::string>& arguments);
    heddle_process(const std::string& program, const std::vector<std::string>& arguments);
    /// Ends it if nobody waited.
    ~heddle_process();
    heddle_process(const heddle_process&) = delete;
    heddle_process& operator=(const heddle_process&) = delete;

    /// Waits until the command handles SIGINT itself; false if it ended before.
    [[nodiscard]] bool wait_until_interruptible() const;
    void send(int signal_number) const;
    void interrupt() const;
    command_result wait();

private:
    temporary_directory files_;
    pid_t id_ = -1;
};

/// Runs `heddle ARGUMENTS...` to its end.
command_result heddle_command(const std::vector<std::string>& arguments);

/// File of a program that the build compiled.
std::string built_program(const std::string& name);

/// Expects exit code 2, no output, and one message that contains `text`.
void expect_refused(const std::vector<std::string>& arguments, const std::string& text);

}  // namespace heddle
