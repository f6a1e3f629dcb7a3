// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <numeric>

#include "models/base/random.h"
#include "tests/hw/smx/lsu_fixture.h"

/// Accesses of groups whose threads come from several warps and need not be in their home lanes.
namespace heddle {
namespace {

using namespace encoding;
using protocol::memory_kind;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

constexpr isa::lane_mask four = 0xf;

class lsu_gathered : public lsu_fixture {
protected:
    /// Number of a thread: home warp slot x warp size + home lane.
    [[nodiscard]] std::uint16_t thread(unsigned warp, unsigned lane) const {
        return static_cast<std::uint16_t>(warp * rig->options().lanes + lane);
    }
    /// An access of the threads `of`, by pipeline lane. The private regions are the home warps'.
    std::size_t gathered(std::uint32_t match, const std::vector<std::uint16_t>& of,
                         isa::lane_mask lanes, lane_function address, lane_function data = {},
                         unsigned owner = 0) {
        const auto gather = [this, of, owner](memory_instruction& m) {
            m.owner = access_owner(owner);
            m.gathered = true;
            for (std::size_t lane = 0; lane < of.size(); ++lane) {
                m.thread[lane] = {of[lane] / rig->options().lanes, of[lane]};
            }
        };
        return access(match, group++, lanes, std::move(address), std::move(data), {}, gather);
    }
    outcome& gathered_now(std::uint32_t match, const std::vector<std::uint16_t>& of,
                          isa::lane_mask lanes, lane_function address, lane_function data = {}) {
        const std::size_t tag = gathered(match, of, lanes, std::move(address), std::move(data));
        settle();
        return results[tag];
    }
    [[nodiscard]] std::uint32_t writes_of(unsigned owner) {
        return rig->unit().outstanding_writes(access_owner(owner));
    }
    [[nodiscard]] std::uint32_t instructions_of(unsigned owner) {
        return rig->unit().outstanding_instructions(access_owner(owner));
    }

private:
    unsigned group = 1000;  ///< no slot's number: the unit must not look at it
};

TEST_F(lsu_gathered, private_memory_is_that_of_the_thread) {
    build({});
    for (unsigned warp = 0; warp < 4; ++warp) {
        now(sw, warp, all_32, at(private_base + 8), [=](unsigned l) { return 100 * warp + l; });
    }
    std::vector<std::uint16_t> mixed;
    for (unsigned lane = 0; lane < 32; ++lane) mixed.push_back(thread(lane % 4, 31 - lane));
    const std::uint64_t before = rig->unit().report().counters().line_accesses;
    const outcome& got = gathered_now(lw, mixed, all_32, at(private_base + 8));
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(got.value[lane], 100 * (lane % 4) + 31 - lane) << lane;
    }
    EXPECT_EQ(rig->unit().report().counters().line_accesses - before, 4U)
        << "one line of each home warp";
    gathered_now(sw, mixed, all_32, at(private_base + 8), [](unsigned lane) { return lane; });
    for (unsigned warp = 0; warp < 4; ++warp) {
        const outcome& back = now(lw, warp, all_32, at(private_base + 8));
        for (unsigned lane = 0; lane < 32; ++lane) {
            const bool written = (31 - lane) % 4 == warp;
            EXPECT_EQ(back.value[lane], written ? 31 - lane : 100 * warp + lane);
        }
    }
}

/// A thread holds its reservation in whatever lane it runs, and no other thread does.
TEST_F(lsu_gathered, reservations_are_those_of_the_thread) {
    build({});
    const std::vector<std::uint16_t> first{thread(2, 5), thread(0, 3), thread(2, 0)};
    const std::vector<std::uint16_t> second{thread(1, 0), thread(2, 1), thread(2, 5)};
    for (const std::uint32_t window : {heap, shared_base}) {
        const auto address = at(window + 64);
        gathered_now(lr_w, first, 1, address);
        EXPECT_EQ(gathered_now(sc_w, second, 4, address, at(7)).value[2], 0U) << "another lane";
        EXPECT_EQ(gathered_now(lw, first, 1, address).value[0], 7U);
        gathered_now(lr_w, first, 1, address);
        EXPECT_EQ(gathered_now(sc_w, second, 1, address, at(8)).value[0], 1U) << "another thread";
        EXPECT_EQ(now(sc_w, 2, 1u << 5, address, at(9)).value[5], 0U) << "at home";
        now(lr_w, 2, 1u << 5, address);
        EXPECT_EQ(gathered_now(sc_w, second, 4, address, at(7)).value[2], 0U) << "from home";
    }
    now(sw, 2, all_32, at(private_base), at(1));
    gathered_now(lr_w, first, 5, at(private_base));
    const outcome& both = gathered_now(sc_w, second, 7, at(private_base), at(3));
    EXPECT_EQ(both.value[0], 1U);
    EXPECT_EQ(both.value[1], 1U);
    EXPECT_EQ(both.value[2], 0U);
    EXPECT_EQ(now(lw, 2, all_32, at(private_base)).value[5], 3U);
}

TEST_F(lsu_gathered, accesses_count_for_their_owner) {
    build({});
    rig->memory.hold(true);
    const std::vector<std::uint16_t> of{thread(4, 0), thread(5, 0), thread(6, 0), thread(7, 0)};
    gathered(sw, of, four, words_from(heap, 128), at(1), 3);
    gathered(ldcg_w, of, four, words_from(heap, 128), {}, 3);
    gathered(amoadd_w, of, 1, at(heap), at(1), 2);
    settle();
    EXPECT_EQ(instructions_of(3), 1U) << "the store has left";
    EXPECT_EQ(writes_of(3), 4U);
    EXPECT_EQ(instructions_of(2), 1U);
    for (const unsigned other : {0U, 1U, 4U, 5U, 6U, 7U}) {
        EXPECT_EQ(instructions_of(other) + writes_of(other), 0U) << other;
    }
    EXPECT_TRUE(drained.empty());
    rig->memory.hold(false);
    settle();
    EXPECT_EQ(instructions_of(3) + writes_of(3) + instructions_of(2) + writes_of(2), 0U);
    EXPECT_THAT(drained, testing::UnorderedElementsAre(2U, 3U));
}

TEST_F(lsu_gathered, a_write_back_counts_for_whoever_made_the_line) {
    lsu_rig_options options;
    options.l1d.size = 128;
    options.l1d.ways = 1;
    options.memory.minimum_latency = 100;
    build(options);
    gathered(sw, {thread(4, 9)}, 1, at(private_base), at(1), 6);
    gathered(sw, {thread(5, 9)}, 1, at(private_base), at(1), 2);  // evicts
    run(20);
    EXPECT_EQ(writes_of(6), 1U);
    EXPECT_EQ(writes_of(2), 0U);
    EXPECT_THAT(drained, Contains(2U)) << "its store is done";
    drained.clear();
    settle();
    EXPECT_EQ(writes_of(6), 0U);
    EXPECT_THAT(drained, ElementsAre(6U));
    EXPECT_EQ(rig->memory.count(memory_kind::write_back), 1U);
    EXPECT_EQ(rig->memory.log()[0].warp, warp_slot(4)) << "the home of the line's thread";
}

TEST_F(lsu_gathered, requests_name_the_home_of_their_lowest_thread) {
    build({});
    const std::vector<std::uint16_t> of{thread(6, 0), thread(1, 0), thread(3, 2), thread(1, 1)};
    gathered_now(ldcg_w, of, four,
                 [](unsigned lane) { return heap + (lane % 2) * 128 + 4 * lane; });
    gathered_now(amoadd_w, of, four & ~1u, at(heap), at(1));
    const auto& log = rig->memory.log();
    ASSERT_EQ(log.size(), 3U);
    EXPECT_EQ(log[0].warp, warp_slot(6));
    EXPECT_EQ(log[1].warp, warp_slot(1));
    EXPECT_EQ(log[2].warp, warp_slot(1));
    EXPECT_EQ(rig->memory.word(heap), 3U);
}

TEST_F(lsu_gathered, a_fault_names_the_lane_of_the_flight) {
    build({});
    const std::vector<std::uint16_t> of{thread(6, 0), thread(1, 0), thread(3, 2), thread(1, 1)};
    const auto address = [](unsigned lane) { return lane == 2 ? 0x10 : private_base; };
    const outcome& refused = gathered_now(sw, of, four, address);
    EXPECT_EQ(refused.fault, "illegal write of 4 bytes at 0x00000010: null pointer");
    EXPECT_THAT(faults, ElementsAre("lane 2: " + refused.fault));
    EXPECT_EQ(refused.completed, 0U);
    EXPECT_EQ(instructions_of(0) + writes_of(0), 0U);
}

/// Each thread owns a few words of every window. Groups of random threads access them, in place
/// and gathered, and have to find what each thread has left, as if it ran alone.
class random_groups : public lsu_gathered {
protected:
    static constexpr unsigned slots = 4;
    static constexpr unsigned warps_of_block = 4;

    void run_random(const lsu_rig_options& options, std::uint64_t seed, unsigned accesses) {
        build(options);
        random_stream random(seed, "random_groups");
        words_.assign(std::size_t{3} * slots * threads(), 0);
        rig->tell.drained = [this](access_owner owner) {
            EXPECT_EQ(rig->unit().outstanding_writes(owner), 0U);
        };
        for (unsigned i = 0; i < accesses; ++i) add_access(random);
        settle();
        for (std::size_t tag = 0; tag < expected_.size(); ++tag) check(tag);
        for (unsigned owner = 0; owner < 8; ++owner) {
            EXPECT_EQ(instructions_of(owner) + writes_of(owner), 0U);
        }
    }

private:
    struct expectation {
        isa::lane_mask lanes = 0;  ///< that get a value
        std::array<std::uint32_t, 64> value{};
    };

    [[nodiscard]] unsigned lanes() const { return rig->options().lanes; }
    [[nodiscard]] unsigned threads() const { return rig->options().warps * lanes(); }

    [[nodiscard]] std::uint32_t address_of(unsigned window, unsigned slot, unsigned of) const {
        const std::uint32_t word = slot * threads() + of;
        if (window == 2) return private_base + 4 * slot;
        return (window == 0 ? heap : shared_base) + 4 * word;
    }

    /// Threads of a block by pipeline lane: any, or those of one warp at home.
    std::vector<std::uint16_t> any_threads(random_stream& random, unsigned block, bool in_place) {
        std::vector<std::uint16_t> of(warps_of_block * lanes());
        std::iota(of.begin(), of.end(), thread(block * warps_of_block, 0));
        const auto warp = static_cast<std::ptrdiff_t>(random.below(warps_of_block) * lanes());
        if (in_place) return {of.begin() + warp, of.begin() + warp + lanes()};
        for (unsigned i = 0; i < lanes(); ++i) {
            std::swap(of[i], of[i + random.below(of.size() - i)]);
        }
        of.resize(lanes());
        return of;
    }

    void add_access(random_stream& random) {
        static constexpr std::uint32_t matches[] = {lb, lh, lw, lbu, lhu, ldcg_w,   lw,       sb,
                                                    sh, sw, sw, sw,  sw,  amoadd_w, amoswap_w};
        const std::uint32_t match = matches[random.below(std::size(matches))];
        const isa::instruction i = access_instruction(match, 1);
        const auto block = static_cast<unsigned>(random.below(2));
        const bool in_place = random.chance(0.25);
        const std::vector<std::uint16_t> of = any_threads(random, block, in_place);
        const isa::lane_mask all = bits::below(lanes());
        isa::lane_mask active = random.chance(0.4) ? all : random.next() & all;
        if (active == 0) active = 1;
        const auto common = static_cast<unsigned>(random.below(3));
        const bool mixed = random.chance(0.3);
        std::array<std::uint32_t, 64> address{};
        std::array<std::uint32_t, 64> data{};
        expectation& e = expected_.emplace_back();
        bits::for_each(active, [&](unsigned lane) {
            const unsigned window = mixed ? static_cast<unsigned>(random.below(3)) : common;
            const auto slot = static_cast<unsigned>(random.below(slots));
            const auto offset = static_cast<unsigned>(random.below(4)) & ~(i.access_bytes() - 1);
            address[lane] = address_of(window, slot, of[lane]) + offset;
            data[lane] = static_cast<std::uint32_t>(random.next());
            std::uint32_t& word =
                words_[(std::size_t{window} * slots + slot) * threads() + of[lane]];
            if (i.cls != isa::instruction_class::store) {
                e.lanes |= bits::one(lane);
                e.value[lane] = isa::extend_loaded(i, word >> (8 * offset));
            }
            carry_out(i, match, word, offset, data[lane]);
        });
        const auto address_in = [address](unsigned lane) { return address[lane]; };
        const auto data_in = [data](unsigned lane) { return data[lane]; };
        if (in_place) {
            access(match, of[0] / lanes(), active, address_in, data_in, {},
                   [block](memory_instruction& m) { m.owner = access_owner(block); });
        } else {
            gathered(match, of, active, address_in, data_in, block);
        }
    }

    static void carry_out(const isa::instruction& i, std::uint32_t match, std::uint32_t& word,
                          unsigned offset, std::uint32_t data) {
        if (match == amoadd_w) word += data;
        if (match == amoswap_w) word = data;
        if (i.cls != isa::instruction_class::store) return;
        for (unsigned byte = offset; byte < offset + i.access_bytes(); ++byte) {
            word &= ~(0xffu << (8 * byte));
            word |= (data >> (8 * (byte - offset)) & 0xff) << (8 * byte);
        }
    }

    void check(std::size_t tag) {
        const expectation& e = expected_[tag];
        ASSERT_NE(results[tag].completed, 0U) << tag;
        ASSERT_EQ(results[tag].lanes, e.lanes) << tag;
        bits::for_each(e.lanes, [&](unsigned lane) {
            EXPECT_EQ(results[tag].value[lane], e.value[lane])
                << "access " << tag << ", lane " << lane;
        });
    }

    std::vector<std::uint32_t> words_;  ///< by window (global, shared, private), slot, thread
    std::deque<expectation> expected_;
};

TEST_F(random_groups, find_what_each_thread_has_left) {
    lsu_rig_options options;
    options.memory.spread = 60;
    run_random(options, 1, 1500);
}

TEST_F(random_groups, find_it_in_a_small_cache) {
    lsu_rig_options options;
    options.l1d.size = 512;
    options.l1d.ways = 2;
    options.l1d.mshrs = 2;
    options.l1d.mshr_targets = 2;
    options.l1d.cache_global = true;
    options.lsu.request_queue = 3;
    options.memory.minimum_latency = 5;
    options.memory.spread = 20;
    run_random(options, 2, 1000);
    EXPECT_GT(cache().write_backs, 100U);
}

TEST_F(random_groups, find_it_in_a_cache_with_banks) {
    lsu_rig_options options;
    options.l1d.banks = 16;
    options.l1d.cache_global = true;
    options.memory.spread = 60;
    run_random(options, 3, 1500);
    EXPECT_GT(cache().hits, 1000U);
}

TEST_F(random_groups, find_it_without_a_cache) {
    lsu_rig_options options;
    options.l1d.size = 0;
    run_random(options, 4, 1000);
}

TEST_F(random_groups, of_64_lanes) {
    lsu_rig_options options;
    options.lanes = 64;
    options.l1d.size = 2048;
    options.memory.spread = 60;
    run_random(options, 5, 1000);
}

}  // namespace
}  // namespace heddle
