// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "hw/base/clock_domain.h"

namespace heddle {

inline std::string file_name(const std::string& name) {
    return testing::TempDir() + "heddle_" + std::to_string(getpid()) + "_" + name;
}

inline std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Calls `change(edge)` in update, for `edges` edges.
class driver final : public clocked {
public:
    driver(clock_domain& domain, std::uint64_t edges, std::function<void(std::uint64_t)> change)
        : clocked(domain, "driver"), edges_(edges), change_(std::move(change)) {}
    void evaluate() override {}
    activity update() override {
        change_(domain().edge());
        return domain().edge() + 1 < edges_ ? activity::busy : activity::idle;
    }

private:
    std::uint64_t edges_;
    std::function<void(std::uint64_t)> change_;
};

}  // namespace heddle
