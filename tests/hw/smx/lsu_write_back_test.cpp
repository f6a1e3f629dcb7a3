// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/hw/smx/lsu_fixture.h"

/// Global memory in an L1D that writes back: the list of dirty lines, the cache, and the load-store
/// unit with it.
namespace heddle {
namespace {

using namespace encoding;
using outcome = l1_data_cache::outcome;
using protocol::memory_kind;
using testing::ElementsAre;

std::vector<std::uint32_t> numbers_of(const owner_set& owners) {
    std::vector<std::uint32_t> numbers;
    owners.for_each([&](access_owner owner) { numbers.push_back(owner.value()); });
    return numbers;
}

TEST(owner_set_test, holds_up_to_128_owners) {
    owner_set owners{access_owner(127)};
    owners.add(access_owner(64));
    owners |= owner_set(std::uint64_t{5});
    EXPECT_THAT(numbers_of(owners), ElementsAre(0, 2, 64, 127));
    EXPECT_TRUE(owners.meets(owner_set(access_owner(64))));
    EXPECT_FALSE(owners.meets(owner_set(access_owner(1))));
    owners.remove(access_owner(64));
    EXPECT_FALSE(owners.has(access_owner(64)));
}

TEST(dirty_lines_test, the_oldest_comes_first_also_when_others_go) {
    dirty_lines lines(4);
    for (const std::uint32_t place : {2, 0, 3, 1}) EXPECT_TRUE(lines.add(place, access_owner(0)));
    EXPECT_FALSE(lines.add(2, access_owner(0))) << "the owner has written it already";
    EXPECT_TRUE(lines.add(2, access_owner(9)));
    EXPECT_THAT(numbers_of(lines.remove(0)), ElementsAre(0));
    EXPECT_EQ(lines.oldest(), 2u);
    EXPECT_THAT(numbers_of(lines.remove(2)), ElementsAre(0, 9));
    EXPECT_EQ(lines.oldest(), 3u);
    EXPECT_TRUE(lines.add(2, access_owner(0)));
    (void)lines.remove(3);
    (void)lines.remove(1);
    EXPECT_EQ(lines.oldest(), 2u) << "dirty again, behind the others";
}

TEST(dirty_lines_test, knows_whose_writes_the_lines_hold) {
    dirty_lines lines(3);
    (void)lines.add(0, access_owner(1));
    (void)lines.add(1, access_owner(1));
    (void)lines.add(1, access_owner(100));
    EXPECT_TRUE(lines.hold_any_of(owner_set(access_owner(100))));
    (void)lines.remove(1);
    EXPECT_FALSE(lines.hold_any_of(owner_set(access_owner(100))));
    EXPECT_TRUE(lines.hold_any_of(owner_set(access_owner(1)))) << "line 0";
    (void)lines.remove(0);
    EXPECT_FALSE(lines.hold_any_of(owner_set(access_owner(1))));
}

class written_cache : public testing::Test {
protected:
    static l1_data_cache_configuration small() {
        l1_data_cache_configuration c;
        c.size = 512;
        c.ways = 4;
        c.mshrs = 4;
        c.cache_global = true;
        c.policy = write_policy::back;
        return c;
    }
    l1_data_cache::answer store(std::uint32_t line, const byte_mask& bytes, std::uint8_t value,
                                unsigned owner = 0, unsigned room = 8) {
        const std::vector<std::uint8_t> data(128, value);
        return cache.keep_global(line, bytes, data.data(), room,
                                 {access_owner(owner), warp_slot(owner)});
    }
    l1_data_cache::answer load(std::uint32_t line, const byte_mask& bytes) {
        return cache.load_global(line, bytes, 8);
    }
    const std::uint8_t* fill(miss_register miss, std::uint8_t value) {
        const std::vector<std::uint8_t> data(128, value);
        return cache.fill(miss, data.data());
    }

    l1_data_cache cache{small()};
    byte_mask low = byte_mask::bytes(0, 4);
    byte_mask high = byte_mask::bytes(64, 8);
};

/// What the watchdog counts.
TEST_F(written_cache, counts_stores_that_change_values) {
    ASSERT_EQ(store(0, low, 7).what, outcome::hit);
    EXPECT_EQ(cache.counters().changes, 1u) << "bytes that the cache did not hold";
    ASSERT_EQ(store(0, low, 7).what, outcome::hit);
    EXPECT_EQ(cache.counters().changes, 1u) << "the same value";
    ASSERT_EQ(store(0, low, 8).what, outcome::hit);
    EXPECT_EQ(cache.counters().changes, 2u);
    ASSERT_EQ(store(0, low | high, 8).what, outcome::hit);
    EXPECT_EQ(cache.counters().changes, 3u) << "some of the bytes are new";
    ASSERT_EQ(store(0, low | high, 8).what, outcome::hit);
    EXPECT_EQ(cache.counters().changes, 3u);
    ASSERT_EQ(store(0, byte_mask::bytes(32, 4), 0).what, outcome::hit);
    EXPECT_EQ(cache.counters().changes, 4u) << "memory may hold another value than 0";
}

TEST_F(written_cache, a_store_allocates_without_a_fetch) {
    EXPECT_TRUE(store(0, low, 5).first_write);
    EXPECT_FALSE(store(0, high, 6).first_write) << "the same owner, the same line";
    EXPECT_TRUE(store(0, high, 7, 3).first_write) << "another owner";
    EXPECT_EQ(load(0, low).what, outcome::hit);
    EXPECT_EQ(load(0, high).data[64], 7);
    const auto rest = load(0, byte_mask::bytes(0, 8));
    ASSERT_EQ(rest.what, outcome::missed) << "bytes 4 to 7 are in memory";
    const std::uint8_t* const line = fill(rest.miss, 1);
    EXPECT_EQ(line[3], 5);
    EXPECT_EQ(line[4], 1);
    EXPECT_EQ(line[71], 7);
    EXPECT_EQ(cache.counters().global_stores, 3u);
}

TEST_F(written_cache, a_line_that_goes_leaves_its_dirty_bytes) {
    for (std::uint32_t i = 0; i < 4; ++i) (void)store(i * 128, i == 0 ? high : low, 5, i);
    EXPECT_EQ(store(0x1000, low, 1, 0, 0).cause, reservation_fail::miss_queue_full);
    EXPECT_EQ(store(0x1000, low, 1).what, outcome::hit);
    ASSERT_NE(cache.evicted(), nullptr);
    EXPECT_EQ(cache.evicted()->address, 0u);
    EXPECT_TRUE(cache.evicted()->dirty == high);
    EXPECT_EQ(cache.evicted()->data[64], 5);
    EXPECT_THAT(numbers_of(cache.evicted()->writers), ElementsAre(0));
    EXPECT_EQ(cache.counters().write_backs, 1u);
    EXPECT_EQ(cache.counters().lines_cleaned, 0u);
}

TEST_F(written_cache, cleaning_takes_the_oldest_line_and_leaves_it_valid) {
    (void)store(128, low, 1);
    (void)store(0, low, 2);
    (void)store(128, high, 3, 4);
    cache.clean_oldest();
    ASSERT_NE(cache.evicted(), nullptr);
    EXPECT_EQ(cache.evicted()->address, 128u);
    EXPECT_TRUE(cache.evicted()->dirty == (low | high));
    EXPECT_THAT(numbers_of(cache.evicted()->writers), ElementsAre(0, 4));
    EXPECT_EQ(load(128, low).what, outcome::hit);
    EXPECT_EQ(cache.clean_global(128, 0).what, outcome::hit) << "clean: no room is needed";
    EXPECT_EQ(cache.evicted(), nullptr);
    EXPECT_EQ(cache.clean_global(0, 0).cause, reservation_fail::miss_queue_full);
    EXPECT_EQ(cache.clean_global(0, 1).what, outcome::hit);
    EXPECT_EQ(cache.evicted()->address, 0u);
    EXPECT_EQ(cache.dirty().oldest(), dirty_lines::none);
    EXPECT_EQ(cache.counters().lines_cleaned, 2u);
}

TEST_F(written_cache, an_invalidation_leaves_dirty_bytes_only) {
    const auto miss = load(0, low);
    fill(miss.miss, 1);
    (void)store(0, high, 2);
    const auto clean = load(128, low);
    fill(clean.miss, 1);
    cache.invalidate_global();
    EXPECT_EQ(load(0, high).what, outcome::hit);
    EXPECT_EQ(load(0, low).what, outcome::missed);
    EXPECT_EQ(load(128, low).what, outcome::missed);
    EXPECT_EQ(cache.counters().lines_dropped, 1u);
}

TEST_F(written_cache, a_store_under_a_miss_waits_if_a_load_wants_its_bytes) {
    const auto miss = load(0, low);
    EXPECT_EQ(store(0, byte_mask::bytes(2, 4), 9).cause, reservation_fail::line_reserved);
    EXPECT_EQ(store(0, high, 9).what, outcome::hit);
    EXPECT_EQ(load(0, low | high).what, outcome::pending) << "joins, and wants the high bytes, too";
    EXPECT_EQ(store(0, high, 8).cause, reservation_fail::line_reserved);
    const std::uint8_t* const line = fill(miss.miss, 1);
    EXPECT_EQ(line[0], 1);
    EXPECT_EQ(line[64], 9);
    EXPECT_EQ(store(0, high, 8).what, outcome::hit);
}

TEST_F(written_cache, an_invalidation_under_a_miss_takes_effect_with_the_fill) {
    (void)store(0, low, 5);
    const auto miss = load(0, low | high);
    ASSERT_EQ(miss.what, outcome::missed);
    cache.invalidate_global();
    EXPECT_EQ(load(0, low).cause, reservation_fail::line_reserved);
    EXPECT_EQ(store(0, byte_mask::bytes(32, 4), 6).cause, reservation_fail::line_reserved);
    EXPECT_EQ(cache.drop_global(0, 8).cause, reservation_fail::line_reserved);
    cache.invalidate_global();  // a second fence changes nothing
    const std::uint8_t* const line = fill(miss.miss, 1);
    EXPECT_EQ(line[0], 5) << "whoever waited sees the store before it";
    EXPECT_EQ(line[64], 1);
    EXPECT_EQ(load(0, low).what, outcome::hit) << "memory has not got these bytes";
    EXPECT_EQ(load(0, high).what, outcome::missed);
}

TEST_F(written_cache, bytes_that_were_cleaned_under_a_miss_are_seen_by_those_who_wait) {
    (void)store(0, low, 5);
    const auto miss = load(0, low | high);
    cache.clean_oldest();
    cache.invalidate_global();
    EXPECT_EQ(fill(miss.miss, 1)[0], 5);
    EXPECT_EQ(load(0, low).what, outcome::missed) << "it is clean, so nothing of it stays";
}

TEST(set_index_test, plain_sets_are_the_lowest_bits_of_the_line) {
    l1_data_cache_configuration c;
    c.size = 1024;  // 4 sets of 2 lines of 128 bytes
    c.ways = 2;
    c.cache_global = true;
    const byte_mask low = byte_mask::bytes(0, 4);
    for (const bool plain : {false, true}) {
        c.sets = plain ? set_index::plain : set_index::hashed;
        l1_data_cache cache(c);
        const std::vector<std::uint8_t> data(128, 1);
        for (const std::uint32_t line : {0, 512, 1024}) {
            cache.fill(cache.load_global(line, low, 8).miss, data.data());
        }
        EXPECT_EQ(cache.counters().evictions, plain ? 1u : 0u) << "all three are in set 0";
        EXPECT_EQ(cache.load_global(512, low, 8).what, outcome::hit);
    }
}

TEST(write_policy_test, is_through_unless_the_cache_keeps_global_lines) {
    l1_data_cache_configuration c;
    c.policy = write_policy::back;
    EXPECT_FALSE(l1_data_cache(c).writes_back());
    c.cache_global = true;
    EXPECT_TRUE(l1_data_cache(c).writes_back());
    c.size = 0;
    EXPECT_FALSE(l1_data_cache(c).writes_back());
}

class lsu_write_back : public lsu_fixture {
protected:
    static lsu_rig_options options() {
        lsu_rig_options o;
        o.l1d.cache_global = true;
        o.l1d.policy = write_policy::back;
        return o;
    }
    [[nodiscard]] std::uint32_t writes(unsigned owner) {
        return rig->unit().outstanding_writes(access_owner(owner));
    }
    void write_back(unsigned owner) {
        (void)rig->unit().maintenance().write_back(owner_set(access_owner(owner)));
        rig->wake();
        settle();
    }
};

TEST_F(lsu_write_back, a_store_stays_until_its_owner_is_written_back) {
    build(options());
    now(sw, 2, all_32, words_from(heap), [](unsigned lane) { return lane + 1; });
    now(sw, 2, 1, at(heap), at(100));
    EXPECT_TRUE(rig->memory.log().empty());
    EXPECT_EQ(writes(2), 1u) << "a line";
    EXPECT_TRUE(drained.empty());
    EXPECT_EQ(now(lw, 3, all_32, words_from(heap)).value[0], 100u);
    write_back(3);
    EXPECT_TRUE(rig->memory.log().empty()) << "warp 3 has written nothing";
    write_back(2);
    EXPECT_EQ(rig->memory.count(memory_kind::write_back), 1u);
    EXPECT_EQ(rig->memory.word(heap), 100u);
    EXPECT_EQ(rig->memory.word(heap + 4), 2u);
    EXPECT_EQ(writes(2), 0u);
    EXPECT_THAT(drained, ElementsAre(2u));
    now(lw, 3, all_32, words_from(heap));
    EXPECT_EQ(rig->memory.count(memory_kind::load), 0u) << "the line is still here";
}

TEST_F(lsu_write_back, lines_go_in_the_order_in_which_they_became_dirty) {
    build(options());
    for (const unsigned line : {3, 1, 2}) now(sw, 0, 1, at(heap + 128 * line), at(line));
    now(sw, 1, 1, at(heap + 3 * 128 + 64), at(9));
    now(sw, 1, 1, at(heap + 4 * 128), at(9));
    write_back(0);
    const auto& log = rig->memory.log();
    ASSERT_EQ(log.size(), 3u) << "line 4 is warp 1's alone";
    EXPECT_EQ(log[0].address, heap + 3 * 128u);
    EXPECT_EQ(log[0].length, 68u) << "from the first to the last dirty word";
    EXPECT_EQ(log[1].address, heap + 128u);
    EXPECT_EQ(log[2].address, heap + 2 * 128u);
    EXPECT_GT(log[1].edge, log[0].edge) << "one in a cycle";
    EXPECT_EQ(writes(1), 1u) << "line 4; line 3 is in memory";
}

TEST_F(lsu_write_back, bytes_of_other_smxs_in_the_line_stay_as_they_are) {
    build(options());
    now(sb, 0, 1, at(heap + 1), at(0xab));
    now(sb, 0, 1, at(heap + 7), at(0xcd));
    rig->memory.set_word(heap, 0x11111111);  // another SMX, meanwhile
    rig->memory.set_word(heap + 4, 0x22222222);
    write_back(0);
    EXPECT_EQ(rig->memory.word(heap), 0x1111ab11u);
    EXPECT_EQ(rig->memory.word(heap + 4), 0xcd222222u);
}

TEST_F(lsu_write_back, a_store_in_the_queue_is_written_back_later) {
    build(options());
    access(sw, 0, all_32, words_from(heap, 256), at(5));  // 32 lines
    run(4);
    (void)rig->unit().maintenance().write_back(owner_set(access_owner(0)));
    settle();
    EXPECT_EQ(rig->memory.count(memory_kind::write_back), 32u);
    EXPECT_EQ(writes(0), 0u);
}

TEST_F(lsu_write_back, atomics_and_loads_past_the_cache_see_earlier_stores) {
    build(options());
    now(sw, 0, 1, at(heap), at(5));
    EXPECT_EQ(now(amoadd_w, 1, 1, at(heap), at(2)).value[0], 5u);
    EXPECT_EQ(writes(0), 0u) << "it was written back";
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 7u) << "the atomic dropped the line";
    now(sw, 0, 1, at(heap), at(9));
    EXPECT_EQ(now(ldcg_w, 1, 1, at(heap)).value[0], 9u);
    EXPECT_EQ(rig->memory.word(heap), 9u);
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 9u);
    EXPECT_EQ(rig->memory.count(memory_kind::load), 2u) << "ldcg leaves the line where it is";
}

TEST_F(lsu_write_back, evicted_lines_are_acknowledged_to_all_their_writers) {
    lsu_rig_options o = options();
    o.l1d.size = 256;
    o.l1d.ways = 2;
    build(o);
    now(sw, 0, 1, at(heap), at(1));
    now(sw, 1, 1, at(heap + 4), at(2));
    now(sw, 0, 1, at(heap + 128), at(3));
    EXPECT_EQ(writes(0), 2u);
    now(sw, 5, 1, at(heap + 256), at(4));
    EXPECT_EQ(rig->memory.word(heap + 4), 2u);
    EXPECT_EQ(writes(0), 1u);
    EXPECT_EQ(writes(1), 0u);
    EXPECT_THAT(drained, ElementsAre(1u));
    EXPECT_EQ(now(lw, 0, 3, words_from(heap)).value[1], 2u) << "it comes back from memory";
}

TEST_F(lsu_write_back, stores_that_miss_may_go_around_the_cache) {
    lsu_rig_options o = options();
    o.l1d.missed_store = store_miss::around;
    build(o);
    now(sw, 0, 1, at(heap), at(5));
    EXPECT_EQ(rig->memory.count(memory_kind::store), 1u);
    EXPECT_EQ(rig->memory.word(heap), 5u);
    EXPECT_EQ(writes(0), 0u) << "memory has acknowledged it";
    EXPECT_EQ(now(lw, 0, 1, at(heap)).value[0], 5u);
    EXPECT_EQ(rig->memory.count(memory_kind::load), 1u) << "the store has left no line";
    now(sw, 0, 1, at(heap + 4), at(6));
    EXPECT_EQ(rig->memory.count(memory_kind::store), 1u) << "the load has";
    EXPECT_EQ(writes(0), 1u);
    now(sw, 0, all_32, at(private_base), at(7));
    EXPECT_EQ(rig->memory.count(memory_kind::store), 1u) << "private lines stay";
    EXPECT_EQ(rig->unit().report().l1d(0).stores_around, 1u);
    EXPECT_EQ(rig->unit().report().l1d(0).thread_accesses, 3u + 32u);
}

TEST_F(lsu_write_back, the_runtime_reserve_is_written_through) {
    build(options());
    now(sw, 0, 1, at(0xc0000010), at(9));
    EXPECT_EQ(rig->memory.count(memory_kind::store), 1u);
    EXPECT_EQ(rig->memory.word(0xc0000010), 9u);
    EXPECT_EQ(writes(0), 0u);
}

TEST_F(lsu_write_back, private_lines_are_not_written_back_with_global_ones) {
    build(options());
    now(sw, 0, all_32, at(private_base), at(5));
    now(sw, 0, 1, at(heap), at(1));
    write_back(0);
    EXPECT_EQ(rig->memory.count(memory_kind::write_back), 1u);
    EXPECT_EQ(cache().lines_cleaned, 1u);
    rig->unit().maintenance().discard_private(0, 1);
    EXPECT_EQ(now(lw, 0, 1, at(private_base)).value[0], 0u);
}

}  // namespace
}  // namespace heddle
