// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Tables by PC, places of threads, warp pool and overflow list.
#include <gmock/gmock.h>

#include <numeric>
#include <vector>

#include "models/base/parameter.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

using table = pc_table<unsigned>;

TEST(dwf_pc_table, the_set_is_pc_over_4_modulo_sets) {
    table t(8, 2, full_set::replaces);  // 4 sets
    t.insert(t.room({0, 0}, 1), {0, 0}, 1, 1);
    t.insert(t.room({16, 0}, 2), {16, 0}, 2, 2);
    EXPECT_FALSE(t.valid(t.room({4, 0}, 3))) << "another set";
    EXPECT_TRUE(t.valid(t.room({32, 0}, 3))) << "the set is full";
    EXPECT_EQ(t[t.find({16, 0})], 2U);
    EXPECT_EQ(t.find({16, 1}), table::none) << "another block";
    EXPECT_EQ(t.find({18, 0}), table::none) << "same set, another tag";
}

TEST(dwf_pc_table, replaces_what_was_not_used_for_longest) {
    table t(2, 2, full_set::replaces);
    t.insert(t.room({0, 0}, 1), {0, 0}, 1, 1);
    t.insert(t.room({4, 0}, 2), {4, 0}, 2, 2);
    t.use(t.find({0, 0}), 3);
    t.insert(t.room({8, 0}, 4), {8, 0}, 3, 4);
    EXPECT_EQ(t.find({4, 0}), table::none);
    EXPECT_NE(t.find({0, 0}), table::none);
}

TEST(dwf_pc_table, does_not_replace_what_the_other_port_uses) {
    table t(1, 1, full_set::replaces);
    t.insert(t.room({0, 0}, 1), {0, 0}, 1, 1);
    t.use(0, 5);
    EXPECT_EQ(t.room({4, 0}, 5), table::none);
    EXPECT_EQ(t.room({4, 0}, 6), 0U);
}

TEST(dwf_pc_table, grows_instead_of_replacing) {
    table t(2, 1, full_set::grows);
    std::vector<table::place> places;
    for (std::uint32_t pc = 0; pc < 64; pc += 4) {
        places.push_back(t.room({pc, 0}, 1));
        t.insert(places.back(), {pc, 0}, pc, 1);
    }
    for (std::uint32_t pc = 0; pc < 64; pc += 4) {
        EXPECT_EQ(t.find({pc, 0}), places[pc / 4]) << "an entry keeps its place";
        EXPECT_EQ(t[t.find({pc, 0})], pc);
    }
}

TEST(dwf_pc_table, forgets_a_pc_of_all_blocks) {
    table t(8, 4, full_set::replaces);
    for (const std::uint16_t block : {0, 1, 2}) {
        const pc_tag tag{8, block};
        t.insert(t.room(tag, 1), tag, 0, 1);
    }
    t.insert(t.room({16, 0}, 1), {16, 0}, 0, 1);
    t.remove_pc(8);
    EXPECT_EQ(t.find({8, 0}), table::none);
    EXPECT_EQ(t.find({8, 2}), table::none);
    EXPECT_NE(t.find({16, 0}), table::none);
}

TEST(dwf_places, a_thread_has_one_place_with_as_many_home_lanes_as_the_warp_has_threads) {
    const thread_places p({32, 32, true, lane_swizzling::none});
    EXPECT_TRUE(p.fixed());
    EXPECT_EQ(p.places(5), bits::one(5));
    EXPECT_EQ(p.places(32 + 5), bits::one(5));
}

TEST(dwf_places, swizzling_exchanges_odd_and_even_lanes_of_every_second_home_warp) {
    const thread_places p({32, 32, true, lane_swizzling::swap});
    EXPECT_EQ(p.home_lane(6), 6U);
    EXPECT_EQ(p.home_lane(32 + 6), 7U);
    EXPECT_EQ(p.home_lane(32 + 7), 6U);
    EXPECT_EQ(p.home_lane(64 + 7), 7U);
}

TEST(dwf_places, swizzling_rotates_lanes_by_the_home_warp) {
    const thread_places p({32, 8, true, lane_swizzling::rotate});
    EXPECT_EQ(p.home_lane(6), 6U);
    EXPECT_EQ(p.home_lane(32 + 6), 7U);
    EXPECT_EQ(p.home_lane(32 + 7), 0U);
    EXPECT_EQ(p.home_lane(3 * 32 + 31), 2U);
    EXPECT_EQ(p.places(32 + 7), 0x01010101U);
}

TEST(dwf_places, a_home_lane_of_the_pipeline_has_places_for_several_threads) {
    const thread_places p({32, 8, true, lane_swizzling::none});
    EXPECT_FALSE(p.fixed());
    EXPECT_EQ(p.places(13), 0x20202020U);
    EXPECT_EQ(p.conflict_clocks(~0U, nullptr), 0U) << "lane awareness leaves no conflict";
}

TEST(dwf_places, without_lane_awareness_a_warp_takes_the_most_threads_of_a_bank_less_one) {
    const thread_places p({8, 8, false, lane_swizzling::none});
    EXPECT_EQ(p.places(3), 0xffU);
    const std::uint16_t all_different[] = {0, 9, 18, 27, 36, 45, 54, 63};
    EXPECT_EQ(p.conflict_clocks(0xff, all_different), 0U);
    const std::uint16_t three_of_one[] = {0, 8, 16, 27, 36, 45, 53, 61};
    EXPECT_EQ(p.conflict_clocks(0xff, three_of_one), 2U);
    EXPECT_EQ(p.conflict_clocks(0b11, three_of_one), 1U);
}

TEST(dwf_places, a_bank_of_the_pipeline_reads_a_thread_in_each_clock_of_the_warp) {
    const thread_places p({32, 8, false, lane_swizzling::none});
    std::uint16_t threads[32];
    std::iota(threads, threads + 32, 0);
    EXPECT_EQ(p.conflict_clocks(~0U, threads), 0U);
    threads[1] = 64;  // a fifth one of bank 0
    EXPECT_EQ(p.conflict_clocks(0xffffffffU, threads), 1U);
}

TEST(dwf_warp_pool, knows_the_age_of_its_warps) {
    warp_pool pool(3, 8);
    EXPECT_EQ(pool.oldest(), no_pool_index);
    const pool_index a = pool.open({0, 0}, 1);
    const pool_index b = pool.open({4, 0}, 2);
    const pool_index c = pool.open({8, 0}, 3);
    EXPECT_EQ(pool.free(), 0U);
    EXPECT_EQ(pool.oldest(), a);
    pool.close(b);
    EXPECT_EQ(pool[a].newer, c);
    pool.close(a);
    EXPECT_EQ(pool.oldest(), c);
    const pool_index d = pool.open({12, 0}, 4);
    pool.close(c);
    EXPECT_EQ(pool.oldest(), d);
    pool.close(d);
    EXPECT_EQ(pool.oldest(), no_pool_index);
    EXPECT_EQ(pool.free(), 3U);
}

TEST(dwf_warp_pool, keeps_the_threads_of_the_places_that_were_taken) {
    warp_pool pool(2, 8);
    const pool_index w = pool.open({0, 0}, 0);
    const std::uint16_t first[] = {10, 11, 12, 13, 14, 15, 16, 17};
    const std::uint16_t second[] = {20, 21, 22, 23, 24, 25, 26, 27};
    pool.add(w, 0b0101, first);
    pool.add(w, 0b1010, second);
    EXPECT_EQ(pool[w].lanes, 0b1111U);
    EXPECT_THAT(std::vector<unsigned>(pool.threads(w), pool.threads(w) + 4),
                ::testing::ElementsAre(10, 21, 12, 23));
}

warp_update_register threads_at(std::uint32_t pc, isa::lane_mask lanes, unsigned first) {
    warp_update_register r;
    r.tag = {pc, 0};
    r.requested = lanes;
    bits::for_each(
        lanes, [&](unsigned lane) { r.threads[lane] = static_cast<std::uint16_t>(first + lane); });
    return r;
}

TEST(dwf_overflow_list, threads_are_out_after_the_latency_and_back_after_another) {
    overflow_list list(64, 400);
    list.put(threads_at(8, 0b110, 32), 0b110, 1000);
    EXPECT_EQ(list.threads(), 2U);
    EXPECT_FALSE(list.can_fetch(1399));
    ASSERT_TRUE(list.can_fetch(1400));
    list.fetch(1500);
    EXPECT_FALSE(list.can_fetch(10000)) << "it is on its way";
    EXPECT_FALSE(list.is_back(1899));
    ASSERT_TRUE(list.is_back(1900));
    warp_update_register back;
    list.take(back);
    EXPECT_EQ(back.tag.pc, 8U);
    EXPECT_EQ(back.requested, 0b110U);
    EXPECT_EQ(back.threads[2], 34U);
    EXPECT_TRUE(list.empty());
    EXPECT_FALSE(list.is_back(10000));
}

TEST(dwf_overflow_list, is_first_in_first_out_and_merges_nothing) {
    overflow_list list(8, 10);  // the ring wraps
    for (unsigned round = 0; round < 5; ++round) {
        list.put(threads_at(4, 0b11, round), 0b01, 0);
        list.put(threads_at(4, 0b10, round), 0b10, 0);
        list.put(threads_at(8, 0b111, round), 0b111, 0);
        std::vector<isa::lane_mask> lanes;
        for (unsigned group = 0; group < 3; ++group) {
            list.fetch(10);
            warp_update_register back;
            list.take(back);
            EXPECT_EQ(back.tag.pc, group < 2 ? 4U : 8U);
            lanes.push_back(back.requested);
        }
        EXPECT_THAT(lanes, ::testing::ElementsAre(0b01, 0b10, 0b111));
    }
}

TEST(dwf_configuration, has_the_defaults_of_the_thesis_and_rules_for_its_tables) {
    dwf_configuration configuration;
    EXPECT_EQ(configuration.policy, warp_policies::key<majority_policy>);
    parameter_list parameters(configuration);
    EXPECT_NO_THROW(parameters.check_rules());
    parameters.assign("dwf.lut_entries", std::int64_t{24}, "test", "test");
    EXPECT_ANY_THROW(parameters.check_rules()) << "6 sets";
    parameters.assign("dwf.lut_entries", std::int64_t{32}, "test", "test");
    EXPECT_NO_THROW(parameters.check_rules());
    parameters.assign("dwf.heap_lut_ways", std::int64_t{3}, "test", "test");
    EXPECT_ANY_THROW(parameters.check_rules());
}

}  // namespace
}  // namespace heddle
