// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/credit_latch.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

void next_instant() {
    sc_core::sc_start(1, sc_core::SC_NS);
}

TEST(credit_latch, counts_what_the_owner_has_latched_before) {
    credit_latch credits(2);
    EXPECT_TRUE(credits.take());
    EXPECT_TRUE(credits.take());
    EXPECT_FALSE(credits.take());
    next_instant();
    credits.latch(1);
    EXPECT_FALSE(credits.take()) << "before this instant there was none";
    next_instant();
    EXPECT_TRUE(credits.take());
    EXPECT_FALSE(credits.take());
}

TEST(credit_latch, a_promise_that_the_owner_takes_back_at_the_same_instant_is_the_last) {
    credit_latch credits(1);
    next_instant();
    credits.latch(0);  // what came before needs more room than was thought
    EXPECT_TRUE(credits.take()) << "as if the sender had been first";
    EXPECT_FALSE(credits.take());
    next_instant();
    EXPECT_FALSE(credits.take());
}

}  // namespace
}  // namespace heddle
