// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fstream>
#include <iterator>
#include <set>

#include "tb/kit/paths.h"
#include "tests/hw/axi/rule_checker_fixture.h"

namespace heddle::axi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(rule_checker_test, legal_traffic_breaks_no_rule) {
    write(line(1, 0x1000), 7);
    read(line(1, 0x1000), 7);
    // two writes under way, answered in the other order; two reads with their beats mixed
    aw(line(2, 0x2000, 1));
    aw(line(3, 0x3000, 1));
    w(true), w(true);
    b(3), b(2);
    ar(line(4, 0x4000, 2));
    ar(line(5, 0x5000, 2));
    r(5, false), r(4, false), r(4, true), r(5, true);
    // data before their address; stalls on all channels
    w(false), w(true);
    aw(line(0, 0x6ff0 - 0x10, 2));
    b(0, response::slverr);
    manager_.ar_valid = true;
    manager_.ar = line(6, 0x7000, 1);
    clock(), clock();
    ar(line(6, 0x7000, 1));
    r(6, true, 0, response::decerr);
    checker_.finish();
    EXPECT_THAT(found_, IsEmpty());
    EXPECT_EQ(checker_.answered(), 8U);
}

TEST_F(rule_checker_test, valid_dropped) {
    manager_.ar_valid = true;
    manager_.ar = line(1, 0x1000);
    clock();
    manager_.ar_valid = false;
    clock();
    EXPECT_THAT(found_, ElementsAre(rule::valid_dropped));
    EXPECT_EQ(texts_[0],
              "clock 1: ARVALID falls without READY; valid_dropped: VALID stays high until READY");
}

/// On each of the channels.
TEST_F(rule_checker_test, valid_dropped_everywhere) {
    write(line(0, 0x1000, 1));
    aw(line(1, 0x2000, 1));
    w(true);
    ar(line(2, 0x3000, 1));
    manager_.aw_valid = manager_.w_valid = manager_.ar_valid = true;
    subordinate_.b_valid = subordinate_.r_valid = true;
    manager_.aw = manager_.ar = line(3, 0x4000, 1);
    subordinate_.b.id = 1;
    subordinate_.r.id = 2;
    subordinate_.r.last = true;
    subordinate_.r.data = all(1);
    clock();
    EXPECT_THAT(found_, IsEmpty());
    quiet();
    clock();
    EXPECT_EQ(found_, std::vector<rule>(5, rule::valid_dropped));
    EXPECT_THAT(texts_, testing::UnorderedElementsAre(HasSubstr("AWVALID"), HasSubstr(" WVALID"),
                                                      HasSubstr("ARVALID"), HasSubstr(" BVALID"),
                                                      HasSubstr(" RVALID")));
}

TEST_F(rule_checker_test, payload_changed) {
    manager_.aw_valid = manager_.w_valid = manager_.ar_valid = true;
    clock();
    manager_.aw.length = 1;
    manager_.w.data[3] = 1;
    manager_.ar.address = 0x10;
    clock();
    EXPECT_EQ(found_, std::vector<rule>(3, rule::payload_changed));
}

TEST_F(rule_checker_test, payload_of_a_response_changed) {
    aw(line(1, 0x2000, 1));
    aw(line(2, 0x2100, 1));
    w(true), w(true);
    ar(line(3, 0x3000, 2));
    subordinate_.b_valid = subordinate_.r_valid = true;
    subordinate_.b.id = 1;
    subordinate_.r.id = 3;
    clock();
    subordinate_.b.id = 2;
    subordinate_.r.data[15] = 1;
    clock();
    EXPECT_EQ(found_, std::vector<rule>(2, rule::payload_changed));
}

TEST_F(rule_checker_test, valid_in_reset) {
    manager_.aw_valid = manager_.w_valid = manager_.ar_valid = true;
    subordinate_.b_valid = subordinate_.r_valid = true;
    checker_.reset_clock(manager_, subordinate_);
    EXPECT_EQ(found_, std::vector<rule>(5, rule::valid_in_reset));
}

TEST_F(rule_checker_test, reset_ends_what_was_under_way) {
    ar(line(1, 0x1000));
    manager_.ar_valid = true;
    clock();
    quiet();
    checker_.reset_clock(manager_, subordinate_);
    clock();
    checker_.finish();
    EXPECT_THAT(found_, IsEmpty());
}

TEST_F(rule_checker_test, long_wait) {
    manager_.w_valid = true;
    for (unsigned i = 0; i < 5; ++i) clock();
    EXPECT_THAT(found_, IsEmpty());
    clock();
    EXPECT_THAT(found_, ElementsAre(rule::long_wait));
    clock();
    EXPECT_EQ(found_.size(), 1U) << "it is told once";
}

TEST_F(rule_checker_test, addresses) {
    const auto after = [&](const address_beat& a) {
        found_.clear();
        ar(a);
        checker_.reset_clock({}, {});
        const std::vector<rule> on_ar = found_;
        found_.clear();
        aw(a);
        checker_.reset_clock({}, {});
        EXPECT_EQ(found_, on_ar);
        return on_ar;
    };
    address_beat a = line(1, 0x1000);
    a.burst = burst_type::reserved;
    EXPECT_THAT(after(a), ElementsAre(rule::reserved_burst));
    a = line(1, 0x1000);
    a.size = 5;
    EXPECT_THAT(after(a), ElementsAre(rule::size_too_wide));
    EXPECT_THAT(after(line(1, 0x1fd0, 3)), IsEmpty());
    EXPECT_THAT(after(line(1, 0x1fd0, 4)), ElementsAre(rule::crosses_4k));
    a = line(1, 0x1000, 16);
    a.burst = burst_type::fixed;
    EXPECT_THAT(after(a), IsEmpty());
    a.length = 16;
    EXPECT_THAT(after(a), ElementsAre(rule::fixed_too_long));
    a.burst = burst_type::wrap;
    EXPECT_THAT(after(a), ElementsAre(rule::wrap_length));
    a.length = 7;
    EXPECT_THAT(after(a), IsEmpty());
    a.address = 0x1008;
    EXPECT_THAT(after(a), ElementsAre(rule::wrap_unaligned));
    EXPECT_THAT(after(line(7, 0x1000)), IsEmpty());
    EXPECT_THAT(after(line(8, 0x1000)), ElementsAre(rule::unknown_id));
}

TEST_F(rule_checker_test, wlast_early) {
    aw(line(1, 0x1000));
    w(false), w(false), w(true);
    EXPECT_THAT(found_, ElementsAre(rule::wlast_early));
}

TEST_F(rule_checker_test, wlast_missing) {
    aw(line(1, 0x1000));
    w(false), w(false), w(false);
    EXPECT_THAT(found_, IsEmpty());
    w(false);
    EXPECT_THAT(found_, ElementsAre(rule::wlast_missing));
}

TEST_F(rule_checker_test, wlast_of_data_that_come_before_their_address) {
    w(true);
    EXPECT_THAT(found_, IsEmpty());
    aw(line(1, 0x1000));
    EXPECT_THAT(found_, ElementsAre(rule::wlast_early));
}

TEST_F(rule_checker_test, strobe_outside_beat) {
    aw(line(1, 0x1004, 2));
    w(false, 1, 0xfff0);
    EXPECT_THAT(found_, IsEmpty());
    w(true, 1, 0xffff);
    EXPECT_THAT(found_, IsEmpty());
    aw(line(1, 0x1004, 1));
    w(true, 1, 0xfff8);
    EXPECT_THAT(found_, ElementsAre(rule::strobe_outside_beat));
}

TEST_F(rule_checker_test, b_without_write) {
    aw(line(1, 0x1000, 1));
    w(true);
    b(2);
    EXPECT_THAT(found_, ElementsAre(rule::b_without_write));
    b(1);
    b(1);
    EXPECT_THAT(found_, ElementsAre(rule::b_without_write, rule::b_without_write));
}

TEST_F(rule_checker_test, b_before_aw) {
    w(true);
    manager_.aw_valid = true;
    manager_.aw = line(1, 0x1000, 1);
    subordinate_.b_valid = true;
    subordinate_.b.id = 1;
    clock();
    EXPECT_THAT(found_, ElementsAre(rule::b_before_aw));
}

TEST_F(rule_checker_test, b_before_last_w) {
    aw(line(1, 0x1000, 2));
    w(false);
    // BVALID in the clock of the last beat is too early, even if it waits
    manager_.w_valid = subordinate_.w_ready = true;
    manager_.w = {all(1), 0xffff, true};
    subordinate_.b_valid = true;
    subordinate_.b.id = 1;
    clock();
    EXPECT_THAT(found_, ElementsAre(rule::b_before_last_w));
}

TEST_F(rule_checker_test, exokay_without_lock) {
    aw(line(1, 0x1000, 1));
    w(true);
    b(1, response::exokay);
    ar(line(1, 0x1000, 1));
    r(1, true, 1, response::exokay);
    EXPECT_EQ(found_, std::vector<rule>(2, rule::exokay_without_lock));
}

TEST_F(rule_checker_test, r_without_read) {
    ar(line(1, 0x1000, 1));
    r(2, true);
    EXPECT_THAT(found_, ElementsAre(rule::r_without_read));
    r(1, true), r(1, true);
    EXPECT_EQ(found_, std::vector<rule>(2, rule::r_without_read));
}

TEST_F(rule_checker_test, rlast_early_and_missing) {
    ar(line(1, 0x1000, 2));
    r(1, true);
    EXPECT_THAT(found_, ElementsAre(rule::rlast_early));
    ar(line(1, 0x1000, 2));
    r(1, false), r(1, false);
    EXPECT_THAT(found_, ElementsAre(rule::rlast_early, rule::rlast_missing));
}

TEST_F(rule_checker_test, never_answered) {
    ar(line(1, 0x1000));
    aw(line(2, 0x2000));
    checker_.finish();
    EXPECT_EQ(found_, std::vector<rule>(2, rule::never_answered));
}

TEST(rules, have_names_of_their_own) {
    std::set<std::string> names;
    for (const rule_description& each : rules) names.insert(each.name);
    EXPECT_EQ(names.size(), rule_count);
}

TEST(rules, are_on_the_page) {
    std::ifstream stream(source_path("docs/axi.md"));
    const std::string page{std::istreambuf_iterator<char>(stream), {}};
    for (const rule_description& each : rules) {
        EXPECT_THAT(page, HasSubstr(std::string("| `") + each.name + "` | " + each.text + " |"));
    }
}

}  // namespace
}  // namespace heddle::axi
