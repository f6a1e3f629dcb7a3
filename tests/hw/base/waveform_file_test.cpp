// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The files that a waveform is written into.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hw/base/waveform.h"
#include "models/base/error.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/base/wave_driver.h"

namespace heddle {
namespace {

using testing::HasSubstr;

TEST(waveform_file, an_exception_leaves_no_file) {
    const std::string path = file_name("exception.vcd");
    try {
        waveform sink(path);
        (void)sink.declare_bits("gpu.a", 1);
        throw configuration_error("later");
    } catch (const configuration_error&) {
        // the sink was destroyed on the way here
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

/// One number that changes, into `path`.
void write_something(const std::string& path) {
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_bits mask = sink.declare_bits("gpu.smx_0.mask", 32);
    driver part(core, 2000, [&](std::uint64_t edge) { mask.set(edge * 3); });
    sc_core::sc_start();
    sink.close();
}

TEST(waveform_file, writes_fst_through_the_converter_of_gtkwave) {
    if (std::system("command -v vcd2fst >/dev/null") != 0) {
        GTEST_SKIP() << "vcd2fst is missing: install gtkwave to run this test";
    }
    std::vector<std::string> files;
    for (const char* name : {"plain.vcd", "a.fst", "b.fst"}) {
        files.push_back(file_name(name));
        EXPECT_EQ(run_in_child([&](std::string&) {
                      write_something(files.back());
                      return 0;
                  }).exit_code,
                  0);
    }
    const std::string converted = file_name("converted.fst");
    ASSERT_EQ(std::system(("vcd2fst " + files[0] + " " + converted).c_str()), 0);
    EXPECT_TRUE(read_file(files[1]) == read_file(converted)) << "not what vcd2fst makes of the VCD";
    EXPECT_TRUE(read_file(files[1]) == read_file(files[2])) << "two runs differ";
    files.push_back(converted);
    for (const std::string& file : files) {
        EXPECT_TRUE(std::filesystem::remove(file));
    }
}

/// Stands in for vcd2fst.
void install_converter(const std::string& directory, const std::string& script) {
    std::filesystem::create_directories(directory);
    std::ofstream(directory + "/vcd2fst") << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(directory + "/vcd2fst", std::filesystem::perms::owner_all);
    setenv("PATH", (directory + ":/usr/bin:/bin").c_str(), 1);
}

TEST(waveform_file, fst_without_its_converter_is_refused) {
    const std::string path = file_name("refused.fst");
    setenv("PATH", "/no/such/directory", 1);
    try {
        waveform sink(path);
        ADD_FAILURE() << "there is no converter";
    } catch (const configuration_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("apt-get install gtkwave"));
    }
    EXPECT_THROW(waveform("/no/such/folder/x.fst"), configuration_error);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(waveform_file, a_converter_that_breaks_off_leaves_no_file) {
    const std::string directory = file_name("broken_converter");
    install_converter(directory, "head -c 300 > \"$2\"; exit 1");
    const std::string path = directory + "/run.fst";
    EXPECT_THROW(write_something(path), configuration_error);
    EXPECT_FALSE(std::filesystem::exists(path));
    std::filesystem::remove_all(directory);
}

/// How truncate changes what vcd2fst has written.
class waveform_file_cut : public testing::TestWithParam<const char*> {};

TEST_P(waveform_file_cut, is_refused) {
    if (std::system("test -x /usr/bin/vcd2fst") != 0) {
        GTEST_SKIP() << "vcd2fst is missing: install gtkwave to run this test";
    }
    const std::string directory = file_name("cut_off");
    const std::string path = directory + "/run.fst";
    install_converter(directory,
                      std::string("/usr/bin/vcd2fst \"$1\" \"$2\" > /dev/null && truncate -s ") +
                          GetParam() + " \"$2\"");
    EXPECT_THROW(write_something(path), configuration_error);
    EXPECT_FALSE(std::filesystem::exists(path));
    std::filesystem::remove_all(directory);
}
// Less than whole blocks, the first block alone, part of the second, nothing, and zeros at the end.
INSTANTIATE_TEST_SUITE_P(of_the_disk, waveform_file_cut,
                         testing::Values("-1", "330", "335", "0", "+100"));

TEST(waveform_file, ctrl_c_does_not_reach_the_converter) {
    const std::string directory = file_name("converter");
    // It goes to the whole process group of the terminal.
    install_converter(directory, "ps -o pgid= -p $$ > \"${0%/*}/group\"; cat > /dev/null");
    EXPECT_THROW(write_something(directory + "/run.fst"), configuration_error) << "no FST file";
    const std::string group = read_file(directory + "/group");
    EXPECT_FALSE(group.empty());
    EXPECT_NE(std::stoi(group), getpgrp());
    std::filesystem::remove_all(directory);
}

TEST(waveform_file, gtkwave_tools_accept_it) {
    if (std::system("command -v vcd2fst >/dev/null && command -v fst2vcd >/dev/null") != 0) {
        GTEST_SKIP() << "vcd2fst is missing: install gtkwave to run this test";
    }
    const std::string path = file_name("gtkwave.vcd");
    clock_domain core("core", frequency::megahertz(1000));
    waveform sink(path);
    wave_bits mask = sink.declare_bits("gpu.smx_0.mask", 32);
    wave_state state = sink.declare_state("gpu.state", {"idle", "busy"});
    double rate = 0;
    sc_core::sc_trace(&sink, rate, "gpu.rate");
    wave_integer level = sink.declare_integer("level");
    wave_text kernel = sink.declare_text("gpu.kernel");
    driver part(core, 10, [&](std::uint64_t edge) {
        mask.set(edge * 3);
        state.set(edge & 1);
        kernel.set(edge < 5 ? "kernel_a" : "kernel_b");
        rate = static_cast<double>(edge) * 0.5;
        level.set(-static_cast<std::int64_t>(edge));
        sink.write_comment("edge $end " + std::to_string(edge));
    });
    sc_core::sc_start();
    sink.close();
    const std::string fst = path + ".fst";
    const std::string back = path + ".back";
    ASSERT_EQ(std::system(("vcd2fst " + path + " " + fst + " >/dev/null 2>&1").c_str()), 0);
    ASSERT_EQ(std::system(("fst2vcd " + fst + " > " + back + " 2>/dev/null").c_str()), 0);
    const std::string text = read_file(back);
    EXPECT_THAT(text, HasSubstr("mask"));
    EXPECT_THAT(text, HasSubstr("b00000000000000000000000000011011 "));  // 9 * 3
    EXPECT_THAT(text, HasSubstr("skernel_b "));
    EXPECT_THAT(text, HasSubstr("r4.5 "));
    EXPECT_THAT(text, HasSubstr("#9000"));
    for (const std::string& file : {path, fst, back}) {
        std::filesystem::remove(file);
    }
}

}  // namespace
}  // namespace heddle
