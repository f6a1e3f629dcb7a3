// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Atomics and reservations in the L2 bank's logic without time.
#include "tests/hw/l2/l2_cache_fixture.h"

namespace heddle {
namespace {

TEST_F(l2_cache_test, atomics_execute_lanes_in_order) {
    cache.access(store(0x100, 5));
    memory_transaction& t = make(memory_kind::atomic, 0x100, 128);
    t.access().operation = isa::opcode::amoadd_w;
    t.access().atomic_count = 2;
    t.access().atomics[0] = {3, 0, 3, 10, 0, 0};
    t.access().atomics[1] = {9, 0, 9, 100, 0, 0};
    EXPECT_EQ(cache.access(t), outcome::performed);
    EXPECT_EQ(t.access().atomics[0].result, 5U);
    EXPECT_EQ(t.access().atomics[1].result, 15U);
    memory_transaction& l = load(0x100);
    cache.access(l);
    EXPECT_EQ(word(l), 115U);
}

TEST_F(l2_cache_test, reservation_holds_until_anybody_writes_the_word) {
    cache.access(store(0x100, 5));
    cache.access(store(0x104, 5));
    const auto run = [&](isa::opcode operation, unsigned sm) {
        return perform(operation, 0x100, sm);
    };
    EXPECT_EQ(run(isa::opcode::sc_w, 0), 1U) << "nothing is reserved";
    run(isa::opcode::lr_w, 0);
    cache.access(store(0x104, 6));  // the word beside it
    EXPECT_EQ(run(isa::opcode::sc_w, 0), 0U);
    run(isa::opcode::lr_w, 0);
    cache.access(store(0x100, 5));  // the same value is a write too
    EXPECT_EQ(run(isa::opcode::sc_w, 0), 1U);
    run(isa::opcode::lr_w, 0);
    run(isa::opcode::amoadd_w, 1);
    EXPECT_EQ(run(isa::opcode::sc_w, 0), 1U);
    run(isa::opcode::lr_w, 0);
    run(isa::opcode::lr_w, 1);
    EXPECT_EQ(run(isa::opcode::sc_w, 1), 0U);
    EXPECT_EQ(run(isa::opcode::sc_w, 0), 1U);
}

TEST_F(l2_cache_test, debug_write_breaks_the_reservations_of_its_words_and_no_others) {
    cache.access(store(0x100, 5));
    cache.access(store(0x104, 5));
    perform(isa::opcode::lr_w, 0x100, 0);
    perform(isa::opcode::lr_w, 0x104, 1);
    const std::uint8_t written[128] = {};
    cache.write_debug(2, written, byte_mask::bytes(3, 1));  // the last byte of the word
    EXPECT_EQ(perform(isa::opcode::sc_w, 0x100, 0), 1U);
    EXPECT_EQ(perform(isa::opcode::sc_w, 0x104, 1), 0U) << "another word of the line";
}

}  // namespace
}  // namespace heddle
