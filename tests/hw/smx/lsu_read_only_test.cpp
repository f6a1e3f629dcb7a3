// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/random.h"
#include "tests/hw/smx/lsu_fixture.h"

/// The read-only cache: what ldg loads comes from it, if there is one.
namespace heddle {
namespace {

using namespace encoding;
using testing::HasSubstr;

constexpr unsigned hit_latency = 9;
constexpr unsigned memory_latency = 50;
constexpr unsigned miss_latency = 1 + memory_latency + 1;  ///< a cycle on the link each way

class lsu_read_only : public lsu_fixture {
protected:
    static lsu_rig_options options() {
        lsu_rig_options options;
        options.read_only_cache.size = 1024;
        options.read_only_cache.line = 32;
        options.read_only_cache.ways = 8;
        options.read_only_cache.hit_latency = hit_latency;
        options.read_only_cache.ports = 1;
        options.lsu.queue_depth = 16;
        options.lsu.request_queue = 64;
        options.memory.minimum_latency = memory_latency;
        options.memory.accept_in_call = true;
        return options;
    }
    [[nodiscard]] std::uint64_t took(std::size_t tag) const {
        return results[tag].completed - results[tag].accepted;
    }
    [[nodiscard]] load_cache_counts read_only() {
        return rig->unit().report().read_only(domain->edge_count());
    }
};

TEST_F(lsu_read_only, a_hit_takes_the_hit_latency_and_a_cycle_for_each_line) {
    build(options());
    now(ldg_w, 0, all_32, words_from(heap));
    EXPECT_EQ(rig->memory.log().size(), 4U);
    EXPECT_EQ(rig->memory.log()[0].length, 32U);
    const auto one = access(ldg_w, 0, 0xff, words_from(heap));
    settle();
    EXPECT_EQ(took(one), hit_latency);
    const auto four = access(ldg_w, 0, all_32, words_from(heap));
    const auto behind = access(ldg_w, 1, 1, at(heap));
    settle();
    EXPECT_EQ(took(four), hit_latency + 3U);
    EXPECT_EQ(took(behind), hit_latency + 4U);
    EXPECT_EQ(read_only().hits, 6U);
    EXPECT_EQ(read_only().misses, 4U);
}

TEST_F(lsu_read_only, ports_are_the_lines_that_a_load_reads_in_a_cycle) {
    lsu_rig_options o = options();
    o.read_only_cache.ports = 4;
    build(o);
    now(ldg_w, 0, all_32, words_from(heap, 32));
    const auto four = access(ldg_w, 0, 0xf, words_from(heap, 32));
    settle();
    EXPECT_EQ(took(four), hit_latency);
    const auto five = access(ldg_w, 0, 0x1f, words_from(heap, 32));
    settle();
    EXPECT_EQ(took(five), hit_latency + 1U);
}

TEST_F(lsu_read_only, a_miss_is_shared_and_takes_the_way_to_memory) {
    build(options());
    const auto miss = access(ldg_w, 0, 1, at(heap));
    const auto joined = access(ldg_w, 1, 1, at(heap + 28));
    settle();
    EXPECT_EQ(took(miss), miss_latency);
    EXPECT_EQ(took(joined), miss_latency);
    EXPECT_EQ(rig->memory.log().size(), 1U);
    EXPECT_EQ(read_only().mshr_merges, 1U);
}

TEST_F(lsu_read_only, an_access_without_a_miss_register_waits) {
    lsu_rig_options o = options();
    o.read_only_cache.mshrs = 1;
    build(o);
    access(ldg_w, 0, 1, at(heap));
    const auto second = access(ldg_w, 0, 1, at(heap + 32));
    run(20);
    EXPECT_THAT(rig->waiting_for(), HasSubstr("'ldg.w' of warp 0 waits: read_only_cache"));
    settle();
    EXPECT_EQ(took(second), 2U * miss_latency);
    EXPECT_GT(read_only().reservation_fails, 0U);
    EXPECT_EQ(fails(reservation_fail::mshr_full), 0U);
}

TEST_F(lsu_read_only, only_ldg_of_global_memory_uses_it) {
    build(options());
    now(lw, 0, all_32, words_from(heap));
    now(ldcg_w, 0, all_32, words_from(heap));
    now(ldg_w, 0, all_32, words_from(shared_base));
    now(ldg_w, 0, all_32, words_from(private_base));
    EXPECT_EQ(read_only().accesses, 0U);
    now(ldg_w, 0, all_32, words_from(heap));
    EXPECT_EQ(read_only().accesses, 4U);
}

TEST_F(lsu_read_only, without_it_ldg_is_a_plain_load) {
    lsu_rig_options o = options();
    o.read_only_cache.size = 0;
    o.l1d.cache_global = true;
    build(o);
    for (unsigned i = 0; i < 2; ++i) now(ldg_w, 0, all_32, words_from(heap));
    EXPECT_EQ(read_only().accesses, 0U);
    EXPECT_EQ(cache().hits, 1U);
}

TEST_F(lsu_read_only, a_launch_forgets_it_and_a_fence_does_not) {
    build(options());
    EXPECT_EQ(now(ldg_w, 0, 1, at(heap)).value[0], 0U);
    rig->memory.set_word(heap, 7);
    rig->unit().maintenance().invalidate_global();
    EXPECT_EQ(now(ldg_w, 0, 1, at(heap)).value[0], 0U) << "not coherent within a launch";
    rig->unit().maintenance().begin_launch();
    EXPECT_EQ(now(ldg_w, 0, 1, at(heap)).value[0], 7U);
    EXPECT_EQ(read_only().lines_dropped, 1U);
}

TEST_F(lsu_read_only, a_fill_under_way_when_a_launch_begins_is_not_installed) {
    build(options());
    const auto before = access(ldg_w, 0, 1, at(heap));
    run(5);
    rig->unit().maintenance().begin_launch();
    settle();
    EXPECT_EQ(results[before].lanes, 1U);
    EXPECT_EQ(read_only().fills_not_installed, 1U);
    now(ldg_w, 0, 1, at(heap));
    EXPECT_EQ(read_only().misses, 2U);
}

/// Its loads are loads of global memory: they are timed.
TEST_F(lsu_read_only, its_loads_are_timed) {
    build(options());
    for (unsigned i = 0; i < 3; ++i) now(ldg_w, 0, 0xff, words_from(heap));
    const load_latency& latency = rig->unit().report().latency();
    EXPECT_EQ(latency.total().samples(), 3U);
    EXPECT_EQ(latency.total().sum(), miss_latency + 2U * hit_latency);
    std::uint64_t stages = 0;
    for (std::size_t i = 0; i < load_stage_count; ++i) {
        stages += latency.in(static_cast<load_stage>(i)).sum();
    }
    EXPECT_EQ(stages, latency.total().sum());
}

/// Many loads of any stride with stalls of memory: every lane has its word.
TEST_F(lsu_read_only, overlapping_loads_get_their_words) {
    lsu_rig_options o = options();
    o.read_only_cache.mshrs = 3;
    o.read_only_cache.mshr_targets = 2;
    o.read_only_cache.ports = 2;
    o.memory.spread = 100;
    o.memory.stall_probability = 0.3;
    o.memory.accept_in_call = false;
    build(o);
    random_stream random(5, "read only");
    for (std::uint32_t word = 0; word < 8192; word += 4) {
        rig->memory.set_word(heap + word, random.below(1U << 31));
    }
    struct load {
        std::size_t tag;
        std::uint32_t base, stride;
        isa::lane_mask lanes;
    };
    std::vector<load> loads;
    for (unsigned i = 0; i < 400; ++i) {
        const std::uint32_t base = heap + 4 * random.below(256);
        const std::uint32_t stride = 4 * random.below(16);
        const isa::lane_mask lanes = 1 + random.below(all_32);
        loads.push_back(
            {access(ldg_w, i % 8, lanes, words_from(base, stride)), base, stride, lanes});
    }
    settle();
    for (const load& l : loads) {
        ASSERT_EQ(results[l.tag].lanes, l.lanes);
        bits::for_each(l.lanes, [&](unsigned lane) {
            EXPECT_EQ(results[l.tag].value[lane], rig->memory.word(l.base + l.stride * lane));
        });
    }
    const load_cache_counts c = read_only();
    EXPECT_EQ(c.accesses, c.hits + c.mshr_merges + c.misses);
    EXPECT_GT(c.hits, 0U);
}

}  // namespace
}  // namespace heddle
