// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The lock-step check of transactions, beside a naive machine that may make mistakes.
#include "tests/iss/fixture.h"
#include "tests/iss/naive_transactions.h"

namespace heddle::iss {
namespace {

using testing::HasSubstr;

class lockstep_transaction : public testing::Test {
protected:
    std::string text_of(const transaction_faults& faults) {
        naive_transactions machine(image, "undone", faults);
        machine.run();
        EXPECT_EQ(machine.error(), error_kind::wrong_result);
        return machine.text();
    }

    const program::image image =
        program::image::load(build_path("kernels/") + "iss_transaction.elf");
};

TEST_F(lockstep_transaction, finds_nothing_on_a_good_machine) {
    naive_transactions machine(image, "undone");
    machine.run();
    EXPECT_EQ(machine.error(), error_kind::none) << machine.text();
    EXPECT_GT(machine.losses(), 8u);
    for (unsigned i = 0; i < naive_transactions::lanes; ++i) {
        EXPECT_EQ(machine.shared()[64 + i], 1u) << "the writes of lost attempts are undone";
    }
}

TEST_F(lockstep_transaction, finds_a_conflict_that_the_machine_misses) {
    transaction_faults faults;
    faults.misses_conflicts = true;
    EXPECT_THAT(text_of(faults), HasSubstr("'s transaction has accessed it; expected: it loses"));
}

TEST_F(lockstep_transaction, finds_shared_memory_that_is_not_undone) {
    transaction_faults faults;
    faults.keeps_shared = true;
    EXPECT_THAT(text_of(faults), HasSubstr("; expected: 0x"));
}

TEST_F(lockstep_transaction, finds_private_memory_that_is_not_undone) {
    transaction_faults faults;
    faults.keeps_private = true;
    EXPECT_THAT(text_of(faults), HasSubstr("; expected: 0x"));
}

TEST_F(lockstep_transaction, finds_registers_that_are_not_undone) {
    transaction_faults faults;
    faults.keeps_registers = true;
    EXPECT_THAT(text_of(faults), HasSubstr("leaves "));
}

TEST_F(lockstep_transaction, finds_an_instruction_of_a_warp_without_lanes) {
    transaction_faults faults;
    faults.issues_for_nobody = true;
    EXPECT_THAT(text_of(faults), HasSubstr("in warp slot 0, for none of its threads"));
}

TEST_F(lockstep_transaction, finds_lanes_that_lose_unseen_or_commit_or_restart_without_reason) {
    transaction_faults unseen;
    unseen.forgets_lane = true;
    EXPECT_THAT(text_of(unseen), HasSubstr("; expected: it loses"));
    transaction_faults commits;
    commits.commits_lost = true;
    EXPECT_THAT(text_of(commits), HasSubstr("commits with lanes 0x"));
    transaction_faults restarts;
    restarts.restarts_twice = true;
    EXPECT_THAT(text_of(restarts), HasSubstr("restarts with lanes 0x"));
}

}  // namespace
}  // namespace heddle::iss
