// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "tb/kit/paths.h"

/// The testbenches of the channel as programs.
namespace {

std::string output(const std::string& call, int expected = 0) {
    FILE* const pipe = popen((heddle::build_path("tb/") + call + " 2>&1").c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::string text;
    std::array<char, 4096> part{};
    while (fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) {
        text += part.data();
    }
    EXPECT_EQ(pclose(pipe) / 256, expected) << call << '\n' << text;
    return text;
}

/// Statistics only: without the host's speed.
std::string statistics(const std::string& call) {
    const std::string text = output(call);
    const std::size_t begin = text.find("channel.reads");
    EXPECT_NE(begin, std::string::npos) << text;
    return text.substr(begin, text.find("share of") - begin);
}

TEST(channel_testbench, sleep_changes_no_statistic) {
    for (const char* traffic :
         {"--traffic random --writes 0.3 --accesses 5000",
          "--traffic random --period 64 --accesses 500",
          "--traffic streams --streams 16 --set dram.scheduler=fifo --accesses 5000",
          "--traffic sequential --writes 0.5 --accesses 5000 --set dram.timing.refi=3600 --set "
          "dram.timing.rfc=100"}) {
        const std::string reference = statistics(std::string("channel_tb ") + traffic);
        EXPECT_GT(reference.size(), 1000U);
        EXPECT_EQ(statistics(std::string("channel_tb --no-sleep ") + traffic), reference);
    }
    EXPECT_NE(statistics("channel_tb --traffic random --accesses 5000"),
              statistics("channel_tb --traffic random --accesses 5000 --seed 2"))
        << "blind comparison";
}

TEST(memory_controller_testbench, sleep_changes_no_statistic) {
    for (const char* seed : {"--seed 31", "--seed 32", "--seed 33"}) {
        const std::string call = std::string("memory_controller_tb --statistics ") + seed;
        EXPECT_EQ(statistics(call + " --no-sleep"), statistics(call));
    }
}

TEST(channel_testbench, wrong_options_are_refused) {
    EXPECT_NE(output("channel_tb --traffic zigzag", 2).find("zigzag"), std::string::npos);
    EXPECT_NE(output("channel_tb --traffic random --set dram.queues=4", 2)
                  .find("did you mean 'dram.queue'?"),
              std::string::npos);
    EXPECT_NE(output("channel_tb --traffic random --set dram.bank_mask=0", 2).find("in no mask"),
              std::string::npos);
}

}  // namespace
