// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "tb/kit/paths.h"

namespace {

/// What the testbench prints of its statistics; fails the test if the run does.
std::string statistics(const std::string& options) {
    const std::string command =
        heddle::build_path("tb/memory_path_tb --accesses 500 --statistics ") + options + " 2>&1";
    FILE* const pipe = popen(command.c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::string text;
    std::array<char, 4096> part{};
    while (fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) {
        text += part.data();
    }
    EXPECT_EQ(pclose(pipe), 0) << command << '\n' << text;
    const std::size_t begin = text.find("name,value");
    EXPECT_NE(begin, std::string::npos) << text;
    return text.substr(begin == std::string::npos ? 0 : begin);
}

class memory_path : public ::testing::TestWithParam<const char*> {};

TEST_P(memory_path, statistics_depend_neither_on_sleep_nor_on_the_order_of_modules) {
    const std::string options = GetParam();
    const std::string reference = statistics(options);
    EXPECT_GT(reference.size(), 1000U);
    EXPECT_EQ(statistics(options + " --no-sleep"), reference);
    EXPECT_EQ(statistics(options + " --permute"), reference);
    EXPECT_NE(statistics(options + " --stall-probability 0.5"), reference) << "blind comparison";
}

INSTANTIATE_TEST_SUITE_P(
    configurations, memory_path,
    ::testing::Values("--seed 11", "--seed 12 --no-cache", "--seed 13 --memory foreign",
                      "--seed 15 --memory foreign_lt", "--seed 16 --memory gddr",
                      "--seed 17 --memory gddr --no-cache", "--seed 14 --memory no_byte_enables"));

TEST(memory_path_traffic, small_tables_and_no_stalls_pass) {
    statistics("--seed 21 --lines 4 --outstanding 64 --clients 8 --stall-probability 0");
    statistics("--seed 22 --lines 600 --stall-probability 0.6");
    statistics("--seed 23 --fixed --lines 2000");
}

}  // namespace
