// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "include/heddle/heddle.h"

namespace heddle {

/// A machine of the C interface with the kernels of the tests. A call that fails is a failure of
/// the test, unless it is one of refused().
class machine_of_test {
public:
    explicit machine_of_test(heddle_options options, bool loaded = true);
    ~machine_of_test();
    machine_of_test(const machine_of_test&) = delete;
    machine_of_test& operator=(const machine_of_test&) = delete;

    /// NOLINTNEXTLINE(google-explicit-constructor): it stands where a handle stands
    operator heddle_machine*() const { return handle_; }
    void load() const;
    void close();

    [[nodiscard]] std::uint32_t filled(const std::vector<std::uint32_t>& values) const;
    [[nodiscard]] std::vector<std::uint32_t> values(std::uint32_t address, std::size_t count) const;
    /// Launches add() over `n` elements of 1 and 2; returns where the sum is.
    [[nodiscard]] std::uint32_t launch_add(unsigned n) const;
    /// That the machine works: add() gives 3 everywhere.
    void expect_working() const;
    [[nodiscard]] double statistic(const std::string& name) const;

private:
    heddle_machine* handle_ = nullptr;
};

[[nodiscard]] std::string kernels_of_test();
/// tiny; `functional` or not.
[[nodiscard]] heddle_options tiny(bool functional = false);
[[nodiscard]] heddle_shape shape_of(unsigned blocks, unsigned threads);

/// That a call gave this status, and which text. Without a machine: the thread's.
void expect_failure(heddle_status found, heddle_status expected, const heddle_machine* machine,
                    const std::string& text);
#define EXPECT_GOOD(call, machine) EXPECT_EQ(call, HEDDLE_OK) << heddle_error_text(machine)

}  // namespace heddle
