// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>

namespace heddle::command {

/// Threads of the host that a run asks for.
struct thread_options {
    unsigned wanted = 1;
    /// For tests: not 0 makes them wait at random, and there are as many as wanted also where there
    /// are fewer cores.
    std::uint64_t delay_seed = 0;

    [[nodiscard]] unsigned used() const;
    /// What the summary says where fewer are used; empty: nothing.
    [[nodiscard]] std::string note() const;
};

}  // namespace heddle::command
