// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/memory_controller/memory_channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "hw/dram/command_checker.h"
#include "hw/memory_controller/request_schedulers.h"
#include "models/base/random.h"

namespace heddle {
namespace {

using protocol::dram_command;

struct rig {
    explicit rig(const memory_controller_configuration& c)
        : configuration(c),
          channel(configuration, make_request_scheduler(configuration)),
          checker("channel", configuration.timing, configuration.banks(), configuration.bank_groups,
                  [this](const char*, const std::string& text) { violations.push_back(text); }) {}

    /// At every clock from the present one to `end`, or only where something is due.
    void run(std::uint64_t end, bool every_clock = false) {
        while (now < end) {
            if (const memory_channel::issue* const issued = channel.advance(now)) {
                checker.command(issued->command);
                log.push_back(std::string(protocol::dram_command_names[static_cast<std::size_t>(
                                  issued->command.what)]) +
                              std::to_string(issued->command.bank) + "@" + std::to_string(now));
                if (issued->column) {
                    served.push_back(issued->request.owner);
                    dispatched.push_back(issued->dispatched);
                }
            }
            now = every_clock ? now + 1 : std::min(end, std::max(now + 1, channel.next()));
        }
    }
    void add(std::uint32_t owner, std::uint32_t bank, std::uint64_t row, std::uint32_t column = 0,
             bool write = false) {
        channel.insert({owner, bank, column, row, now, write});
    }

    const memory_controller_configuration configuration;
    memory_channel channel;
    std::vector<std::string> violations, log;
    command_checker checker;
    std::vector<std::uint32_t> served;
    std::vector<std::uint64_t> dispatched;  ///< clocks at which banks took what they served
    std::uint64_t now = 0;
};

memory_controller_configuration small() {
    memory_controller_configuration c;  // 16 banks in 4 groups
    c.queue = 16;
    c.write_high_watermark = 8;
    c.write_low_watermark = 4;
    c.timing.cl = 12, c.timing.wl = 4, c.timing.rcd = 12, c.timing.rp = 12, c.timing.ras = 28;
    c.timing.rc = 40, c.timing.rrd = 6, c.timing.ccdl = 3, c.timing.wtr = 5, c.timing.rtw = 12;
    c.timing.wr = 12, c.timing.rtp = 2;
    return c;
}

TEST(memory_channel, closed_bank_hit_and_conflict_issue_what_they_need) {
    rig r(small());
    r.add(1, 3, 7);
    r.run(100);
    r.add(2, 3, 7, 1);
    r.run(200);
    r.add(3, 3, 8);
    r.run(300);
    EXPECT_EQ(r.log, (std::vector<std::string>{"ACT3@0", "RD3@12", "RD3@100", "PRE3@200",
                                               "ACT3@212", "RD3@224"}));
    EXPECT_EQ(r.channel.counts().row_misses, 1U);
    EXPECT_EQ(r.channel.counts().row_hits, 1U);
    EXPECT_EQ(r.channel.counts().row_conflicts, 1U);
    EXPECT_EQ(r.channel.next(), memory_channel::never) << "an idle channel has nothing to do";
}

TEST(memory_channel, the_command_unit_walks_the_banks_in_turn) {
    rig r(small());
    for (std::uint32_t bank : {2U, 1U, 0U}) r.add(bank, bank, 1);
    r.run(200);
    EXPECT_EQ(r.log, (std::vector<std::string>{"ACT0@0", "ACT1@6", "ACT2@12", "RD0@13", "RD1@18",
                                               "RD2@24"}))
        << "RD0 is ready at 12 too, but it is bank 2's turn";
}

TEST(memory_channel, banks_of_a_group_with_hits_take_turns) {
    rig r(small());
    r.add(1, 0, 1);
    r.add(2, 4, 1);
    r.run(100);
    for (const std::uint32_t owner : {3U, 4U}) r.add(owner, 0, 1, owner);
    for (const std::uint32_t owner : {5U, 6U}) r.add(owner, 4, 1, owner);
    r.run(200);
    EXPECT_EQ(r.served, (std::vector<std::uint32_t>{1, 2, 3, 5, 4, 6}));
}

TEST(memory_channel, a_row_stays_open_while_somebody_wants_it) {
    rig r(small());
    r.add(1, 0, 5);
    r.run(13);
    r.add(2, 0, 9);  // dispatched; its PRE is legal from 28 on
    r.run(20);
    r.add(3, 0, 5, 1);
    r.run(200);
    EXPECT_EQ(r.served, (std::vector<std::uint32_t>{1, 3, 2}));
}

/// The same, but the request that waits for the other row is too old to be sent back.
TEST(memory_channel, a_row_is_closed_for_a_request_over_the_age_limit) {
    memory_controller_configuration c = small();
    c.age_limit = 10;
    rig r(c);
    r.add(1, 0, 5);
    r.run(13);
    r.add(2, 0, 9);
    r.run(25);
    r.add(3, 0, 5, 1);
    r.run(200);
    EXPECT_EQ(r.served, (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(r.dispatched[1], 13U) << "its bank has kept it";
}

TEST(memory_channel, writes_wait_for_their_turn) {
    rig r(small());
    r.add(100, 0, 1, 0, true);
    r.add(1, 1, 1);
    r.run(5);
    EXPECT_EQ(r.log.front(), "ACT1@0") << "the read goes first";
    r.run(300);
    EXPECT_EQ(r.served, (std::vector<std::uint32_t>{1, 100}));
    EXPECT_EQ(r.channel.counts().turnarounds, 1U);
    r.add(2, 1, 1);
    r.run(400);
    EXPECT_EQ(r.served.back(), 2U);
    EXPECT_EQ(r.channel.counts().turnarounds, 1U) << "from reads to writes only";
}

TEST(memory_channel, a_read_sees_the_write_before_it) {
    for (const dram_scheduler policy : request_schedulers::all()) {
        memory_controller_configuration c = small();
        c.scheduler = policy;
        rig r(c);
        r.add(1, 4, 2, 9, true);
        r.add(2, 4, 2, 9, false);
        r.add(3, 4, 2, 9, true);
        r.run(500);
        EXPECT_EQ(r.served, (std::vector<std::uint32_t>{1, 2, 3}));
    }
}

TEST(memory_channel, held_issues_no_column_access_until_released) {
    rig r(small());
    r.channel.hold(true);
    r.add(1, 0, 1);
    r.run(100);
    EXPECT_EQ(r.log, (std::vector<std::string>{"ACT0@0"}));
    r.channel.hold(false);
    r.run(200);
    EXPECT_EQ(r.log.back(), "RD0@100");
}

TEST(memory_channel, refreshes_idle_and_busy_banks_in_time) {
    memory_controller_configuration c = small();
    c.timing.refi = 500;
    c.timing.rfc = 90;
    rig r(c);
    r.run(501);
    EXPECT_EQ(r.log, (std::vector<std::string>{"REF0@500"}));
    r.add(1, 0, 1);
    r.run(990);
    EXPECT_EQ(r.log[1], "ACT0@590") << "RFC after the refresh";
    r.add(2, 0, 1, 1);
    r.run(998);
    r.now = 998;
    r.add(3, 1, 1);
    r.run(1520);
    const std::vector<std::string> rest(r.log.begin() + 4, r.log.end());
    EXPECT_EQ(rest, (std::vector<std::string>{"ACT1@998", "PRE0@1000", "PRE1@1026", "REF0@1038",
                                              "ACT1@1128", "RD1@1140", "PRE1@1500", "REF0@1512"}))
        << "the third refresh is due at 1500, although the second one was late";
    EXPECT_TRUE(r.violations.empty()) << r.violations.front();
    EXPECT_EQ(r.channel.counts().refreshes, 3U);
}

/// Endless hits to one row against one conflict, and endless reads against one write.
TEST(memory_channel, nobody_starves_beyond_the_age_limit) {
    for (const bool write : {false, true}) {
        memory_controller_configuration c = small();
        c.age_limit = 400;
        rig r(c);
        r.add(1, 0, 5);
        r.add(999, write ? 3 : 0, 9, 0, write);
        std::uint32_t next = 2;
        while (r.now < 5000) {
            for (; !r.channel.queue().full(); ++next) r.add(next, 0, 5, next % 64);
            r.run(r.now + 1);
        }
        const auto at = std::find(r.served.begin(), r.served.end(), 999U);
        ASSERT_NE(at, r.served.end());
        const auto before = static_cast<std::uint64_t>(at - r.served.begin());
        EXPECT_GT(before, 400U / 3 - 20) << "hits go first until then";
        EXPECT_LT(before, (400U + 100) / 3);
    }
}

struct mix {
    const char* name;
    dram_scheduler scheduler;
    double writes, hits;
    std::uint32_t faw, refi;
};

std::ostream& operator<<(std::ostream& out, const mix& m) {
    return out << m.name;
}

class memory_channel_random : public ::testing::TestWithParam<mix> {};

/// Every command of random traffic keeps the data sheet by the independent checker's account, and
/// being asked at every clock or only when something is due makes no difference.
TEST_P(memory_channel_random, keeps_every_constraint_and_needs_no_idle_clock) {
    const mix& m = GetParam();
    memory_controller_configuration c = small();
    c.scheduler = m.scheduler;
    c.timing.faw = m.faw;
    c.timing.refi = m.refi;
    c.timing.rfc = 60;
    c.age_limit = 2000;
    rig lazy(c), eager(c);
    random_stream random(5, m.name);
    std::uint32_t owner = 0;
    for (unsigned step = 0; step < 20'000; ++step) {
        const std::uint64_t until = lazy.now + 1 + random.below(12);
        lazy.run(until);
        eager.run(until, true);
        const bool hold = random.chance(0.1);
        lazy.channel.hold(hold);
        eager.channel.hold(hold);
        if (lazy.channel.queue().full()) continue;
        const auto bank = static_cast<std::uint32_t>(random.below(16));
        const std::uint64_t row = random.chance(m.hits) ? 1 : random.below(5);
        const auto column = static_cast<std::uint32_t>(random.below(4));
        const bool write = random.chance(m.writes);
        lazy.add(owner, bank, row, column, write);
        eager.add(owner++, bank, row, column, write);
    }
    lazy.channel.hold(false);
    eager.channel.hold(false);
    lazy.run(lazy.now + 20'000);
    eager.run(eager.now + 20'000, true);
    EXPECT_TRUE(lazy.violations.empty()) << lazy.violations.front();
    EXPECT_GT(lazy.log.size(), 20'000U);
    EXPECT_EQ(lazy.log, eager.log);
    EXPECT_EQ(lazy.served, eager.served);
    EXPECT_EQ(lazy.served.size(), owner) << "accesses were lost";
}

/// A plan that is kept, although requests have come, is the one that would be made anew. A hold
/// that is taken back at once has a plan made, and changes nothing else but ages, which are without
/// limit here.
TEST_P(memory_channel_random, keeps_the_plan_that_it_would_make) {
    const mix& m = GetParam();
    memory_controller_configuration c = small();
    c.scheduler = m.scheduler;
    c.timing.faw = m.faw;
    c.timing.refi = m.refi;
    c.timing.rfc = 60;
    c.age_limit = 10'000'000;
    rig keeps(c), makes(c);
    random_stream random(6, m.name);
    bool held = false;
    for (std::uint32_t owner = 0; keeps.now < 50'000;) {
        const std::uint64_t until = keeps.now + 1 + random.below(6);
        keeps.run(until);
        while (makes.now < until) {
            makes.channel.hold(!held);
            makes.channel.hold(held);
            makes.run(makes.now + 1);
        }
        held = random.chance(0.1);
        keeps.channel.hold(held);
        makes.channel.hold(held);
        if (keeps.channel.queue().full()) continue;
        const auto bank = static_cast<std::uint32_t>(random.below(16));
        const std::uint64_t row = random.chance(m.hits) ? 1 : random.below(5);
        const auto column = static_cast<std::uint32_t>(random.below(4));
        const bool write = random.chance(m.writes);
        keeps.add(owner, bank, row, column, write);
        makes.add(owner++, bank, row, column, write);
    }
    EXPECT_EQ(keeps.log, makes.log);
    EXPECT_EQ(keeps.served, makes.served);
    EXPECT_GT(keeps.served.size(), 5'000U);
}

const mix mixes[] = {
    {"reads", request_schedulers::key<fr_fcfs_scheduler>, 0, 0.3, 0, 0},
    {"mixed", request_schedulers::key<fr_fcfs_scheduler>, 0.4, 0.3, 0, 0},
    {"writes_with_window", request_schedulers::key<fr_fcfs_scheduler>, 0.9, 0.1, 40, 0},
    {"mixed_with_refresh", request_schedulers::key<fr_fcfs_scheduler>, 0.3, 0.8, 30, 900},
    {"fifo", request_schedulers::key<fifo_scheduler>, 0.4, 0.3, 0, 0},
    {"fifo_with_refresh", request_schedulers::key<fifo_scheduler>, 0.2, 0.5, 33, 700},
};
INSTANTIATE_TEST_SUITE_P(all, memory_channel_random, ::testing::ValuesIn(mixes),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle
