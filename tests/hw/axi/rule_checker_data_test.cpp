// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What rule_checker knows of the bytes.
#include "tests/hw/axi/rule_checker_fixture.h"

namespace heddle::axi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(rule_checker_test, same_id_order) {
    write(line(1, 0x1000, 1), 5);
    write(line(1, 0x2000, 1), 6);
    ar(line(3, 0x1000, 1));
    ar(line(3, 0x2000, 1));
    r(3, true, 6);
    EXPECT_THAT(found_, ElementsAre(rule::same_id_order));
    EXPECT_THAT(texts_[0], HasSubstr("has the bytes of 0x2000, and not of the older read"));
}

TEST_F(rule_checker_test, reads_of_other_ids_may_pass) {
    write(line(1, 0x1000, 1), 5);
    write(line(1, 0x2000, 1), 6);
    ar(line(3, 0x1000, 1));
    ar(line(4, 0x2000, 1));
    r(4, true, 6), r(3, true, 5);
    EXPECT_THAT(found_, IsEmpty());
}

TEST_F(rule_checker_test, rlast_of_a_younger_read_is_told) {
    ar(line(3, 0x1000, 2));
    ar(line(3, 0x2000, 1));
    r(3, true, 0);
    EXPECT_THAT(found_, ElementsAre(rule::rlast_early));
    EXPECT_THAT(texts_[0], HasSubstr("(as of the younger read of ID 3, address 0x2000, 1 beats"));
    ar(line(4, 0x1000, 1));
    ar(line(5, 0x2000, 2));
    r(4, false, 0);
    EXPECT_THAT(found_, ElementsAre(rule::rlast_early, rule::rlast_missing));
    EXPECT_THAT(texts_[1], testing::Not(HasSubstr("younger"))) << "that is of another ID";
}

TEST_F(rule_checker_test, answers_in_another_order_are_counted) {
    const auto counts = [&] {
        return std::vector<std::uint64_t>{checker_.answered(), checker_.orders().before_younger,
                                          checker_.orders().before_older};
    };
    ar(line(3, 0x1000, 1)), ar(line(4, 0x2000, 1)), ar(line(3, 0x3000, 1));
    r(3, true, 0);
    EXPECT_THAT(counts(), ElementsAre(1, 1, 0));
    r(3, true, 0);
    EXPECT_THAT(counts(), ElementsAre(2, 1, 1));
    r(4, true, 0);
    EXPECT_THAT(counts(), ElementsAre(3, 1, 1));
    aw(line(1, 0x1000, 1)), w(true, 5), aw(line(2, 0x2000, 1)), w(true, 5);
    ar(line(2, 0x4000, 1));
    b(2);
    EXPECT_THAT(counts(), ElementsAre(4, 1, 2)) << "a read is not compared with a write";
    b(1), r(2, true, 0);
    EXPECT_THAT(counts(), ElementsAre(6, 1, 2));
    ar(line(5, 0x1000, 1)), ar(line(6, 0x2000, 1));
    r(5, true, 5), r(6, true, 5);
    EXPECT_THAT(counts(), ElementsAre(8, 1, 2)) << "the younger one is of another ID";
    EXPECT_THAT(found_, IsEmpty());
}

TEST_F(rule_checker_test, read_data) {
    write(line(1, 0x1000), 5);
    ar(line(1, 0x1000));
    r(1, false, 5), r(1, false, 4);
    EXPECT_THAT(found_, ElementsAre(rule::read_data));
}

TEST_F(rule_checker_test, what_was_read_stays) {
    read(line(1, 0x1000, 1), 5);
    read(line(2, 0x1000, 1), 4);
    EXPECT_THAT(found_, ElementsAre(rule::read_data));
}

TEST_F(rule_checker_test, a_byte_without_strobe_is_not_written) {
    write(line(1, 0x1000, 1), 5);
    aw(line(1, 0x1000, 1));
    w(true, 6, 0x00ff);
    b(1);
    read(line(1, 0x1000, 1), 6);
    EXPECT_THAT(found_, ElementsAre(rule::read_data));
    read(line(1, 0x1000, 1), 5);
    EXPECT_EQ(found_.size(), 2U) << "the other half";
}

TEST_F(rule_checker_test, a_read_beside_a_write_may_return_old_or_new_bytes) {
    write(line(1, 0x1000, 1), 5);
    ar(line(3, 0x1000, 1));
    aw(line(1, 0x1000, 1));
    w(true, 6);
    b(1);
    r(3, true, 5);
    read(line(3, 0x1000, 1), 6);
    aw(line(1, 0x1000, 1));
    ar(line(3, 0x1000, 1));
    r(3, true, 9);
    EXPECT_THAT(found_, IsEmpty());
}

TEST_F(rule_checker_test, two_writes_at_once_and_errors_leave_bytes_unknown) {
    aw(line(1, 0x1000, 1));
    aw(line(2, 0x1000, 1));
    w(true, 5), w(true, 6);
    b(2), b(1);
    read(line(3, 0x1000, 1), 6);
    aw(line(1, 0x2000, 1));
    w(true, 5);
    b(1, response::slverr);
    read(line(3, 0x2000, 1), 4);
    EXPECT_THAT(found_, IsEmpty());
}

TEST_F(rule_checker_test, what_others_change_is_forgotten) {
    write(line(1, 0x1000, 1), 5);
    checker_.forget(0x1000, 16);
    read(line(1, 0x1000, 1), 6);
    EXPECT_THAT(found_, IsEmpty());
    read(line(1, 0x1000, 1), 5);
    EXPECT_THAT(found_, ElementsAre(rule::read_data));
}

}  // namespace
}  // namespace heddle::axi
