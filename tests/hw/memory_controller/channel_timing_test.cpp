// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/channel_timing.h"

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

namespace heddle {
namespace {

using protocol::dram_command;
using protocol::dram_timing;
constexpr dram_command ACT = dram_command::activate, RD = dram_command::read,
                       WR = dram_command::write, PRE = dram_command::precharge,
                       REF = dram_command::refresh;

struct step {
    dram_command what;
    std::uint32_t bank;
    std::uint64_t cycle;
};

/// After `before`, `then` is blocked at `earliest` - 1 and ready at `earliest`.
struct edge {
    const char* constraint;
    std::vector<step> before;
    dram_command what;
    std::uint32_t bank;
    std::uint64_t earliest;
};
std::ostream& operator<<(std::ostream& out, const edge& e) {
    return out << e.constraint;
}

/// 16 banks, 4 groups: banks 0 and 4 share a group, 0 and 1 don't. The values are all different,
/// and such that each constraint can be the last one.
dram_timing sheet() {
    dram_timing t;
    t.cl = 12, t.wl = 4, t.burst = 2;
    t.rcd = 13, t.rp = 11, t.ras = 29, t.rc = 45, t.rrd = 6, t.faw = 33;
    t.ccd = 2, t.ccdl = 5, t.wtr = 7, t.rtw = 15, t.rtp = 3, t.wr = 17;
    t.refi = 0, t.rfc = 60;
    return t;
}

class channel_timing_edges : public ::testing::TestWithParam<edge> {};

TEST_P(channel_timing_edges, blocked_one_clock_before_ready_at_the_clock) {
    const dram_timing t = sheet();
    channel_timing timing(t, 16, 4);
    const edge& e = GetParam();
    for (const step& each : e.before) {
        ASSERT_LE(timing.earliest(each.what, each.bank), each.cycle) << "the history is illegal";
        timing.issue(each.what, each.bank, 7, each.cycle);
    }
    const std::uint64_t earliest = timing.earliest(e.what, e.bank);
    EXPECT_GT(earliest, e.earliest - 1) << "ready too early";
    EXPECT_LE(earliest, e.earliest) << "blocked too long";
}

const edge edges[] = {
    // Table 5.1
    {"RRD", {{ACT, 0, 100}}, ACT, 1, 100 + 6},
    {"CCD_RD_RD", {{ACT, 0, 0}, {ACT, 1, 6}, {RD, 0, 100}}, RD, 1, 100 + 2},
    {"CCD_WR_WR", {{ACT, 0, 0}, {ACT, 1, 6}, {WR, 0, 100}}, WR, 1, 100 + 2},
    {"WTR", {{ACT, 0, 0}, {ACT, 1, 6}, {WR, 0, 100}}, RD, 1, 100 + 4 + 2 + 7},
    {"RTW", {{ACT, 0, 0}, {ACT, 1, 6}, {RD, 0, 100}}, WR, 1, 100 + 15},
    {"RCD_RD", {{ACT, 0, 100}}, RD, 0, 100 + 13},
    {"RCD_WR", {{ACT, 0, 100}}, WR, 0, 100 + 13},
    {"RAS", {{ACT, 0, 100}}, PRE, 0, 100 + 29},
    {"RP", {{ACT, 0, 0}, {PRE, 0, 100}}, ACT, 0, 100 + 11},
    {"RC", {{ACT, 0, 100}, {PRE, 0, 129}}, ACT, 0, 100 + 45},
    // what data sheets add
    {"CCDL_RD_RD", {{ACT, 0, 0}, {ACT, 4, 6}, {RD, 0, 100}}, RD, 4, 100 + 5},
    {"CCDL_WR_WR", {{ACT, 0, 0}, {ACT, 4, 6}, {WR, 0, 100}}, WR, 4, 100 + 5},
    {"CCDL_same_bank", {{ACT, 0, 0}, {RD, 0, 100}}, RD, 0, 100 + 5},
    {"RTP", {{ACT, 0, 0}, {RD, 0, 100}}, PRE, 0, 100 + 3},
    {"WR", {{ACT, 0, 0}, {WR, 0, 100}}, PRE, 0, 100 + 4 + 2 + 17},
    {"FAW", {{ACT, 0, 100}, {ACT, 1, 106}, {ACT, 2, 112}, {ACT, 3, 118}}, ACT, 4, 100 + 33},
    {"FAW_moves_on",
     {{ACT, 0, 100}, {ACT, 1, 106}, {ACT, 2, 112}, {ACT, 3, 118}, {ACT, 4, 133}},
     ACT,
     5,
     106 + 33},
    {"RP_REF", {{ACT, 3, 0}, {PRE, 3, 100}}, REF, 0, 100 + 11},
    {"RFC_ACT", {{REF, 0, 100}}, ACT, 9, 100 + 60},
    {"RFC_REF", {{REF, 0, 100}}, REF, 0, 100 + 60},
    {"one_command_a_clock", {{ACT, 0, 0}, {ACT, 1, 60}, {PRE, 1, 100}}, PRE, 0, 100 + 1},
    // what does not constrain
    {"RTP_other_bank_free", {{ACT, 0, 0}, {ACT, 1, 6}, {RD, 0, 100}}, PRE, 1, 100 + 1},
    {"RP_other_bank_free", {{ACT, 0, 0}, {PRE, 0, 100}}, ACT, 1, 100 + 1},
    {"WTR_counts_from_the_last_write",
     {{ACT, 0, 0}, {ACT, 1, 6}, {WR, 0, 100}, {WR, 1, 102}},
     RD,
     0,
     102 + 4 + 2 + 7},
};
INSTANTIATE_TEST_SUITE_P(all, channel_timing_edges, ::testing::ValuesIn(edges),
                         [](const auto& info) { return std::string(info.param.constraint); });

TEST(channel_timing, knows_the_open_rows) {
    const dram_timing t = sheet();
    channel_timing timing(t, 16, 4);
    EXPECT_EQ(timing.open_row(3), channel_timing::closed);
    timing.issue(ACT, 3, 77, 0);
    timing.issue(ACT, 9, 5, 6);
    EXPECT_EQ(timing.open_row(3), 77U);
    EXPECT_EQ(timing.open_banks(), (1U << 3) | (1U << 9));
    timing.issue(PRE, 3, 0, 50);
    EXPECT_EQ(timing.open_row(3), channel_timing::closed);
    EXPECT_EQ(timing.open_banks(), 1U << 9);
}

}  // namespace
}  // namespace heddle
