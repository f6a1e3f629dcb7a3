// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/pace.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::uint32_t run = pace::settling + pace::timed;

/// A host on which a unit of work takes so long, alone and shared.
struct paced_host {
    pace chosen;
    std::uint64_t now = 1000;
    std::uint64_t alone = 10, shared = 10;
    std::uint64_t first_ones = 0;  ///< what the first ten instants of the threads take more
    unsigned shared_instants = 0;
    unsigned in_a_row = 0;

    void instants(unsigned count, std::uint32_t weight) {
        for (unsigned i = 0; i < count; ++i) {
            const bool shares = chosen.shares(weight, [this] { return now; });
            shared_instants += shares ? 1 : 0;
            in_a_row = shares ? in_a_row + 1 : 0;
            now += std::uint64_t{weight} * (shares ? shared : alone);
            if (shares && in_a_row <= 10) now += first_ones;
        }
    }
};

TEST(pace, keeps_threads_that_are_faster) {
    paced_host host;
    host.shared = 7;
    host.instants(100 * run, 30);
    EXPECT_GT(host.shared_instants, 90 * run);
    EXPECT_LT(host.shared_instants, 99 * run) << "the other way is tried now and then";
}

TEST(pace, leaves_threads_that_are_slower) {
    paced_host host;
    host.shared = 11;
    host.instants(100 * run, 30);
    EXPECT_LT(host.shared_instants, 8 * run);
    EXPECT_GT(host.shared_instants, 2 * run);
}

TEST(pace, notices_that_the_host_has_changed) {
    paced_host host;
    host.shared = 20;
    host.instants(50 * run, 30);
    host.shared = 5;
    host.shared_instants = 0;
    host.instants(200 * run, 30);
    EXPECT_GT(host.shared_instants, 120 * run);
}

TEST(pace, tries_the_slower_way_for_ever) {
    paced_host host;
    host.shared = 11;
    host.instants(400 * run, 30);
    host.shared_instants = 0;
    host.instants(10 * (pace::longest_hold + 1) * run, 30);
    EXPECT_GE(host.shared_instants, 9 * run);
}

TEST(pace, doubts_a_way_that_has_just_become_the_faster_one) {
    paced_host host;
    host.shared = 20;
    host.instants(400 * run, 30);  // tries are rare by now
    host.shared = 5;
    while (host.in_a_row < 2 * run) host.instants(1, 30);
    host.shared = 20;
    host.shared_instants = 0;
    host.instants(60 * run, 30);
    EXPECT_LT(host.shared_instants, 20 * run);
}

TEST(pace, counts_time_by_work) {
    paced_host host;
    host.shared = 9;
    // Little work while it is tried alone, much work while it is shared.
    host.instants(run, 100);
    host.instants(run, 20);
    host.shared_instants = 0;
    host.instants(4 * run, 100);
    EXPECT_GT(host.shared_instants, 3 * run);
}

TEST(pace, instants_without_work_for_threads_are_not_timed) {
    paced_host host;
    host.shared = 9;
    for (unsigned i = 0; i < 40 * run; ++i) {
        host.instants(1, 30);
        EXPECT_FALSE(host.chosen.shares(0, [&] { return host.now; }));
        if (host.in_a_row != 0) host.now += 1000000;  // the host sleeps after a shared one
    }
    EXPECT_GT(host.shared_instants, 30 * run);
}

TEST(pace, first_instants_after_a_change_are_not_timed) {
    paced_host host;
    host.shared = 9;
    host.first_ones = 100000;
    host.instants(100 * run, 30);
    EXPECT_GT(host.shared_instants, 90 * run);
}

}  // namespace
}  // namespace heddle
