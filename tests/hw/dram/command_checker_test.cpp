// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/command_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

namespace heddle {
namespace {

using protocol::dram_command;
using protocol::dram_command_record;
using protocol::dram_timing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
constexpr dram_command ACT = dram_command::activate, RD = dram_command::read,
                       WR = dram_command::write, PRE = dram_command::precharge,
                       REF = dram_command::refresh;

dram_timing sheet() {
    dram_timing t;
    t.cl = 12, t.wl = 4, t.burst = 2;
    t.rcd = 13, t.rp = 11, t.ras = 29, t.rc = 45, t.rrd = 6, t.faw = 33;
    t.ccd = 2, t.ccdl = 5, t.wtr = 7, t.rtw = 15, t.rtp = 3, t.wr = 17;
    t.refi = 0, t.rfc = 60;
    return t;
}

/// What a checker of 16 banks in 4 groups finds in a sequence.
std::vector<std::string> found(const std::vector<dram_command_record>& commands,
                               const dram_timing& timing = sheet()) {
    std::vector<std::string> ids;
    command_checker checker("channel", timing, 16, 4,
                            [&](const char* id, const std::string&) { ids.emplace_back(id); });
    for (const dram_command_record& each : commands) checker.command(each);
    EXPECT_EQ(checker.violations(), ids.size());
    EXPECT_EQ(checker.commands(), commands.size());
    return ids;
}

/// A sequence that is legal if its last command comes at `earliest`, and breaks `rule` a clock
/// before.
struct injection {
    const char* name;
    const char* rule;
    std::vector<dram_command_record> before;
    dram_command_record last;
    std::uint64_t earliest;
};
std::ostream& operator<<(std::ostream& out, const injection& i) {
    return out << i.name;
}

class command_checker_rules : public ::testing::TestWithParam<injection> {};

TEST_P(command_checker_rules, fires_a_clock_early_and_is_silent_at_the_clock) {
    const injection& i = GetParam();
    std::vector<dram_command_record> commands = i.before;
    commands.push_back(i.last);
    commands.back().cycle = i.earliest;
    EXPECT_THAT(found(commands), IsEmpty());
    commands.back().cycle = i.earliest - 1;
    EXPECT_THAT(found(commands), ElementsAre(std::string("heddle/dram/") + i.rule));
}

const injection injections[] = {
    {"RRD", "RRD", {{100, ACT, 0, 1, 0}}, {0, ACT, 1, 1, 0}, 106},
    {"RC", "RC", {{100, ACT, 0, 1, 0}, {129, PRE, 0, 0, 0}}, {0, ACT, 0, 2, 0}, 145},
    {"RCD_RD", "RCD", {{100, ACT, 0, 1, 0}}, {0, RD, 0, 1, 0}, 113},
    {"RCD_WR", "RCD", {{100, ACT, 0, 1, 0}}, {0, WR, 0, 1, 0}, 113},
    {"RAS", "RAS", {{100, ACT, 0, 1, 0}}, {0, PRE, 0, 0, 0}, 129},
    {"RP", "RP", {{0, ACT, 0, 1, 0}, {100, PRE, 0, 0, 0}}, {0, ACT, 0, 2, 0}, 111},
    {"RP_REF", "RP", {{0, ACT, 5, 1, 0}, {100, PRE, 5, 0, 0}}, {0, REF, 0, 0, 0}, 111},
    {"CCDL",
     "CCDL",
     {{0, ACT, 0, 1, 0}, {6, ACT, 4, 1, 0}, {100, RD, 0, 1, 0}},
     {0, RD, 4, 1, 0},
     105},
    {"CCDL_WR",
     "CCDL",
     {{0, ACT, 0, 1, 0}, {6, ACT, 4, 1, 0}, {100, WR, 0, 1, 0}},
     {0, WR, 4, 1, 0},
     105},
    {"WTR",
     "WTR",
     {{0, ACT, 0, 1, 0}, {6, ACT, 1, 1, 0}, {100, WR, 0, 1, 0}},
     {0, RD, 1, 1, 0},
     113},
    {"RTW",
     "RTW",
     {{0, ACT, 0, 1, 0}, {6, ACT, 1, 1, 0}, {100, RD, 0, 1, 0}},
     {0, WR, 1, 1, 0},
     115},
    {"RTP", "RTP", {{0, ACT, 0, 1, 0}, {100, RD, 0, 1, 0}}, {0, PRE, 0, 0, 0}, 103},
    {"WR", "WR", {{0, ACT, 0, 1, 0}, {100, WR, 0, 1, 0}}, {0, PRE, 0, 0, 0}, 123},
    {"FAW",
     "FAW",
     {{100, ACT, 0, 1, 0}, {106, ACT, 1, 1, 0}, {112, ACT, 2, 1, 0}, {118, ACT, 3, 1, 0}},
     {0, ACT, 4, 1, 0},
     133},
    {"RFC_ACT", "RFC", {{100, REF, 0, 0, 0}}, {0, ACT, 2, 1, 0}, 160},
    {"RFC_REF", "RFC", {{100, REF, 0, 0, 0}}, {0, REF, 0, 0, 0}, 160},
    {"bus",
     "bus",
     {{0, ACT, 0, 1, 0}, {6, ACT, 1, 1, 0}, {100, PRE, 0, 0, 0}},
     {0, PRE, 1, 0, 0},
     101},
};
INSTANTIATE_TEST_SUITE_P(all, command_checker_rules, ::testing::ValuesIn(injections),
                         [](const auto& info) { return std::string(info.param.name); });

/// CCD is hidden behind the data bus unless it is longer than a burst.
TEST(command_checker, ccd_and_overlapping_data_are_two_rules) {
    dram_timing t = sheet();
    t.ccd = 4;
    std::vector<dram_command_record> commands{
        {0, ACT, 0, 1, 0}, {6, ACT, 1, 1, 0}, {100, RD, 0, 1, 0}, {104, RD, 1, 1, 0}};
    EXPECT_THAT(found(commands, t), IsEmpty());
    commands.back().cycle = 103;
    EXPECT_THAT(found(commands, t), ElementsAre("heddle/dram/CCD"));
    commands.back().cycle = 101;
    EXPECT_THAT(found(commands, t), ElementsAre("heddle/dram/CCD", "heddle/dram/data"));
    t.rtw = 9;  // an illegal sheet: write data would meet read data
    EXPECT_THAT(
        found({{0, ACT, 0, 1, 0}, {6, ACT, 1, 1, 0}, {100, RD, 0, 1, 0}, {109, WR, 1, 1, 0}}, t),
        ElementsAre("heddle/dram/data"));
    EXPECT_THAT(
        found({{0, ACT, 0, 1, 0}, {6, ACT, 1, 1, 0}, {100, RD, 0, 1, 0}, {110, WR, 1, 1, 0}}, t),
        IsEmpty());
}

TEST(command_checker, knows_the_state_of_the_banks) {
    const char* const state = "heddle/dram/state";
    EXPECT_THAT(found({{100, ACT, 0, 1, 0}, {200, ACT, 0, 2, 0}}), ElementsAre(state));
    EXPECT_THAT(found({{100, RD, 0, 1, 0}}), ElementsAre(state));
    EXPECT_THAT(found({{100, WR, 3, 1, 0}}), ElementsAre(state));
    EXPECT_THAT(found({{100, PRE, 0, 0, 0}}), ElementsAre(state));
    EXPECT_THAT(found({{100, ACT, 0, 1, 0}, {200, RD, 0, 2, 0}}), ElementsAre(state));
    EXPECT_THAT(found({{100, ACT, 0, 1, 0}, {200, REF, 0, 0, 0}}), ElementsAre(state));
    EXPECT_THAT(found({{100, ACT, 0, 1, 0}, {200, RD, 0, 1, 0}, {300, PRE, 0, 0, 0}}), IsEmpty());
}

TEST(command_checker, misses_a_refresh_after_nine_intervals) {
    dram_timing t = sheet();
    t.refi = 1000;
    EXPECT_THAT(found({{9000, ACT, 0, 1, 0}}, t), IsEmpty());
    EXPECT_THAT(found({{9001, ACT, 0, 1, 0}}, t), ElementsAre("heddle/dram/REFI"));
    EXPECT_THAT(found({{5000, REF, 0, 0, 0}, {14000, ACT, 0, 1, 0}}, t), IsEmpty());
}

TEST(command_checker, says_who_what_when_and_what_would_be_legal) {
    std::string text;
    command_checker checker("gpu.memory_controller_2", sheet(), 16, 4,
                            [&](const char*, const std::string& what) { text = what; });
    checker.command({100, ACT, 6, 3, 0});
    checker.command({110, RD, 6, 3, 2});
    EXPECT_EQ(text,
              "gpu.memory_controller_2: RD to bank 6 at clock 110: ACT came at clock 100; legal: "
              "from clock 113");
}

}  // namespace
}  // namespace heddle
