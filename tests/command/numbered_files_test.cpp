// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/device_server/numbered_files.h"

#include <gtest/gtest.h>

#include "tests/base/temporary_directory.h"

namespace heddle::command {
namespace {

TEST(files_of_several_devices, have_numbers) {
    EXPECT_EQ(numbered_file("a.b/stats.json", 1), "a.b/stats.json");
    EXPECT_EQ(numbered_file("a.b/stats.json", 2), "a.b/stats.2.json");
    EXPECT_EQ(numbered_file("w.vcd.gz", 10), "w.10.vcd.gz");
    EXPECT_EQ(numbered_file("pipe", 2), "pipe.2");
    EXPECT_EQ(numbered_file("", 2), "");
}

TEST(files_of_several_devices, have_a_number_each) {
    const temporary_directory files;
    const std::string folder = files / "";
    EXPECT_EQ(claim_number(folder), 1u);
    EXPECT_EQ(claim_number(folder), 2u);
    run_request request;
    request.statistics_file = "s.json";
    request.timed.traces.waveform_file = "w.fst";
    number_files(request, 2);
    EXPECT_EQ(request.statistics_file, "s.2.json");
    EXPECT_EQ(request.timed.traces.waveform_file, "w.2.fst");
    EXPECT_EQ(request.report_file, "");
}

}  // namespace
}  // namespace heddle::command
