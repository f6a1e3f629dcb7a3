// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// heddle limit_study on the files of runs with --retire.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/integration/heddle_process.h"

namespace heddle {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using words = std::vector<std::string>;

/// Speed of "never" and "at the best places" over post-dominators.
struct speeds {
    double never, best;
};

speeds study(const words& run) {
    const temporary_directory files;
    const std::string traces = files / "traces.tsv.gz";
    words arguments{"run", "--config", "tiny", "--no-progress", "--retire", traces};
    arguments.insert(arguments.end(), run.begin(), run.end());
    const command_result result = heddle_command(arguments);
    EXPECT_EQ(result.code, 0) << result.errors;
    const command_result studied = heddle_command({"limit_study", traces, "--json"});
    EXPECT_EQ(studied.code, 0) << studied.errors;
    const json rows = json::parse(studied.output);
    const auto speed = [&](std::size_t row) {
        return std::stod(rows.at(row).at("speed").get<std::string>());
    };
    return {speed(0), speed(2)};
}

TEST(limit_study, finds_the_gain_of_the_contrived_loop) {
    for (const char* ratio : {"1", "8", "23"}) {
        const speeds found = study({"contrived", "--option", "n=128", "--option", "block=128",
                                    "--option", std::string("ratio=") + ratio});
        const double r = std::stod(ratio);
        EXPECT_NEAR(found.best / (2 * (1 + r) / (2 + r)), 1, 0.02) << ratio;
        EXPECT_LT(found.never, 1) << ratio;
    }
}

TEST(limit_study, barriers_keep_the_steps_of_a_bitonic_sort_together) {
    const speeds found =
        study({"bitonic", "--option", "arrays=1", "--option", "size=256", "--option", "block=128"});
    EXPECT_GE(found.best, 1);
    EXPECT_LT(found.best, 1.02);
    EXPECT_LT(found.never, 0.5);
}

TEST(limit_study, says_what_is_wrong_with_a_file) {
    const temporary_directory files;
    EXPECT_THAT(heddle_command({"limit_study", files / "none"}).errors, HasSubstr("none"));
    files.write("other.csv", "block,begin\n1,2\n");
    const command_result other = heddle_command({"limit_study", files / "other.csv"});
    EXPECT_EQ(other.code, 2);
    EXPECT_THAT(other.errors, HasSubstr("not a line of a --retire file: 'block,begin'"));
    files.write("empty.tsv", "");
    EXPECT_THAT(heddle_command({"limit_study", files / "empty.tsv"}).errors,
                HasSubstr("no instruction was executed"));
}

}  // namespace
}  // namespace heddle
