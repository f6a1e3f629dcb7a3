// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/random.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/smx/lsu_fixture.h"

/// When the load-store unit does what, what makes it wait, and what it refuses.
namespace heddle {
namespace {

using namespace encoding;
using protocol::memory_kind;
using testing::ElementsAre;

class lsu_timing : public lsu_fixture {
protected:
    lsu_rig_options cached() {
        lsu_rig_options options;
        options.l1d.cache_global = true;
        options.l1d.hit_latency = 7;
        options.shared.latency = 9;
        options.lsu.queue_depth = 16;
        options.lsu.request_queue = 64;
        return options;
    }
    [[nodiscard]] std::uint64_t took(std::size_t tag) const {
        return results[tag].completed - results[tag].accepted;
    }
};

TEST_F(lsu_timing, a_hit_takes_the_hit_latency_and_hits_are_pipelined) {
    build(cached());
    now(lw, 0, all_32, words_from(heap));
    std::vector<std::size_t> hits;
    for (unsigned i = 0; i < 4; ++i) hits.push_back(access(lw, 0, all_32, words_from(heap)));
    settle();
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(took(hits[i]), 7u + i);
}

/// One after another, a request a cycle, whatever the time that each spends on its way.
TEST_F(lsu_timing, the_ways_to_and_from_the_link_take_their_time_and_overlap) {
    lsu_rig_options options;
    options.memory.minimum_latency = 50;
    options.memory.accept_in_call = true;
    options.lsu.request_latency = 12;
    options.lsu.return_latency = 5;
    build(options);
    const outcome& one = now(lw, 0, 1, at(heap));
    EXPECT_EQ(one.completed - one.accepted, 52U + 12 + (5 - 1));
    EXPECT_EQ(rig->memory.log().back().edge, one.accepted + 12 + 1) << "seen a cycle later";
    const outcome& eight = now(lw, 0, 0xff, words_from(heap, 128));
    EXPECT_EQ(eight.completed - eight.accepted, 52U + 12 + (5 - 1) + 7);
    EXPECT_EQ(rig->unit().report().latency().in(load_stage::crossbar).maximum(), 52U);
    EXPECT_EQ(rig->unit().report().latency().in(load_stage::l1).minimum(), 12U + (5 - 1));
}

/// What is on its way to the link takes no place in the queue before the link.
TEST_F(lsu_timing, requests_on_their_way_to_the_link_do_not_fill_its_queue) {
    std::vector<std::uint64_t> took;
    for (const std::uint32_t latency : {0U, 40U}) {
        const process_result result = run_in_child([&](std::string& output) {
            lsu_rig_options options;
            options.memory.accept_in_call = true;
            options.lsu.request_queue = 2;
            options.lsu.request_latency = latency;
            build(options);
            const outcome& all = now(lw, 0, all_32, words_from(heap, 128));
            output = std::to_string(all.completed - all.accepted);
            return 0;
        });
        ASSERT_EQ(result.exit_code, 0) << result.output;
        took.push_back(std::stoull(result.output));
    }
    EXPECT_EQ(took[1], took[0] + 40);
}

TEST_F(lsu_timing, a_divergent_hit_takes_one_cycle_a_line) {
    build(cached());
    now(lw, 0, all_32, words_from(heap, 128));
    EXPECT_EQ(rig->unit().report().counters().line_accesses, 32u);
    now(lw, 0, 0xff, words_from(heap, 128));
    EXPECT_EQ(took(1), 7u + 7u);
}

/// One line of each bank a cycle: as many cycles as the lines of the fullest bank.
TEST_F(lsu_timing, hits_in_different_banks_take_one_cycle) {
    lsu_rig_options options = cached();
    options.l1d.banks = 16;
    build(options);
    const auto line = [](unsigned lane, unsigned stride) { return heap + 128 * stride * lane; };
    // {lanes, lines between them, cycles}: both edges, and between
    const struct {
        isa::lane_mask lanes;
        unsigned stride;
        unsigned cycles;
    } cases[] = {{0xffff, 1, 1}, {0xffff, 3, 1}, {0xffff, 2, 2}, {0xff, 4, 2},
                 {0xf, 8, 2},    {0xff, 8, 4},   {0xf, 16, 4},   {0xff, 16, 8}};
    std::uint64_t conflicts = 0;
    for (const auto& c : cases) {
        const auto address = [&](unsigned lane) { return line(lane, c.stride); };
        now(lw, 0, c.lanes, address);  // they come in
        conflicts = rig->unit().report().counters().bank_conflicts;
        const outcome& hit = now(lw, 0, c.lanes, address);
        EXPECT_EQ(hit.completed - hit.accepted, 7U + c.cycles - 1) << c.stride;
        EXPECT_EQ(rig->unit().report().counters().bank_conflicts, conflicts + c.cycles - 1)
            << c.stride;
    }
}

/// Lanes a, a', b, b' with a, a' in one bank and b, b' in another: two cycles, not three.
TEST_F(lsu_timing, a_line_does_not_wait_for_the_banks_of_lanes_before_it) {
    lsu_rig_options options = cached();
    options.l1d.banks = 16;
    build(options);
    const std::array<unsigned, 4> lines{0, 16, 1, 17};
    const auto address = [&](unsigned lane) { return heap + 128 * lines[lane % 4]; };
    now(lw, 0, 0xf, address);
    const outcome& hit = now(lw, 0, 0xf, address);
    EXPECT_EQ(hit.completed - hit.accepted, 7U + 1U);
}

/// Misses of a cycle need a miss register and a request each; what does not go waits.
TEST_F(lsu_timing, banks_do_not_widen_the_way_to_memory) {
    lsu_rig_options options = cached();
    options.l1d.banks = 16;
    options.l1d.mshrs = 4;
    options.memory.accept_in_call = true;
    build(options);
    now(lw, 0, 0xff, words_from(heap, 128));
    const auto& log = rig->memory.log();
    ASSERT_EQ(log.size(), 8U);
    for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(log[i].edge, log[0].edge + i) << "one a cycle";
    EXPECT_GT(fails(reservation_fail::mshr_full), 0U);
    // What does not use L1D goes one line a cycle.
    now(ldcg_w, 0, 0xff, words_from(heap + 4096, 128));
    EXPECT_EQ(results[1].completed - results[1].accepted,
              7U + 1U + options.memory.minimum_latency + 1U);
    EXPECT_EQ(rig->unit().report().counters().bank_conflicts, 0U);
}

TEST_F(lsu_timing, a_miss_takes_the_link_and_memory) {
    lsu_rig_options options = cached();
    options.memory.minimum_latency = 50;
    options.memory.accept_in_call = true;
    build(options);
    now(lw, 0, 1, at(heap));
    EXPECT_EQ(took(0), 1u + 50u + 1u);  // a cycle on the link in each direction
    now(ldcg_w, 0, 1, at(heap));
    EXPECT_EQ(took(1), 52u);
    now(amoadd_w, 0, 1, at(heap), at(1));
    EXPECT_EQ(took(2), 52u);
}

TEST_F(lsu_timing, one_request_a_cycle_leaves) {
    lsu_rig_options options = cached();
    options.memory.accept_in_call = true;
    build(options);
    now(ldcg_w, 0, 0xff, words_from(heap, 128));
    const auto& log = rig->memory.log();
    ASSERT_EQ(log.size(), 8u);
    for (unsigned i = 1; i < 8; ++i) EXPECT_EQ(log[i].edge, log[0].edge + i);
}

TEST_F(lsu_timing, shared_memory_takes_its_latency_and_its_conflicts_keep_it_busy) {
    build(cached());
    const auto plain = access(lw, 0, all_32, words_from(shared_base));
    const auto conflict = access(lw, 1, all_32, words_from(shared_base, 16));  // 4 lanes a bank
    const auto behind = access(lw, 2, all_32, at(shared_base));
    const auto last = access(lw, 3, all_32, at(shared_base));
    settle();
    EXPECT_EQ(took(plain), 9u);
    EXPECT_EQ(took(conflict), 1u + 9u + 3u);
    EXPECT_EQ(took(behind), 2u + 3u + 9u);
    EXPECT_EQ(took(last), 3u + 3u + 9u);
    EXPECT_EQ(rig->shared.counters().conflict_cycles, 3u);
}

/// The banks are free after a cycle a turn; the value comes when the instruction has been replayed.
TEST_F(lsu_timing, a_bank_conflict_is_replayed_and_others_overtake_it) {
    lsu_rig_options options = cached();
    options.shared.replay_latency = 14;
    build(options);
    const auto conflict = access(lw, 1, all_32, words_from(shared_base, 16));  // 4 lanes a bank
    const auto behind = access(lw, 2, all_32, at(shared_base));
    settle();
    EXPECT_EQ(took(conflict), 9u + 3u * 14u);
    EXPECT_EQ(took(behind), 1u + 3u + 9u) << "the banks are busy for four cycles";
}

TEST_F(lsu_timing, writes_keep_the_banks_of_shared_memory_for_their_interval) {
    lsu_rig_options options = cached();
    options.shared.write_interval = 2;
    build(options);
    access(sw, 1, all_32, words_from(shared_base, 16), at(7));  // 4 lanes a bank
    const auto behind = access(lw, 2, all_32, at(shared_base));
    const auto last = access(lw, 3, all_32, at(shared_base));
    settle();
    EXPECT_EQ(took(behind), 4u * 2u + 9u);
    EXPECT_EQ(took(last), 4u * 2u + 1u + 9u) << "a load takes one cycle";
}

TEST_F(lsu_timing, a_store_is_complete_when_it_leaves_and_drained_when_acknowledged) {
    lsu_rig_options options = cached();
    options.memory.accept_in_call = true;
    build(options);
    const auto store = access(sw, 5, 3, words_from(heap, 128), at(1));
    run(10);
    EXPECT_EQ(took(store), 1u);
    EXPECT_EQ(rig->unit().outstanding_instructions(access_owner(5)), 0u);
    EXPECT_EQ(rig->unit().outstanding_writes(access_owner(5)), 2u);
    EXPECT_TRUE(drained.empty());
    settle();
    EXPECT_EQ(rig->unit().outstanding_writes(access_owner(5)), 0u);
    EXPECT_THAT(drained, ElementsAre(5u));
    now(sw, 5, 1, at(shared_base), at(1));
    EXPECT_THAT(drained, ElementsAre(5u, 5u));
}

TEST_F(lsu_timing, the_queue_holds_what_it_is_configured_to) {
    lsu_rig_options options = cached();
    options.lsu.queue_depth = 2;
    build(options);
    for (unsigned i = 0; i < 4; ++i) access(ldcg_w, 0, all_32, words_from(heap, 128));
    run(3);
    EXPECT_FALSE(rig->unit().can_accept());
    settle();
    EXPECT_TRUE(rig->unit().can_accept());
    EXPECT_GE(results[2].accepted, results[0].accepted + 31);
}

// ---- reservation fails: each cause alone, and counted per cycle ---------------------------------

TEST_F(lsu_timing, fails_of_full_miss_registers) {
    lsu_rig_options options = cached();
    options.l1d.mshrs = 2;
    build(options);
    rig->memory.hold(true);
    const auto load = access(lw, 0, 7, words_from(heap, 128));
    settle();
    EXPECT_EQ(results[load].completed, 0u);
    // From the third cycle on, up to the last edge that has passed.
    const std::uint64_t until = domain->edge_count();
    const std::uint64_t waited = until - (results[load].accepted + 2);
    EXPECT_EQ(rig->unit().report().reservation_fails(reservation_fail::mshr_full, until), waited);
    EXPECT_EQ(rig->unit().report().reservation_fails(reservation_fail::mshr_full, until + 100),
              waited + 100)
        << "sleeping or not";
    rig->memory.hold(false);
    settle();
    EXPECT_EQ(results[load].lanes, 7u);
    EXPECT_EQ(fails(reservation_fail::mshr_merge_full), 0u);
    EXPECT_EQ(fails(reservation_fail::miss_queue_full), 0u);
    EXPECT_EQ(fails(reservation_fail::line_reserved), 0u);
}

TEST_F(lsu_timing, fails_of_full_targets) {
    lsu_rig_options options = cached();
    options.l1d.mshr_targets = 2;
    build(options);
    for (unsigned warp = 0; warp < 3; ++warp) access(lw, warp, 1, at(heap));
    settle();
    EXPECT_GT(fails(reservation_fail::mshr_merge_full), 0u);
    EXPECT_EQ(fails(reservation_fail::mshr_full), 0u);
    EXPECT_EQ(cache().mshr_merges, 1u);
    EXPECT_EQ(cache().hits, 1u) << "the third found the line";
    EXPECT_EQ(cache().misses, 1u);
    EXPECT_EQ(results[2].lanes, 1u);
}

TEST_F(lsu_timing, fails_of_a_full_request_queue) {
    lsu_rig_options options = cached();
    options.lsu.request_queue = 2;
    build(options);
    rig->memory.hold(true);
    access(lw, 0, 0xff, words_from(heap, 128));
    access(sw, 0, 0xff, words_from(heap + 0x10000, 128), at(3));
    run(20);
    EXPECT_GT(fails(reservation_fail::miss_queue_full), 10u);
    rig->memory.hold(false);
    settle();
    EXPECT_EQ(fails(reservation_fail::mshr_full), 0u);
    EXPECT_EQ(rig->memory.word(heap + 0x10000 + 7 * 128), 3u);
}

TEST_F(lsu_timing, fails_of_reserved_lines) {
    lsu_rig_options options = cached();
    options.l1d.size = 256;
    options.l1d.ways = 2;
    build(options);
    const auto load = access(lw, 0, 7, words_from(heap, 128));
    settle();
    EXPECT_EQ(results[load].lanes, 7u);
    EXPECT_GT(fails(reservation_fail::line_reserved), 0u);
    EXPECT_EQ(fails(reservation_fail::mshr_full), 0u);
}

/// An invalidation makes places free: who has waited for one tries again at the next edge.
TEST_F(lsu_timing, invalidation_ends_the_wait_for_a_reserved_line) {
    lsu_rig_options options = cached();
    options.l1d.size = 256;
    options.l1d.ways = 2;
    build(options);
    rig->memory.hold(true);
    access(lw, 0, 7, words_from(heap, 128));
    run(100);
    EXPECT_EQ(rig->port().outstanding(), 2u);
    rig->unit().maintenance().invalidate_global();
    rig->wake();
    run(20);
    EXPECT_EQ(rig->port().outstanding(), 3u);
    rig->memory.hold(false);
    settle();
    EXPECT_EQ(results[0].lanes, 7u);
}

TEST_F(lsu_timing, several_waits_for_one_cause_are_summed_up) {
    lsu_rig_options options = cached();
    options.l1d.size = 256;
    options.l1d.ways = 2;
    build(options);
    now(lw, 0, 7, words_from(heap, 128));
    const std::uint64_t first = fails(reservation_fail::line_reserved);
    rig->unit().maintenance().invalidate_global();
    now(lw, 0, 7, words_from(heap, 128));
    EXPECT_EQ(fails(reservation_fail::line_reserved), 2 * first);
}

TEST_F(lsu_timing, requests_under_way_are_limited) {
    lsu_rig_options options = cached();
    options.lsu.outstanding = 16;
    build(options);
    rig->memory.hold(true);
    access(ldcg_w, 0, all_32, words_from(heap, 128));
    settle();
    EXPECT_EQ(rig->port().outstanding(), 16u);
    rig->memory.hold(false);
    settle();
    EXPECT_EQ(results[0].lanes, all_32);
}

// ---- refused accesses ---------------------------------------------------------------------------

TEST_F(lsu_timing, illegal_accesses_are_refused_in_the_functional_simulators_words) {
    build(cached());
    access(lw, 0, all_32, [](unsigned lane) { return heap + 4 * lane + (lane >= 4 ? 2 : 0); });
    access(sw, 0, 0xc, at(0x10));
    access(lw, 0, all_32, words_from(heap + heap_bytes - 16));
    access(lw, 0, 1, at(shared_base + 16384));
    access(sb, 0, 1, at(private_base + 256));
    access(sw, 0, 1, at(0x10000));
    access(amoadd_w, 0, 1, at(0x10000));
    access(lw, 0, 1, at(private_base - 4));
    settle();
    EXPECT_THAT(
        faults,
        ElementsAre(
            "lane 4: misaligned read of 4 bytes at 0x40000012: the address must be a multiple of "
            "4; it is 18 bytes into 'heap' [0x40000000, 0x40100000)",
            "lane 2: illegal write of 4 bytes at 0x00000010: null pointer",
            "lane 4: illegal read of 4 bytes at 0x40100000: out of bounds: 0 bytes past 'heap' "
            "[0x40000000, 0x40100000)",
            "lane 0: illegal read of 4 bytes at 0x10004000: out of bounds: the block has 16384 "
            "bytes of shared memory at 0x10000000",
            "lane 0: illegal write of 1 byte at 0x20000100: out of bounds: a thread has 256 bytes "
            "of private memory at 0x20000000",
            "lane 0: illegal write of 4 bytes at 0x00010000: 'program code' is read-only",
            "lane 0: illegal atomic of 4 bytes at 0x00010000: 'program code' is read-only",
            "lane 0: illegal read of 4 bytes at 0x1ffffffc: stack overflow: a thread has 256 bytes "
            "of private memory"));
    EXPECT_EQ(rig->unit().outstanding_instructions(access_owner(0)), 0u);
    EXPECT_EQ(rig->unit().outstanding_writes(access_owner(0)), 0u);
    EXPECT_TRUE(rig->memory.log().empty());
    EXPECT_EQ(now(lr_w, 0, 1, at(0x10000)).lanes, 1u) << "lr.w only reads";
}

TEST_F(lsu_timing, released_memory_is_refused_although_it_was_legal_before) {
    build(cached());
    const std::uint32_t gone = rig->ranges.allocate(256, "gone");
    now(lw, 0, 1, at(gone));
    EXPECT_TRUE(faults.empty());
    rig->ranges.release(gone);
    now(lw, 0, 1, at(gone));
    EXPECT_EQ(faults.size(), 1u);
}

TEST_F(lsu_timing, an_access_may_span_allocations) {
    build(cached());
    const std::uint32_t other = rig->ranges.allocate(256, "other");
    const auto place = [=](unsigned lane) { return (lane % 2 == 0 ? heap : other) + 4 * lane; };
    now(sw, 0, all_32, place, [](unsigned lane) { return lane; });
    EXPECT_EQ(now(lw, 0, all_32, place).value[31], 31u);
    EXPECT_TRUE(faults.empty());
}

}  // namespace
}  // namespace heddle
