// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/kit/testbench.h"

namespace heddle::launch_tb {

/// What was seen at an edge: the edge, and up to five numbers that say what.
using event = std::array<std::uint64_t, 6>;
using event_log = std::vector<event>;

inline std::string to_text(const event& e) {
    std::string text = "edge " + std::to_string(e[0]) + ":";
    for (std::size_t i = 1; i < e.size(); ++i) {
        text += " " + std::to_string(e[i]);
    }
    return text;
}

/// Reports the first difference of what the block did from what its reference model does.
inline void compare(testbench& bench, const std::string& what, const event_log& expected,
                    const event_log& seen) {
    for (std::size_t i = 0; i < expected.size() && i < seen.size(); ++i) {
        if (!bench.check(expected[i] == seen[i], what + " " + std::to_string(i) + ": seen at " +
                                                     to_text(seen[i]) + ", expected at " +
                                                     to_text(expected[i]))) {
            return;
        }
    }
    bench.check(expected.size() == seen.size(), what + ": seen " + std::to_string(seen.size()) +
                                                    " times, expected " +
                                                    std::to_string(expected.size()));
}

/// Reads a log in the order of its edges.
class event_reader {
public:
    explicit event_reader(const event_log& log) : log_(&log) {}
    /// The next event, if it happened at or before `edge`; else null.
    const event* next(std::uint64_t edge) {
        return at_ < log_->size() && (*log_)[at_][0] <= edge ? &(*log_)[at_++] : nullptr;
    }

private:
    const event_log* log_;
    std::size_t at_ = 0;
};

}  // namespace heddle::launch_tb
