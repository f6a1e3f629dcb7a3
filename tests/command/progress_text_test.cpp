// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include "command/run/progress_line.h"

namespace heddle::command {
namespace {

using seconds = progress_text::seconds;

run_progress at(std::uint64_t launched, std::uint64_t done, std::uint64_t instructions,
                std::optional<std::uint64_t> cycles = std::nullopt) {
    return {launched, done, instructions, cycles};
}

TEST(progress_text, shows_blocks_cycles_and_rates) {
    progress_text text;
    EXPECT_EQ(text.next(seconds(0.5), at(64, 0, 2'000'000, 50'000)),
              "blocks 0/64 (0.0 %), cycle 50000, 100 k cycles/s, 4.00 M warp instructions/s");
    // Rates are those since the last look.
    EXPECT_EQ(text.next(seconds(1.0), at(64, 12, 2'000'100, 50'400)),
              "blocks 12/64 (18.8 %), cycle 50400, 800 cycles/s, 200 warp instructions/s, 0:03 "
              "left");
}

TEST(progress_text, without_time_there_are_no_cycles) {
    progress_text text;
    EXPECT_EQ(text.next(seconds(2), at(10, 0, 30'000)),
              "blocks 0/10 (0.0 %), 15.0 k warp instructions/s");
}

TEST(progress_text, before_the_first_launch_there_is_no_share) {
    progress_text text;
    EXPECT_EQ(text.next(seconds(1), at(0, 0, 0, 0)),
              "blocks 0/0, cycle 0, 0 cycles/s, 0 warp instructions/s");
}

std::string left_of(progress_text& text, double when, std::uint64_t launched, std::uint64_t done) {
    const std::string line = text.next(seconds(when), at(launched, done, 0));
    const std::size_t comma = line.rfind(", ");
    return line.find(" left") == std::string::npos ? "" : line.substr(comma + 2);
}

TEST(progress_text, the_time_left_follows_from_the_blocks_since_the_last_launch) {
    progress_text text;
    EXPECT_EQ(left_of(text, 10, 1000, 0), "");
    EXPECT_EQ(left_of(text, 11, 1000, 0), "");
    EXPECT_EQ(left_of(text, 20, 1000, 100), "1:30 left");
    EXPECT_EQ(left_of(text, 30, 1000, 100), "3:00 left");
    EXPECT_EQ(left_of(text, 40, 1000, 1000), "0:00 left");
    // A second launch, whose blocks take longer.
    EXPECT_EQ(left_of(text, 50, 2000, 1000), "");
    EXPECT_EQ(left_of(text, 150, 2000, 1010), "2:45:00 left");
}

}  // namespace
}  // namespace heddle::command
