// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/cross/crossing.h"

namespace heddle {
namespace program {
class image;
}  // namespace program

namespace cross {

/// A launch with what it has to leave in memory.
struct expected_launch {
    std::string kernel;
    unsigned blocks = 1, threads = 1, priority = 0;
    iss::kernel_arguments arguments;
    bool cooperative = false;
    std::vector<std::uint32_t> out;
    std::vector<std::uint32_t> sums;  ///< empty if the kernel has none
};

/// A machine with a program as text: what runs, and what a file keeps.
struct pair {
    machine_choice machine;
    unsigned optimization = 2;
    std::vector<expected_launch> launches;
    std::string source;
};

/// The crossing as a pair: its kernels printed, its results from their interpreter.
pair pair_of(const crossing& one, unsigned optimization);

/// The file's text; `finding` is what went wrong, as a comment.
std::string text_of(const pair& one, const std::string& finding);
/// Reads that text. Throws configuration_error with the number of a line that it can't read.
pair pair_from(const std::string& text);

std::shared_ptr<const program::image> compile(const std::string& source, unsigned optimization);

/// How a run in a process of its own ended.
struct verdict {
    int kind = 0;      ///< 0: well; else two failures are of one kind if this is equal
    std::string text;  ///< what the process said

    [[nodiscard]] bool good() const noexcept { return kind == 0; }
};
/// "wrong result", "no progress", "signal 11", ...
std::string name_of(const verdict& how);

/// Runs the pair in a child process: timed machine with checked links, in lock step with the
/// functional simulator, with a watchdog. `seconds` of processor time are its limit.
verdict run(const pair& one, const std::shared_ptr<const program::image>& image, unsigned seconds);

}  // namespace cross
}  // namespace heddle
