// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/hw/base/vcd_reader.h"
#include "tests/integration/heddle_process.h"

namespace heddle {

using nlohmann::json;
using words = std::vector<std::string>;

/// A small run with everything switched on.
struct traced_run {
    temporary_directory files;
    std::string waves = files / "run.vcd";
    std::string view = waves + ".gtkw";
    std::string names = waves + ".names";
    std::string timeline = files / "timeline.json";
    std::string statistics = files / "statistics.json";
    std::string blocks = files / "blocks.csv";

    explicit traced_run(const words& more = {}) {
        words arguments{"run",        "saxpy",  "--config", "tiny",     "--option", "n=2048",
                        "--vcd",      waves,    "--stats",  statistics, "--option", "block=256",
                        "--timeline", timeline, "--blocks", blocks};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const command_result result = heddle_command(arguments);
        EXPECT_EQ(result.code, 0) << result.errors;
        EXPECT_EQ(files.file_count(), 6U) << "temporary files are left";
    }
    [[nodiscard]] json events() const {
        return json::parse(contents_of(timeline)).at("traceEvents");
    }
};

/// Times (ps) at which a variable shows `value` anew.
inline std::vector<std::uint64_t> times_of(const vcd_reader& waves, const std::string& name,
                                           std::uint64_t value) {
    std::vector<std::uint64_t> times;
    for (const auto& [time, bits] : waves[name].values) {
        if (std::stoull(bits, nullptr, 2) == value) times.push_back(time);
    }
    return times;
}

inline std::uint64_t begin_ps(const json& slice) {
    return static_cast<std::uint64_t>(std::llround(slice.at("ts").get<double>() * 1e6));
}

}  // namespace heddle
