// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/random_kernels/shrink.h"

#include <gmock/gmock.h>

#include <string>

namespace heddle::iss {
namespace {

using kind = statement_kind;

unsigned count_of(const statements& all, kind what) {
    unsigned count = 0;
    for (const statement& s : all) {
        count += s.what == what ? 1 : 0;
        count += count_of(s.first, what) + count_of(s.second, what) + count_of(s.third, what);
    }
    return count;
}

unsigned count_of(const kernel_tree& kernel, kind what) {
    unsigned count = count_of(kernel.body, what);
    for (const kernel_function& f : kernel.functions) count += count_of(f.body, what);
    return count;
}

/// A break or continue stands in a loop, and a loop's variable is that of a loop around it.
void expect_whole(const statements& all, unsigned loops, bool breakable) {
    for (const statement& s : all) {
        const bool jumps = s.what == kind::end_loop || s.what == kind::next_turn;
        EXPECT_TRUE(breakable || !jumps);
        EXPECT_EQ(s.depth, loops);
        const bool loop =
            s.what == kind::for_loop || s.what == kind::do_loop || s.what == kind::while_loop;
        const bool inside = loop || (breakable && s.what == kind::branch);
        for (const statements* part : {&s.first, &s.second, &s.third}) {
            expect_whole(*part, loops + (loop ? 1 : 0), inside);
        }
    }
}

kernel_tree drawn(unsigned seed) {
    random_stream random(seed, "shrinking");
    return make_random_kernel(random, "k", kernel_language::cpp);
}

TEST(shrunk, leaves_the_statement_that_fails) {
    unsigned shrunk_kernels = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        for (const kind wanted : {kind::vote, kind::exchange, kind::end_loop, kind::choose}) {
            const kernel_tree kernel = drawn(seed);
            if (count_of(kernel, wanted) == 0) continue;
            const auto fails = [&](const kernel_tree& tried) {
                expect_whole(tried.body, 0, false);
                for (const kernel_function& f : tried.functions) expect_whole(f.body, 0, false);
                return count_of(tried, wanted) != 0;
            };
            const kernel_tree smallest = shrunk(kernel, fails);
            EXPECT_EQ(count_of(smallest, wanted), 1U);
            // A break needs its loop.
            EXPECT_LE(statement_count(smallest), wanted == kind::end_loop ? 2U : 1U) << seed;
            ++shrunk_kernels;
        }
    }
    EXPECT_GT(shrunk_kernels, 40U);
}

TEST(shrunk, a_kernel_that_always_fails_ends_empty) {
    const kernel_tree smallest = shrunk(drawn(3), [](const kernel_tree&) { return true; });
    EXPECT_EQ(statement_count(smallest), 0U);
    EXPECT_TRUE(smallest.functions.empty());
    EXPECT_NE(source_text(smallest), "");
}

TEST(shrunk, a_kernel_of_which_nothing_can_go_stays) {
    const kernel_tree kernel = drawn(4);
    unsigned asked = 0;
    const kernel_tree same = shrunk(kernel, [&](const kernel_tree&) {
        ++asked;
        return false;
    });
    EXPECT_EQ(source_text(same), source_text(kernel));
    EXPECT_GE(asked, statement_count(kernel));
}

}  // namespace
}  // namespace heddle::iss
