// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/kernel_context.h"

#include <gtest/gtest.h>

#include <string>

#include "hw/base/has_process.h"

namespace heddle {
namespace {

/// Counts to three.
class counter : public sc_core::sc_module {
public:
    explicit counter(const sc_core::sc_module_name& name) : sc_module(name) {
        HEDDLE_HAS_PROCESS(counter);
        SC_THREAD(run);
    }
    int count = 0;

private:
    void run() {
        for (; count < 3; ++count) wait(1, sc_core::SC_NS);
        sc_core::sc_stop();
    }
};

int counted() {
    counter one("counter");  // the only one of this name in its kernel
    EXPECT_EQ(std::string(one.name()), "counter");
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(3, sc_core::SC_NS));
    return one.count;
}

TEST(kernel_context, netlists_follow_each_other) {
    for (int i = 0; i < 20; ++i) {
        const kernel_context own;
        EXPECT_EQ(counted(), 3);
    }
}

TEST(kernel_context, the_kernel_of_before_is_the_kernel_again) {
    const counter outside("outside");
    sc_core::sc_simcontext* const before = sc_core::sc_curr_simcontext;
    {
        const kernel_context own;
        EXPECT_NE(sc_core::sc_curr_simcontext, before);
        EXPECT_EQ(sc_core::sc_find_object("outside"), nullptr);
        EXPECT_EQ(counted(), 3);
    }
    EXPECT_EQ(sc_core::sc_curr_simcontext, before);
    EXPECT_EQ(sc_core::sc_find_object("outside"), &outside);
    EXPECT_EQ(counted(), 3);
}

}  // namespace
}  // namespace heddle
