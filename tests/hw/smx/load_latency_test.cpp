// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/loads/load_latency.h"

#include <gmock/gmock.h>

#include "models/base/random.h"
#include "tests/hw/smx/lsu_fixture.h"

/// The time of a load by stage: how it is split, and what the load-store unit measures.
namespace heddle {
namespace {

using testing::ElementsAre;

/// A fetch in a clock of 2 picoseconds, and edges of the SMX 5 picoseconds apart.
constexpr double rate = 0.2;
const protocol::access_times fetched{550, {560, 600, 750}, 775};

TEST(split_load, gives_each_stage_the_time_between_two_instants) {
    const load_times times = split_load(100, 103, 165, fetched, rate);
    EXPECT_THAT(times.in, ElementsAre(3, (110 - 103) + (165 - 155), (112 - 110) + (155 - 150),
                                      120 - 112, 150 - 120));
    EXPECT_EQ(times.total(), 65U);
    EXPECT_TRUE(times.fetched);
}

TEST(split_load, a_hit_of_l2_has_no_time_in_memory) {
    const load_times times = split_load(100, 100, 140, {535, {}, 650}, rate);
    EXPECT_THAT(times.in, ElementsAre(0, 7 + 10, 23, 0, 0));
    EXPECT_FALSE(times.fetched);
}

TEST(split_load, instants_between_two_edges_count_for_the_nearest) {
    EXPECT_THAT(split_load(100, 100, 140, {537, {}, 653}, rate).in,
                ElementsAre(0, 7 + 9, 24, 0, 0));
}

/// A load that joins a request under way: what lies behind that is not the load's.
TEST(split_load, leaves_out_what_was_before_the_load) {
    EXPECT_THAT(split_load(111, 115, 165, fetched, rate).in, ElementsAre(4, 10, 5, 5, 30));
    EXPECT_THAT(split_load(152, 154, 165, fetched, rate).in, ElementsAre(2, 10, 1, 0, 0));
    EXPECT_THAT(split_load(160, 165, 165, fetched, rate).in, ElementsAre(5, 0, 0, 0, 0));
}

/// Also for a memory that says nothing, and for instants in no order.
TEST(split_load, the_parts_sum_to_the_whole) {
    random_stream random(7, "split_load");
    for (int i = 0; i < 100'000; ++i) {
        const auto instant = [&] {
            return random.below(4) == 0 ? 0 : static_cast<double>(random.below(5000));
        };
        const std::uint64_t queued = random.below(900);
        const std::uint64_t now = queued + random.below(100);
        const std::uint64_t past_l1 = queued + random.below(now - queued + 1);
        const protocol::access_times at{instant(), {instant(), instant(), instant()}, instant()};
        ASSERT_EQ(split_load(queued, past_l1, now, at, rate).total(), now - queued) << "case " << i;
    }
}

class lsu_latency : public lsu_fixture {
protected:
    void build_with(bool cache_global) {
        lsu_rig_options options;
        options.l1d.cache_global = cache_global;
        options.l1d.hit_latency = 7;
        options.memory.minimum_latency = 50;
        options.memory.accept_in_call = true;
        build(options);
    }
    [[nodiscard]] const load_latency& latency() { return rig->unit().report().latency(); }
};

/// The stub behind the link knows no stages: all of its time is the crossbar's.
TEST_F(lsu_latency, a_miss_a_joined_miss_and_a_hit) {
    build_with(true);
    const auto miss = access(encoding::lw, 0, all_32, words_from(heap));
    const auto joined = access(encoding::lw, 1, all_32, words_from(heap));
    settle();
    const auto took = [&](std::size_t tag) {
        return results[tag].completed - results[tag].accepted;
    };
    EXPECT_EQ(took(miss), 52U);
    EXPECT_EQ(latency().total().samples(), 2U);
    EXPECT_EQ(latency().total().sum(), took(miss) + took(joined));
    EXPECT_EQ(latency().in(load_stage::l1).sum(), 1U) << "the second one accesses a cycle later";
    EXPECT_EQ(latency().in(load_stage::crossbar).samples(), 2U);
    const outcome& hit = now(encoding::lw, 0, all_32, words_from(heap));
    EXPECT_EQ(hit.completed - hit.accepted, 7U);
    EXPECT_EQ(latency().total().samples(), 3U);
    EXPECT_EQ(latency().total().minimum(), 7U);
    EXPECT_EQ(latency().in(load_stage::l1).maximum(), 7U);
    EXPECT_EQ(latency().in(load_stage::crossbar).samples(), 2U);
    EXPECT_EQ(latency().in(load_stage::dram).samples(), 0U);
}

/// The second line is looked up a cycle later: the load has waited for it in the queue.
TEST_F(lsu_latency, a_hit_counts_its_time_in_the_queue) {
    build_with(true);
    now(encoding::lw, 0, 0b11, words_from(heap, 128));
    const std::uint64_t before = latency().total().sum();
    ASSERT_EQ(latency().total().samples(), 2U);
    now(encoding::lw, 0, 0b11, words_from(heap, 128));
    EXPECT_EQ(latency().total().samples(), 4U);
    EXPECT_EQ(latency().total().minimum(), 7U);
    EXPECT_EQ(latency().total().sum(), before + 7 + 8);
}

TEST_F(lsu_latency, every_line_of_a_load_is_a_sample_and_stores_and_private_memory_are_none) {
    build_with(false);
    now(encoding::lw, 0, 0xff, words_from(heap, 128));
    EXPECT_EQ(latency().total().samples(), 8U);
    EXPECT_EQ(latency().in(load_stage::l1).sum(), 0U + 1 + 2 + 3 + 4 + 5 + 6 + 7);
    EXPECT_EQ(latency().in(load_stage::crossbar).minimum(), 52U);
    now(encoding::sw, 0, 1, at(heap));
    now(encoding::amoadd_w, 0, 1, at(heap), at(1));
    now(encoding::lw, 0, 1, at(private_base));
    now(encoding::lw, 0, 1, at(private_base));
    now(encoding::lw, 0, 1, at(shared_base));
    EXPECT_EQ(latency().total().samples(), 8U);
}

}  // namespace
}  // namespace heddle
