// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What the issue stage is made of: fences, write-back ports, memory instructions as policies see
// them.
#include <gmock/gmock.h>

#include <vector>

#include "hw/smx/issue/fences.h"
#include "hw/smx/issue/memory_heads.h"
#include "hw/smx/issue/write_back.h"

namespace heddle {
namespace {

TEST(smx_fences, let_an_owner_pass_when_it_has_drained) {
    warp_waits waits;
    fences waiting(waits);
    waiting.wait(3);
    waiting.wait(5);
    std::vector<unsigned> passed;
    std::uint64_t drained = bits::one(5);
    const auto finish = [&] {
        waiting.finish([&](unsigned owner) { return bits::test(drained, owner); },
                       [&](unsigned owner) { passed.push_back(owner); });
    };
    finish();
    EXPECT_THAT(passed, testing::ElementsAre(5u));
    EXPECT_EQ(waits.waiting(wait_reason::fence), bits::one(3));
    EXPECT_EQ(waits.take_ended(), bits::one(5));
    EXPECT_FALSE(waiting.unchecked());
    drained |= bits::one(3);
    finish();
    EXPECT_THAT(passed, testing::ElementsAre(5u)) << "nothing has happened to 3 since";
    waiting.check(3);
    waiting.check(4);
    finish();
    EXPECT_THAT(passed, testing::ElementsAre(5u, 3u));
    EXPECT_EQ(waits.waiting(wait_reason::fence), 0u);
}

/// Register of each result that is written at an edge.
std::vector<unsigned> written(write_back<warp_code>& results, std::uint64_t edge, unsigned taken) {
    std::vector<unsigned> registers;
    results.cycle(edge, taken, [&](warp_code done) { registers.push_back(done.code()); });
    return registers;
}

TEST(smx_write_back, results_without_a_port_come_first_in_the_next_cycle) {
    using testing::ElementsAre;
    smx_configuration smx;
    smx.writeback_ports = 2;
    write_back<warp_code> results(smx);
    for (const std::uint8_t rd : {1, 2, 3}) results.add(10, {0, rd}, true);
    results.add(11, {0, 4}, true);
    EXPECT_EQ(results.next_due(0), 10u);
    EXPECT_THAT(written(results, 10, 0), ElementsAre(1, 2));
    EXPECT_EQ(results.conflicts(), 1u);
    EXPECT_THAT(written(results, 11, 1), ElementsAre(3)) << "memory has the other port";
    EXPECT_EQ(results.conflicts(), 2u);
    EXPECT_THAT(written(results, 12, 3), ElementsAre()) << "memory has more results than ports";
    EXPECT_THAT(written(results, 13, 0), ElementsAre(4));
    EXPECT_EQ(results.conflicts(), 3u);
    EXPECT_FALSE(results.due(14));
}

TEST(smx_write_back, a_narrow_port_is_kept_by_each_register_and_memory_goes_first) {
    using testing::ElementsAre;
    smx_configuration smx;
    smx.writeback_interval = 4;
    write_back<warp_code> results(smx);
    results.add(10, {0, 1}, true);
    results.add(10, {0, 9}, false);
    results.add(12, {0, 2}, true);
    EXPECT_THAT(written(results, 10, 0), ElementsAre(9, 1)) << "without a register: no port";
    EXPECT_FALSE(results.holds(10));
    EXPECT_THAT(written(results, 11, 1), ElementsAre()) << "memory's register waits its turn";
    for (const std::uint64_t edge : {12, 13, 14, 15, 16, 17}) {
        EXPECT_THAT(written(results, edge, 0), ElementsAre()) << edge;
        EXPECT_TRUE(results.holds(edge));
    }
    EXPECT_THAT(written(results, 18, 0), ElementsAre(2)) << "10 + 4 + 4";
    EXPECT_FALSE(results.holds(18));
    EXPECT_EQ(results.conflicts(), 6u);
}

TEST(smx_write_back, threads_that_return_by_themselves_share_the_cycles_of_a_narrow_port) {
    using testing::ElementsAre;
    smx_configuration smx;
    smx.writeback_interval = 4;
    constexpr unsigned warp_size = 32;  // so 8 threads a cycle
    write_back<warp_code> results(smx, warp_size);
    ASSERT_TRUE(results.counts_threads());
    const auto first_written = [&](std::uint64_t due, std::vector<unsigned> threads) {
        results.add(due, {0, 1}, true);
        for (std::uint64_t edge = due;; ++edge) {
            const unsigned come = edge - due < threads.size() ? threads[edge - due] : 0;
            if (!written(results, edge, come).empty()) return edge - due;
        }
    };
    EXPECT_EQ(first_written(100, {1}), 1u);
    EXPECT_EQ(first_written(200, {8}), 1u);
    EXPECT_EQ(first_written(300, {9}), 2u);
    EXPECT_EQ(first_written(400, {5, 3}), 2u) << "a cycle that is over takes no more";
    EXPECT_EQ(first_written(500, {9, 7}), 2u) << "the second cycle has places for 7 more";
    EXPECT_EQ(first_written(600, {9, 8}), 3u);
    EXPECT_EQ(first_written(700, {20, 4, 1}), 4u) << "24 threads, and one";
    EXPECT_EQ(first_written(800, {32}), 4u) << "as long as a register";
    EXPECT_EQ(first_written(900, {31}), 4u);
    // The last one has kept the port until 908, whatever room the threads before it have left.
    EXPECT_THAT(written(results, 905, 1), ElementsAre());
    results.add(908, {0, 2}, true);
    EXPECT_THAT(written(results, 908, 0), ElementsAre()) << "908 is the thread's";
    EXPECT_THAT(written(results, 909, 0), ElementsAre(2));
}

TEST(smx_write_back, threads_that_return_by_themselves_need_a_narrow_port_to_count) {
    smx_configuration smx;
    EXPECT_FALSE(write_back<warp_code>(smx, 32).counts_threads());
    smx.writeback_interval = 4;
    EXPECT_FALSE(write_back<warp_code>(smx).counts_threads());
}

isa::instruction of_class(isa::instruction_class cls) {
    isa::instruction i;
    i.cls = cls;
    return i;
}

TEST(smx_memory_heads, loads_count_only_loads) {
    memory_heads heads(memory_classification::loads);
    heads.use_program(0, 4);
    const auto load = of_class(isa::instruction_class::load);
    const auto store = of_class(isa::instruction_class::store);
    ASSERT_TRUE(heads.look_closer());
    heads.look(1, &load, 0);
    heads.look(2, &store, 1);
    EXPECT_EQ(heads.uncounted(), 0b100u);
    heads.look(2, nullptr, 2);
    EXPECT_EQ(heads.uncounted(), 0u);
    EXPECT_TRUE(heads.completion_counts(1));
}

TEST(smx_memory_heads, last_window_counts_where_the_instruction_went_last) {
    memory_heads heads(memory_classification::last_window);
    heads.use_program(0, 4);
    const auto load = of_class(isa::instruction_class::load);
    heads.look(0, &load, 2);
    EXPECT_EQ(heads.uncounted(), 0u) << "at first every one counts";
    EXPECT_TRUE(heads.issued(2, program::shared_window.base + 8)) << "other warps are told";
    EXPECT_FALSE(heads.issued(2, program::private_window.base));
    heads.look(0, &load, 2);
    EXPECT_EQ(heads.uncounted(), 0b1u);
    EXPECT_FALSE(heads.completion_counts(2));
    EXPECT_TRUE(heads.completion_counts(3));
    EXPECT_TRUE(heads.issued(2, program::heap_window.base));
    EXPECT_TRUE(heads.completion_counts(2));
    heads.use_program(0, 4);
    heads.look(0, &load, 2);
    EXPECT_EQ(heads.uncounted(), 0u);
}

TEST(smx_memory_heads, opcodes_need_no_closer_look) {
    EXPECT_FALSE(memory_heads(memory_classification::opcode).look_closer());
    EXPECT_TRUE(memory_heads(memory_classification::opcode).completion_counts(0));
}

}  // namespace
}  // namespace heddle
