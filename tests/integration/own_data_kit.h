// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Runs of the kernels of docs/own_data.md, for tests.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/base/npy_bytes.h"
#include "tests/integration/heddle_process.h"

namespace heddle::own_data {

using words = std::vector<std::string>;

inline const std::string program = built_program("own_data");

/// `heddle run PROGRAM --kernel KERNEL` with an --arg each and further options.
inline words run_of(const std::string& kernel, const words& arguments, const words& more = {}) {
    words all{"run", program, "--config", "tiny", "--kernel", kernel};
    for (const std::string& argument : arguments) all.insert(all.end(), {"--arg", argument});
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

inline void expect_good(const words& command) {
    const command_result result = heddle_command(command);
    EXPECT_EQ(result.code, 0) << result.errors;
}

inline constexpr unsigned rows = 5;
inline constexpr unsigned columns = 7;
inline const char* const plate_shape = "(5, 7)";

inline std::vector<double> plate() {
    std::vector<double> values(rows * columns);
    for (unsigned i = 0; i < values.size(); ++i) values[i] = 0.1 * i * i;
    return values;
}

/// What heat() of own_data.cpp does. The rates are powers of two, so that a host that rounds
/// rate * x + y once has the same result.
inline std::vector<double> heated(const std::vector<double>& from, double rate) {
    std::vector<double> to = from;
    for (unsigned row = 1; row + 1 < rows; ++row) {
        for (unsigned column = 1; column + 1 < columns; ++column) {
            const unsigned i = row * columns + column;
            const double around = from[i - columns] + from[i + columns] + from[i - 1] + from[i + 1];
            to[i] = from[i] + rate * (around - 4 * from[i]);
        }
    }
    return to;
}

/// struct step: a velocity of (1, 2, 3) for a time.
inline std::string step_bytes(float time) {
    return bytes_of(std::vector<float>{1, 2, 3, time});
}

/// A launch script for two steps of heat.
inline std::string two_steps() {
    return "program = \"" + program + "\"\n" + R"([buffers]
from = "@in.npy"
to = "f64[35]"
[[launch]]
kernel = "heat"
grid = 2
arguments = [5, 7, 0.125, "from", "to"]
[[launch]]
kernel = "heat"
grid = [2, 1]
block = 32
arguments = [5, 7, 0.25, "to", "from"]
[save]
from = "out.npy"
[golden]
from = "expected.npy"
)";
}

}  // namespace heddle::own_data
