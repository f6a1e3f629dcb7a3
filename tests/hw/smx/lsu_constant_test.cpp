// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <list>

#include "models/base/random.h"
#include "tests/hw/smx/lsu_fixture.h"

/// The constant cache: which loads use it, when they have their value, whose values they see.
namespace heddle {
namespace {

using namespace encoding;
using protocol::memory_kind;
using testing::HasSubstr;

constexpr std::uint32_t parameters = 0xc0001000;
constexpr std::uint32_t parameter_bytes = 4096;
constexpr std::uint32_t code = 0x00010000;  ///< read-only: of the fixture
constexpr unsigned hit_latency = 7;
constexpr unsigned memory_latency = 50;
constexpr unsigned miss_latency = 1 + memory_latency + 1;  ///< a cycle on the link each way

class lsu_constant : public lsu_fixture {
protected:
    static lsu_rig_options options() {
        lsu_rig_options options;
        options.l1d.cache_global = true;
        options.constant_cache.size = 512;
        options.constant_cache.line = 64;
        options.constant_cache.ways = 2;
        options.constant_cache.hit_latency = hit_latency;
        options.constant_cache.ports = 1;
        options.lsu.queue_depth = 16;
        options.lsu.request_queue = 64;
        options.memory.minimum_latency = memory_latency;
        options.memory.accept_in_call = true;
        return options;
    }
    void start(const lsu_rig_options& options) {
        build(options);
        rig->ranges.place({parameters, parameter_bytes, false, "parameters of k", true, true});
        loads_constants = true;
    }
    [[nodiscard]] std::uint64_t took(std::size_t tag) const {
        return results[tag].completed - results[tag].accepted;
    }
    [[nodiscard]] load_cache_counts constants() {
        return rig->unit().report().constants(domain->edge_count());
    }
};

TEST_F(lsu_constant, a_hit_takes_the_hit_latency_and_hits_are_pipelined) {
    start(options());
    now(lw, 0, all_32, at(parameters));
    std::vector<std::size_t> hits;
    for (unsigned i = 0; i < 4; ++i) hits.push_back(access(lw, i, all_32, at(parameters + 4 * i)));
    settle();
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(took(hits[i]), hit_latency + i);
    EXPECT_EQ(constants().hits, 4U);
    EXPECT_EQ(rig->memory.log().size(), 1U) << "a warm cache asks memory for nothing";
}

/// The loads of one cycle beyond the ports wait in the queue, which serves one a cycle.
TEST_F(lsu_constant, a_cycle_serves_as_many_loads_as_there_are_ports) {
    lsu_rig_options o = options();
    o.constant_cache.ports = 3;
    start(o);
    now(lw, 0, all_32, at(parameters));
    std::vector<std::size_t> hits;
    for (unsigned i = 0; i < 5; ++i) hits.push_back(access(lw, i, all_32, at(parameters + 4 * i)));
    settle();
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(took(hits[i]), hit_latency) << i;
    EXPECT_EQ(took(hits[3]), hit_latency + 1U);
    EXPECT_EQ(took(hits[4]), hit_latency + 2U);
}

TEST_F(lsu_constant, lanes_at_different_words_take_turns) {
    start(options());
    now(lw, 0, 1, at(parameters));
    for (const unsigned words : {1U, 2U, 5U, 16U}) {
        const auto hit =
            access(lw, 0, all_32, [&](unsigned lane) { return parameters + 4 * (lane % words); });
        const auto behind = access(lw, 1, all_32, at(parameters));
        settle();
        EXPECT_EQ(took(hit), hit_latency + words - 1) << words << " words";
        EXPECT_EQ(took(behind), hit_latency + words) << words << " words";
    }
    const auto bytes = access(lbu, 0, all_32, [](unsigned lane) { return parameters + lane % 4; });
    settle();
    EXPECT_EQ(took(bytes), hit_latency) << "the bytes of a word are one access";
}

TEST_F(lsu_constant, a_miss_fetches_the_line_and_others_join_it) {
    start(options());
    const auto miss = access(lw, 0, all_32, at(parameters + 68));
    const auto joined = access(lw, 1, all_32, at(parameters + 124));
    settle();
    EXPECT_EQ(took(miss), miss_latency);
    EXPECT_EQ(took(joined), miss_latency);
    ASSERT_EQ(rig->memory.log().size(), 1U);
    EXPECT_EQ(rig->memory.log()[0].address, parameters + 64);
    EXPECT_EQ(rig->memory.log()[0].length, 64U);
    EXPECT_FALSE(rig->memory.log()[0].bypass);
    EXPECT_EQ(constants().misses, 1U);
    EXPECT_EQ(constants().mshr_merges, 1U);
}

TEST_F(lsu_constant, several_misses_are_under_way_and_one_too_many_waits) {
    lsu_rig_options o = options();
    o.constant_cache.mshrs = 2;
    start(o);
    const auto first = access(lw, 0, 1, at(parameters));
    const auto second = access(lw, 0, 1, at(parameters + 64));
    const auto third = access(lw, 0, 1, at(parameters + 128));
    run(20);
    EXPECT_THAT(rig->waiting_for(), HasSubstr("'lw' of warp 0 waits: constant_cache"));
    settle();
    EXPECT_EQ(took(first), miss_latency);
    EXPECT_EQ(took(second), miss_latency + 1U);
    EXPECT_EQ(took(third), 2U * miss_latency) << "it goes when the first register is free";
    EXPECT_EQ(constants().reservation_fails, miss_latency - 2U);
    EXPECT_EQ(fails(reservation_fail::mshr_full), 0U) << "nothing waited for L1D";
}

TEST_F(lsu_constant, a_miss_takes_so_many_targets) {
    lsu_rig_options o = options();
    o.constant_cache.mshr_targets = 2;
    start(o);
    for (unsigned i = 0; i < 2; ++i) access(lw, i, 1, at(parameters));
    const auto third = access(lw, 2, 1, at(parameters));
    settle();
    EXPECT_EQ(took(third), miss_latency + hit_latency);
    EXPECT_EQ(constants().hits, 1U);
}

/// The code and the address decide, whatever words the lanes want.
TEST_F(lsu_constant, constants_are_loads_that_the_program_marks_and_that_find_constants) {
    start(options());
    const auto is_constant = [&](std::uint32_t match, const lane_function& address,
                                 isa::lane_mask lanes = all_32) {
        const std::uint64_t before = constants().accesses;
        now(match, 0, lanes, address);
        return constants().accesses != before;
    };
    EXPECT_TRUE(is_constant(lw, at(parameters)));
    EXPECT_TRUE(is_constant(lw, words_from(parameters)));
    EXPECT_TRUE(is_constant(lhu, at(parameters)));
    EXPECT_FALSE(is_constant(lw, at(code))) << "read-only, but not constant";
    EXPECT_FALSE(is_constant(lw, at(heap))) << "may be written";
    EXPECT_FALSE(is_constant(lw, at(0xc0000000))) << "reserve that may be written";
    EXPECT_FALSE(is_constant(lw, at(shared_base)));
    EXPECT_FALSE(is_constant(lw, at(private_base)));
    // Lanes in several allocations: each goes its way.
    EXPECT_TRUE(is_constant(lw, [](unsigned lane) { return lane < 2 ? parameters : heap; }));
    EXPECT_EQ(results.back().lanes, all_32);
    loads_constants = false;
    for (const isa::lane_mask lanes : {isa::lane_mask{1}, isa::lane_mask{all_32}}) {
        EXPECT_FALSE(is_constant(lw, at(parameters), lanes)) << "by a pointer, as the code says";
    }
    EXPECT_TRUE(faults.empty());
}

TEST_F(lsu_constant, the_time_of_each_word_is_taken) {
    start(options());
    now(lw, 0, all_32, at(parameters));
    now(lw, 0, all_32, [](unsigned lane) { return parameters + 4 * (lane % 4); });
    const histogram& times = rig->unit().report().constant_latency();
    EXPECT_EQ(times.samples(), 5U);
    EXPECT_EQ(times.maximum(), miss_latency);
    EXPECT_EQ(times.minimum(), hit_latency);
    EXPECT_EQ(times.sum(), miss_latency + 4 * hit_latency + 1 + 2 + 3);
}

TEST_F(lsu_constant, without_the_cache_they_are_loads_of_global_memory) {
    lsu_rig_options o = options();
    o.constant_cache.size = 0;
    start(o);
    for (unsigned i = 0; i < 2; ++i) now(lw, 0, all_32, at(parameters));
    EXPECT_EQ(constants().accesses, 0U);
    EXPECT_EQ(rig->unit().report().counters().uncached_loads, 2U) << "the reserve bypasses L1D";
}

TEST_F(lsu_constant, a_store_to_parameters_is_a_fault) {
    start(options());
    now(lw, 0, 1, at(parameters));
    now(sw, 0, 1, at(parameters), at(1));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_THAT(faults[0], HasSubstr("illegal write of 4 bytes"));
}

TEST_F(lsu_constant, a_launch_does_not_see_the_parameters_of_the_one_before) {
    start(options());
    rig->memory.set_word(parameters, 1);
    EXPECT_EQ(now(lw, 0, 1, at(parameters)).value[0], 1U);
    rig->memory.set_word(parameters, 2);  // the host uses the buffer again
    rig->unit().maintenance().begin_launch();
    EXPECT_EQ(now(lw, 0, 1, at(parameters)).value[0], 2U);
    EXPECT_EQ(constants().lines_dropped, 1U);
}

TEST_F(lsu_constant, a_fill_under_way_when_a_launch_begins_is_not_installed) {
    start(options());
    rig->memory.set_word(parameters, 1);
    const auto before = access(lw, 0, 1, at(parameters));
    run(5);
    rig->unit().maintenance().begin_launch();
    const auto after = access(lw, 1, 1, at(parameters));
    settle();
    EXPECT_EQ(results[before].value[0], 1U) << "who waited is served";
    EXPECT_EQ(results[after].lanes, 1U);
    EXPECT_EQ(constants().misses, 2U) << "nobody joins a miss of before the launch";
    EXPECT_EQ(constants().fills_not_installed, 1U);
    now(lw, 1, 1, at(parameters));
    EXPECT_EQ(constants().hits, 1U) << "the second fill is installed";
}

TEST_F(lsu_constant, fences_and_evictions_of_l1d_leave_constants_alone) {
    start(options());
    now(lw, 0, 1, at(parameters));
    rig->unit().maintenance().invalidate_global();
    now(lw, 0, 1, at(parameters));
    EXPECT_EQ(constants().hits, 1U);
}

TEST_F(lsu_constant, loads_of_constants_are_no_loads_of_global_memory) {
    start(options());
    for (unsigned i = 0; i < 3; ++i) now(lw, 0, 1, at(parameters));
    EXPECT_EQ(rig->unit().report().latency().total().samples(), 0U);
    now(lw, 0, 1, at(heap));
    EXPECT_EQ(rig->unit().report().latency().total().samples(), 1U);
    EXPECT_EQ(cache().loads, 1U);
}

/// One set, loads one after another: hits and misses are those of a list of the lines that were
/// used last, values are memory's.
TEST_F(lsu_constant, hits_and_values_are_those_of_a_reference) {
    lsu_rig_options o = options();
    o.constant_cache.ways = 4;
    o.constant_cache.size = 256;
    start(o);
    random_stream random(11, "constants");
    std::list<std::uint32_t> lines;  // the last used first
    std::uint64_t hits = 0;
    for (unsigned i = 0; i < 2000; ++i) {
        if (random.below(50) == 0) {
            for (std::uint32_t word = 0; word < 512; word += 4) {
                rig->memory.set_word(parameters + word, random.below(1U << 31));
            }
            rig->unit().maintenance().begin_launch();
            lines.clear();
        }
        const std::uint32_t address = parameters + 4 * random.below(128);
        const std::uint32_t line = address / 64;
        const auto found = std::find(lines.begin(), lines.end(), line);
        hits += found != lines.end() ? 1 : 0;
        if (found != lines.end()) {
            lines.erase(found);
        } else if (lines.size() == 4) {
            lines.pop_back();
        }
        lines.push_front(line);
        ASSERT_EQ(now(lw, 0, all_32, at(address)).value[31], rig->memory.word(address));
        ASSERT_EQ(constants().hits, hits) << "load " << i;
    }
    EXPECT_GT(hits, 500U);
    EXPECT_EQ(constants().accesses, 2000U);
}

/// Many loads at once, of all sizes and widths, with stalls of memory: every lane has its bytes.
TEST_F(lsu_constant, overlapping_loads_get_their_bytes) {
    lsu_rig_options o = options();
    o.constant_cache.mshrs = 2;
    o.constant_cache.mshr_targets = 3;
    o.memory.spread = 100;
    o.memory.stall_probability = 0.3;
    o.memory.accept_in_call = false;
    start(o);
    random_stream random(12, "constants");
    for (std::uint32_t word = 0; word < parameter_bytes; word += 4) {
        rig->memory.set_word(parameters + word, random.below(1U << 31));
    }
    struct load {
        std::size_t tag;
        std::uint32_t match, base, stride;
        isa::lane_mask lanes;
    };
    std::vector<load> loads;
    for (unsigned i = 0; i < 600; ++i) {
        const std::uint32_t match = random.below(2) == 0 ? lw : lhu;
        const std::uint32_t base = parameters + 4 * random.below(512);
        const std::uint32_t stride = 4 * (random.below(3) == 0 ? random.below(8) : 0);
        const isa::lane_mask lanes = 1 + random.below(all_32);
        loads.push_back(
            {access(match, i % 8, lanes, words_from(base, stride)), match, base, stride, lanes});
    }
    settle();
    for (const load& l : loads) {
        const outcome& got = results[l.tag];
        ASSERT_EQ(got.lanes, l.lanes);
        bits::for_each(l.lanes, [&](unsigned lane) {
            const std::uint32_t word = rig->memory.word(l.base + l.stride * lane);
            EXPECT_EQ(got.value[lane], l.match == lw ? word : word & 0xffff);
        });
    }
    const load_cache_counts c = constants();
    EXPECT_EQ(c.accesses, c.hits + c.mshr_merges + c.misses);
    EXPECT_EQ(c.misses, rig->memory.count(memory_kind::load));
    EXPECT_GT(c.mshr_merges, 0U);
    EXPECT_GT(constants().reservation_fails, 0U);
}

}  // namespace
}  // namespace heddle
