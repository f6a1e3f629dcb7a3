// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/scope_filter.h"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;

TEST(scope_filter, selects_names_and_what_lies_below_scopes) {
    scope_filter filter({"gpu.smx_[01]", "*.depth"});
    EXPECT_TRUE(filter.selects("gpu.smx_0.alu.busy"));
    EXPECT_FALSE(filter.selects("gpu.smx_10.busy"));
    EXPECT_TRUE(filter.selects("gpu.kmu.depth"));
    EXPECT_FALSE(filter.selects("gpu.kmu.rate"));
    EXPECT_TRUE(scope_filter({}).selects("gpu.kmu.rate"));
}

TEST(scope_filter, remembers_what_it_was_asked) {
    scope_filter filter({"gpu.l2", "gpu.kmu"});
    for (const char* name : {"gpu.smx_0.busy", "gpu.kmu.rate", "gpu.smx_0.alu.busy", "clock"}) {
        (void)filter.selects(name);
    }
    EXPECT_THAT(filter.unmatched(), ElementsAre("gpu.l2"));
    EXPECT_THAT(filter.blocks(), ElementsAre("clock", "gpu.kmu", "gpu.smx_0"));
}

TEST(scope_filter, families_are_shown_as_ranges) {
    EXPECT_THAT(with_ranges({"gpu.kmu", "gpu.l2_0", "gpu.smx_0", "gpu.smx_1", "gpu.smx_10", "x_"}),
                ElementsAre("gpu.kmu", "gpu.l2_0", "gpu.smx_0..10", "x_"));
    EXPECT_THAT(with_ranges({"7", "a7", "b_99999999999999999999"}),
                ElementsAre("7", "a7", "b_99999999999999999999"));
}

}  // namespace
}  // namespace heddle
