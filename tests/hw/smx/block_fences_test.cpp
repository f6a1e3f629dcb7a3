// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/issue/block_fences.h"

#include <gtest/gtest.h>

#include "tests/hw/smx/lsu_fixture.h"

namespace heddle {
namespace {

using block_fences_test = lsu_fixture;

/// Accesses before a fence and behind it: those of block 3 have the owners 6 and 7.
TEST_F(block_fences_test, a_block_has_two_owners) {
    build({});
    const load_store_unit& lsu = rig->unit();
    const owner_set both = block_fences::owners_of(3);
    for (const unsigned owner : {5U, 6U, 7U, 8U}) {
        const bool of_block_3 = owner / 2 == 3;
        EXPECT_EQ(both.has(access_owner(owner)), of_block_3) << owner;
        (void)access(encoding::sw, owner, 1, at(heap), at(owner));
        run(10);
        EXPECT_EQ(block_fences::written(lsu, 3), !of_block_3) << owner;
        EXPECT_EQ(block_fences::drained(lsu, 3), !of_block_3) << owner;
        settle();
        EXPECT_TRUE(block_fences::written(lsu, 3)) << owner;
        EXPECT_TRUE(block_fences::drained(lsu, 3)) << owner;
    }
}

}  // namespace
}  // namespace heddle
