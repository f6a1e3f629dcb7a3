// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a campaign has made a core do, counted from its records.
#include "tests/library/lockstep_kit.h"

namespace heddle {
namespace {

std::string coverage_of(const std::string& kernel, unsigned threads) {
    known_core core(kernel, 1, threads);
    const lockstep_of_test machine(kernel, 1, threads, tells_drained());
    machine.expect_accepted(core.told);
    const char* text = nullptr;
    EXPECT_GOOD(heddle_lockstep_coverage(machine, &text), machine);
    return text;
}

/// The number behind a name.
unsigned long count_of(const std::string& table, const std::string& name) {
    const std::size_t at = table.find("\n" + name + " ");
    if (at == std::string::npos) ADD_FAILURE() << name << " is not in\n" << table;
    return at == std::string::npos ? 0 : std::stoul(table.substr(at + 1 + name.size()));
}

TEST(lockstep_coverage, counts_barriers_and_shared_memory) {
    const std::string table = coverage_of("exchange", 64);
    EXPECT_EQ(count_of(table, "barrier of a whole warp"), 2U);
    EXPECT_EQ(count_of(table, "barrier of some lanes"), 0U);
    EXPECT_EQ(count_of(table, "shared store of 4 bytes"), 2U);
    EXPECT_EQ(count_of(table, "shared load of 4 bytes"), 2U);
    EXPECT_EQ(count_of(table, "global store of 4 bytes"), 2U);
    EXPECT_EQ(count_of(table, "words of one bank in an access: 1"), 4U);
    EXPECT_EQ(count_of(table, "depth of divergence 1"), 0U);
    EXPECT_EQ(count_of(table, "barrier"), 2U);  // in all lanes
    EXPECT_THAT(table, testing::ContainsRegex("\nnot met: .*fsqrt"));
}

TEST(lockstep_coverage, counts_divergence_and_masks) {
    const std::string table = coverage_of("odd_and_even", 48);
    EXPECT_GT(count_of(table, "depth of divergence 0"), 8U);
    EXPECT_GT(count_of(table, "depth of divergence 1"), 4U);
    EXPECT_EQ(count_of(table, "depth of divergence 2"), 0U);
    // One whole warp and one with its low lanes.
    EXPECT_THAT(table, testing::ContainsRegex("\nexit +1 +1 +0 +0\n"));
    EXPECT_THAT(table, testing::ContainsRegex("\njal +0 +0 +0 +2\n"));
}

TEST(lockstep_coverage, counts_lines_and_parts) {
    const std::string table = coverage_of("gather", 32);
    EXPECT_EQ(count_of(table, "lines of an access: 2"), 2U);  // the load, and the store
    EXPECT_GE(count_of(table, "lines of an access: 1"), 1U);  // the parameter
    const std::string atomics = coverage_of("add_twice", 64);
    EXPECT_EQ(count_of(atomics, "global atomic of 4 bytes"), 2U);
    EXPECT_THAT(atomics, testing::ContainsRegex("\namoadd.w +0 +0 +2 +0\n"));
}

}  // namespace
}  // namespace heddle
