// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/hw/smx/lsu_fixture.h"

/// The data rules of the load-store unit and L1D: each test breaks if its rule does.
namespace heddle {
namespace {

using namespace encoding;
using protocol::memory_kind;

class lsu_data : public lsu_fixture {
protected:
    void cached() {
        lsu_rig_options options;
        options.l1d.cache_global = true;
        build(options);
    }
};

TEST_F(lsu_data, a_plain_load_may_be_stale_ldcg_and_a_fence_are_not) {
    cached();
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 0u);
    rig->memory.set_word(heap, 7);  // another SMX has stored
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 0u);
    EXPECT_EQ(now(ldcg_w, 0, 1, at(heap)).value[0], 7u);
    EXPECT_EQ(now(lw, 1, 1, at(heap)).value[0], 0u) << "ldcg installs nothing";
    rig->unit().maintenance().invalidate_global();
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 7u);
}

TEST_F(lsu_data, global_loads_are_not_cached_unless_configured) {
    build({});
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 0u);
    rig->memory.set_word(heap, 7);
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 7u);
    EXPECT_EQ(rig->unit().report().counters().uncached_loads, 2u);
    EXPECT_EQ(cache().loads, 0u);
    EXPECT_EQ(rig->memory.log()[0].length, 32u) << "one sector";
    EXPECT_TRUE(rig->memory.log()[0].bypass);
}

TEST_F(lsu_data, parameters_bypass_the_cache) {
    cached();
    EXPECT_EQ(now(lw, 0, 1, at(0xc0000010)).value[0], 0u);
    rig->memory.set_word(0xc0000010, 9);  // the buffer's next user
    EXPECT_EQ(now(lw, 0, 1, at(0xc0000010)).value[0], 9u);
}

TEST_F(lsu_data, a_store_writes_through_and_keeps_the_own_copy_up_to_date) {
    cached();
    now(lw, 0, all_32, words_from(heap));
    now(sw, 0, 2, words_from(heap), at(5));
    EXPECT_EQ(rig->memory.word(heap + 4), 5u);
    const auto& again = now(lw, 1, all_32, words_from(heap));
    EXPECT_EQ(again.value[1], 5u);
    EXPECT_EQ(again.value[0], 0u);
    EXPECT_EQ(cache().hits, 1u);
    now(sw, 0, 1, at(heap + 0x400), at(1));
    EXPECT_EQ(rig->memory.count(memory_kind::load), 1u) << "a store allocates nothing";
    now(lw, 0, 1, at(heap + 0x400));
    EXPECT_EQ(rig->memory.count(memory_kind::load), 2u);
}

TEST_F(lsu_data, a_store_under_a_pending_miss_keeps_the_stale_fill_out) {
    cached();
    const auto before = access(lw, 0, 1, at(heap));
    access(sw, 0, 1, at(heap), at(5));
    const auto after = access(lw, 0, 1, at(heap));
    settle();
    EXPECT_EQ(results[before].value[0], 0u) << "the load came first";
    EXPECT_EQ(results[after].value[0], 5u) << "a thread sees its own store";
    EXPECT_EQ(cache().fills_not_installed, 1u);
    EXPECT_EQ(cache().mshr_merges, 0u) << "nobody may join a miss that a store has overtaken";
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 5u);
    EXPECT_EQ(cache().hits, 1u);
}

TEST_F(lsu_data, an_invalidation_during_a_fill_keeps_it_out) {
    cached();
    const auto load = access(lw, 0, 1, at(heap));
    run(5);
    rig->unit().maintenance().invalidate_global();
    settle();
    EXPECT_EQ(results[load].lanes, 1u) << "who waited is served";
    rig->memory.set_word(heap, 3);
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 3u);
    EXPECT_EQ(cache().fills_not_installed, 1u);
    EXPECT_EQ(cache().hits, 0u);
}

TEST_F(lsu_data, an_atomic_drops_the_own_line) {
    cached();
    now(lw, 0, 1, at(heap));
    EXPECT_EQ(now(amoadd_w, 0, all_32, at(heap), at(2)).value[31], 62u);
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 64u);
    EXPECT_EQ(cache().lines_dropped, 1u);
}

TEST_F(lsu_data, an_atomic_under_a_pending_miss_keeps_the_stale_fill_out) {
    cached();
    access(lw, 0, 1, at(heap));
    access(amoadd_w, 0, 1, at(heap), at(2));
    const auto after = access(lw, 0, 1, at(heap));
    settle();
    EXPECT_EQ(results[after].value[0], 2u);
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 2u);
}

TEST_F(lsu_data, private_stores_stay_until_their_line_is_evicted) {
    lsu_rig_options options;
    options.l1d.size = 256;  // two lines, one set
    options.l1d.ways = 2;
    build(options);
    const simt::private_layout layout{options.private_bytes, 32};
    for (unsigned word = 0; word < 2; ++word) {
        now(sw, 0, all_32, at(private_base + 4 * word), [=](unsigned l) { return 100 * word + l; });
    }
    EXPECT_TRUE(rig->memory.log().empty()) << "a store fetches nothing";
    now(sw, 0, all_32, at(private_base + 8), at(8));
    EXPECT_EQ(rig->memory.count(memory_kind::write_back), 1u);
    EXPECT_EQ(rig->memory.word(layout.address(0, 0, 31)), 31u);
    EXPECT_EQ(now(lw, 0, all_32, at(private_base)).value[9], 9u);
    EXPECT_EQ(now(lw, 0, all_32, at(private_base + 4)).value[9], 109u);
}

/// A write-back carries the words from the first to the last dirty byte, and no more.
TEST_F(lsu_data, a_write_back_is_as_long_as_its_dirty_words) {
    lsu_rig_options options;
    options.l1d.size = 128;  // one line
    options.l1d.ways = 1;
    build(options);
    const simt::private_layout layout{options.private_bytes, 32};
    const auto store = [&](std::uint32_t width, unsigned word, isa::lane_mask lanes) {
        now(width, 0, lanes, at(private_base + 4 * word), at(5));
    };
    store(sw, 0, 0b10);
    store(sb, 1, 0b11010'0000);  // evicts the line of word 0
    store(sw, 2, 1);             // evicts the line of word 1
    const auto& log = rig->memory.log();
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[0].kind, memory_kind::write_back);
    EXPECT_EQ(log[0].address, layout.address(0, 0, 1));
    EXPECT_EQ(log[0].length, 4u);
    EXPECT_EQ(log[1].address, layout.address(0, 4, 5));
    EXPECT_EQ(log[1].length, 4u * (8 - 5 + 1)) << "lanes 5 to 8";
}

TEST_F(lsu_data, a_load_sees_the_write_back_that_is_still_in_flight) {
    lsu_rig_options options;
    options.l1d.size = 128;
    options.l1d.ways = 1;
    options.memory.minimum_latency = 100;
    options.memory.spread = 200;
    build(options);
    access(sw, 0, all_32, at(private_base), [](unsigned l) { return l + 1; });
    access(sw, 0, all_32, at(private_base + 4), at(2));  // evicts
    const auto again = access(lw, 0, all_32, at(private_base));
    run(20);
    EXPECT_GT(rig->unit().outstanding_writes(access_owner(0)), 0u)
        << "the write-backs are under way";
    settle();
    EXPECT_EQ(results[again].value[17], 18u);
    EXPECT_EQ(rig->unit().outstanding_writes(access_owner(0)), 0u);
    EXPECT_EQ(drained.back(), 0u);
}

TEST_F(lsu_data, a_partly_written_private_line_is_completed_from_memory) {
    build({});
    const simt::private_layout layout{256, 32};
    rig->memory.set_word(layout.address(0, 0, 1), 0x11111111);
    rig->memory.set_word(layout.address(0, 0, 0), 0x22222222);
    now(sb, 0, 1, at(private_base + 1), at(0xff));
    const auto& both = now(lw, 0, 3, at(private_base));
    EXPECT_EQ(both.value[0], 0x2222ff22u);
    EXPECT_EQ(both.value[1], 0x11111111u);
}

TEST_F(lsu_data, discarding_private_lines_ends_the_wait_for_a_reserved_one) {
    lsu_rig_options options;
    options.l1d.size = 256;
    options.l1d.ways = 2;
    build(options);
    rig->memory.hold(true);
    for (std::uint32_t word = 0; word < 3; ++word) {
        access(lw, 0, all_32, at(private_base + 4 * word));
    }
    run(100);
    EXPECT_EQ(rig->port().outstanding(), 2u);
    rig->unit().maintenance().discard_private(0, 1);
    rig->wake();
    run(20);
    EXPECT_EQ(rig->port().outstanding(), 3u);
    rig->memory.hold(false);
    settle();
}

TEST_F(lsu_data, a_private_store_after_a_pending_load_is_not_seen_by_it) {
    build({});
    const auto load = access(lw, 0, all_32, at(private_base));
    access(sw, 0, all_32, at(private_base), at(5));
    const auto after = access(lw, 0, all_32, at(private_base));
    settle();
    EXPECT_EQ(results[load].value[3], 0u);
    EXPECT_EQ(results[after].value[3], 5u);
    EXPECT_GT(fails(reservation_fail::line_reserved), 0u);
}

TEST_F(lsu_data, private_lines_of_a_block_that_leaves_are_written_back) {
    build({});
    now(sw, 0, all_32, at(private_base), at(5));
    now(sw, 1, all_32, at(private_base), at(6));
    std::size_t place = 0;
    EXPECT_TRUE(rig->unit().maintenance().write_private_back({}, 0, 1, place));
    settle();
    EXPECT_EQ(cache().write_backs, 1u);
    rig->unit().maintenance().discard_private(0, 2);
    EXPECT_EQ(now(lw, 0, 1, at(private_base)).value[0], 5u);
    EXPECT_EQ(now(lw, 1, 1, at(private_base)).value[0], 0u) << "the other warp's was dirty";
}

TEST_F(lsu_data, private_lines_of_all_warps_of_a_block_are_written_back_or_discarded) {
    build({});
    for (unsigned warp = 0; warp < 5; ++warp) now(sw, warp, all_32, at(private_base), at(warp + 5));
    std::size_t place = 0;
    EXPECT_TRUE(rig->unit().maintenance().write_private_back({}, 1, 3, place));
    settle();
    EXPECT_EQ(cache().write_backs, 3u);
    rig->unit().maintenance().discard_private(0, 4);
    EXPECT_EQ(cache().lines_discarded, 1u) << "those that were written back are gone already";
    const std::uint32_t expected[] = {0, 6, 7, 8, 9};
    for (unsigned warp = 0; warp < 5; ++warp) {
        EXPECT_EQ(now(lw, warp, 1, at(private_base)).value[0], expected[warp]) << warp;
    }
}

TEST_F(lsu_data, dead_private_lines_of_all_warps_of_a_block_are_discarded) {
    build({});
    for (unsigned warp = 0; warp < 4; ++warp) now(sw, warp, all_32, at(private_base), at(warp + 5));
    rig->unit().maintenance().discard_private(1, 2);
    EXPECT_EQ(cache().lines_discarded, 2u);
    const std::uint32_t expected[] = {5, 0, 0, 8};
    for (unsigned warp = 0; warp < 4; ++warp) {
        EXPECT_EQ(now(lw, warp, 1, at(private_base)).value[0], expected[warp]) << warp;
    }
}

TEST_F(lsu_data, dead_private_lines_are_discarded_not_written) {
    build({});
    now(sw, 0, all_32, at(private_base), at(5));
    now(sw, 1, all_32, at(private_base), at(6));
    rig->unit().maintenance().discard_private(0, 1);
    EXPECT_EQ(cache().lines_discarded, 1u);
    EXPECT_EQ(now(lw, 0, 1, at(private_base)).value[0], 0u) << "as memory has it";
    EXPECT_EQ(now(lw, 1, 1, at(private_base)).value[0], 6u) << "the other warp's stays";
    EXPECT_EQ(cache().write_backs, 0u);
    rig->unit().maintenance().invalidate_global();
    EXPECT_EQ(now(lw, 1, 1, at(private_base)).value[0], 6u) << "private lines are not global";
}

TEST_F(lsu_data, private_atomics_execute_in_memory_on_the_newest_data) {
    build({});
    now(sw, 0, all_32, at(private_base), at(5));
    EXPECT_EQ(now(amoadd_w, 0, all_32, at(private_base), at(2)).value[4], 5u);
    EXPECT_EQ(now(lw, 0, all_32, at(private_base)).value[4], 7u);
    access(lw, 0, 1, at(private_base + 64));
    access(sb, 0, 1, at(private_base + 64), at(1));
    const auto atomic = access(amoadd_w, 0, 1, at(private_base + 64), at(1));
    settle();
    EXPECT_EQ(results[atomic].value[0], 1u);
}

TEST_F(lsu_data, without_a_cache_private_memory_is_accessed_in_memory) {
    lsu_rig_options options;
    options.l1d.size = 0;
    options.l1d.cache_global = true;
    build(options);
    now(sw, 0, all_32, at(private_base + 8), [](unsigned l) { return l; });
    EXPECT_EQ(rig->memory.count(memory_kind::store), 1u);
    EXPECT_EQ(now(lw, 0, all_32, at(private_base + 8)).value[30], 30u);
    EXPECT_EQ(now(amoadd_w, 0, 2, at(private_base + 8), at(4)).value[1], 1u);
    EXPECT_EQ(now(lw, 0, 2, at(private_base + 8)).value[1], 5u);
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 0u);
    EXPECT_EQ(cache().loads, 0u);
}

TEST_F(lsu_data, of_several_stores_to_one_address_the_highest_lane_stays) {
    build({});
    now(sw, 0, 0xff, at(heap), [](unsigned lane) { return lane; });
    EXPECT_EQ(rig->memory.word(heap), 7u);
    now(
        sb, 0, 0xff, [](unsigned lane) { return heap + lane % 4; },
        [](unsigned lane) { return lane; });
    EXPECT_EQ(rig->memory.word(heap), 0x07060504u);
}

TEST_F(lsu_data, lanes_of_one_access_may_go_to_all_windows) {
    build({});
    const auto place = [](unsigned lane) {
        switch (lane % 3) {
            case 0:
                return heap + 4 * lane;
            case 1:
                return shared_base + 4 * lane;
            default:
                return private_base + 4 * (lane % 16);
        }
    };
    now(sw, 2, all_32, place, [](unsigned lane) { return 1000 + lane; });
    const auto& back = now(lw, 2, all_32, place);
    EXPECT_EQ(back.lanes, all_32);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(back.value[lane], 1000 + lane);
    EXPECT_EQ(now(amoadd_w, 2, all_32, place, at(1)).lanes, all_32);
    EXPECT_EQ(now(lw, 2, all_32, place).value[31], 1032u);
}

/// A block's shared memory may end within a word.
TEST_F(lsu_data, shared_memory_ends_with_its_last_byte) {
    build({});
    const auto ends_at = [](std::uint32_t bytes) {
        return [bytes](memory_instruction& m) { m.shared_bytes = bytes; };
    };
    access(lh, 0, 1, at(shared_base + 4), {}, {}, ends_at(6));
    access(lb, 0, 1, at(shared_base + 5), {}, {}, ends_at(6));
    settle();
    EXPECT_TRUE(faults.empty());
    access(lw, 0, 1, at(shared_base + 4), {}, {}, ends_at(6));
    access(lb, 0, 1, at(shared_base + 6), {}, {}, ends_at(6));
    // Lanes in two windows, which are looked at one by one.
    access(
        lw, 0, 3, [](unsigned lane) { return lane == 0 ? heap : shared_base + 4; }, {}, {},
        ends_at(6));
    settle();
    ASSERT_EQ(faults.size(), 3u);
    EXPECT_THAT(faults[0], testing::HasSubstr("lane 0: illegal read of 4 bytes at 0x10000004"));
    EXPECT_THAT(faults[1], testing::HasSubstr("lane 0: illegal read of 1 byte at 0x10000006"));
    EXPECT_THAT(faults[2], testing::HasSubstr("lane 1: illegal read of 4 bytes at 0x10000004"));
}

TEST_F(lsu_data, loads_extend_as_the_instruction_says) {
    build({});
    for (const std::uint32_t base : {heap, shared_base, private_base}) {
        now(sw, 0, 1, at(base), at(0x8081f2f3));
        EXPECT_EQ(now(lb, 0, 1, at(base + 1)).value[0], 0xfffffff2u);
        EXPECT_EQ(now(lbu, 0, 1, at(base + 1)).value[0], 0xf2u);
        EXPECT_EQ(now(lh, 0, 1, at(base + 2)).value[0], 0xffff8081u);
        EXPECT_EQ(now(lhu, 0, 1, at(base + 2)).value[0], 0x8081u);
    }
}

TEST_F(lsu_data, global_atomics_carry_operands_compares_and_reservations) {
    build({});
    rig->memory.set_word(heap + 4, 1);
    const auto& swapped = now(amocas_w, 0, 3, words_from(heap), at(9), at(1));
    EXPECT_EQ(swapped.value[0], 0u);
    EXPECT_EQ(swapped.value[1], 1u);
    EXPECT_EQ(rig->memory.word(heap), 0u);
    EXPECT_EQ(rig->memory.word(heap + 4), 9u);
    EXPECT_EQ(now(sc_w, 0, 1, at(heap), at(1)).value[0], 1u);
    now(lr_w, 0, 1, at(heap));
    EXPECT_EQ(now(sc_w, 0, 1, at(heap), at(6)).value[0], 0u);
    EXPECT_EQ(rig->memory.word(heap), 6u);
    const auto& spread = now(amoadd_w, 0, all_32, words_from(heap + 0x1000, 128), at(1));
    EXPECT_EQ(spread.lanes, all_32);
    EXPECT_EQ(rig->unit().report().counters().atomic_requests, 4u + 32u);
}

TEST_F(lsu_data, warps_of_64_lanes) {
    lsu_rig_options options;
    options.lanes = 64;
    build(options);
    now(sw, 1, ~isa::lane_mask{0}, at(private_base + 4), [](unsigned lane) { return lane; });
    now(sw, 1, ~isa::lane_mask{0}, words_from(heap), [](unsigned lane) { return 2 * lane; });
    EXPECT_EQ(rig->unit().report().counters().line_accesses, 4u);
    EXPECT_EQ(now(lw, 1, ~isa::lane_mask{0}, at(private_base + 4)).value[63], 63u);
    EXPECT_EQ(now(lw, 1, ~isa::lane_mask{0}, words_from(heap)).value[63], 126u);
}

}  // namespace
}  // namespace heddle
