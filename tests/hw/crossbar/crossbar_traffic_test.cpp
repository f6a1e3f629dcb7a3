// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The crossbar's testbench as a program: sleep, order of modules, its own checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tb/kit/paths.h"

namespace {

using testing::HasSubstr;

struct finished {
    int status;
    std::string text;
};

finished run(const std::string& options) {
    const std::string command = heddle::build_path("tb/crossbar_tb ") + options + " 2>&1";
    FILE* const pipe = popen(command.c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    finished result;
    std::array<char, 4096> part{};
    while (fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) {
        result.text += part.data();
    }
    result.status = pclose(pipe);
    return result;
}

std::string good(const std::string& options) {
    const finished result = run(options);
    EXPECT_EQ(result.status, 0) << result.text;
    return result.text;
}

std::string vcd_of(const std::string& options) {
    const std::string path = testing::TempDir() + "heddle_crossbar_tb.vcd";
    good(options + " --vcd " + path);
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(path);
    return text;
}

TEST(crossbar_testbench, statistics_depend_neither_on_sleep_nor_on_the_order_of_modules) {
    for (const char* seed : {"31", "32", "33", "34", "35", "36"}) {
        const std::string options = std::string("--accesses 400 --statistics --seed ") + seed;
        const std::string reference = good(options);
        EXPECT_THAT(reference, HasSubstr("crossbar.response.latency"));
        EXPECT_EQ(good(options + " --no-sleep"), reference);
        EXPECT_EQ(good(options + " --permute"), reference);
        EXPECT_NE(good(options + " --stall-probability 0.5"), reference) << "blind comparison";
    }
}

TEST(crossbar_testbench, waveform_and_measurement_do_not_depend_on_sleep) {
    // With a longer latency there are cycles in which nothing but the waveform changes.
    for (const char* latency : {"1", "5"}) {
        const std::string options =
            "--traffic hotspot --hotspot 0.4 --load 0.02 --inputs 4 --outputs 4 --flits 3 "
            "--receiver-stalls 0.8 "
            "--cycles 2000 --warm-up 0 --allocator islip --speedup 2 --latency " +
            std::string(latency);
        EXPECT_EQ(good(options), good(options + " --no-sleep"));
        const std::string wave = vcd_of(options);
        EXPECT_TRUE(wave == vcd_of(options + " --no-sleep")) << "latency " << latency;
        for (const char* name : {"input_3", "buffer_1", "output_3", "granted_input", "state"}) {
            EXPECT_THAT(wave, HasSubstr(name));
        }
    }
}

TEST(crossbar_testbench, a_figure_that_does_not_come_out_fails_the_run) {
    const finished wrong = run("--traffic uniform --load 0.5 --cycles 2000 --expect 0.55");
    EXPECT_NE(wrong.status, 0);
    EXPECT_THAT(wrong.text, HasSubstr("--expect 0.55"));
    // a queue of 20 cycles can't have settled: the closed form is missed
    const finished early = run("--traffic backlogged --warm-up 0 --cycles 20");
    EXPECT_NE(early.status, 0);
    EXPECT_THAT(early.text, HasSubstr("closed form 0.6439"));
}

}  // namespace
