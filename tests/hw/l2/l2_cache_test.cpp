// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// The L2 bank's logic without time: every decision of the cache, one at a time.
#include "tests/hw/l2/l2_cache_fixture.h"

namespace heddle {
namespace {

TEST_F(l2_cache_test, store_allocates_without_a_fetch_and_a_load_of_it_hits) {
    EXPECT_EQ(cache.access(store(0x100, 7)), outcome::performed);
    EXPECT_EQ(cache.next_memory_request().what, request_kind::none);
    memory_transaction& l = load(0x100);
    EXPECT_EQ(cache.access(l), outcome::performed);
    EXPECT_EQ(word(l), 7U);
    EXPECT_EQ(cache.counts().misses, 1U);
    EXPECT_EQ(cache.counts().hits, 1U);
}

TEST_F(l2_cache_test, load_of_invalid_bytes_of_a_dirty_line_fetches_and_keeps_the_dirty_ones) {
    cache.access(store(0x100, 7));
    memory_transaction& l = load(0x100, 8);
    EXPECT_EQ(cache.access(l), outcome::missed);
    EXPECT_EQ(answer(), request_kind::fetch);
    EXPECT_EQ(last.address, 0x100U);
    EXPECT_EQ(last.length, configuration.sector);
    EXPECT_EQ(cache.replay(), &l);
    EXPECT_EQ(word(l), 7U) << "the fetch must not overwrite what is newer";
    EXPECT_EQ(l.data()[4], 0x11);
}

TEST_F(l2_cache_test, accesses_to_a_line_under_way_wait_in_order) {
    memory_transaction& first = load(0x100);
    memory_transaction& second = store(0x100, 9);
    EXPECT_EQ(cache.access(first), outcome::missed);
    EXPECT_EQ(cache.access(second), outcome::merged);
    EXPECT_EQ(cache.access(load(0x100)), outcome::stalled) << "two targets at most";
    EXPECT_EQ(cache.reason(), l2_cache::stall::mshr_targets);
    answer();
    EXPECT_EQ(cache.replay(), &first);
    EXPECT_EQ(word(first), 0x11111111U) << "the later store is not seen";
    EXPECT_EQ(cache.replay(), &second);
    EXPECT_FALSE(cache.replay_ready());
    EXPECT_TRUE(cache.idle());
    EXPECT_EQ(cache.access(load(0x100)), outcome::performed)
        << "the line is here, and nobody waits";
}

TEST_F(l2_cache_test, merged_access_to_another_sector_fetches_again) {
    memory_transaction& first = load(0x100);
    memory_transaction& second = load(0x160);
    cache.access(first);
    EXPECT_EQ(cache.access(second), outcome::merged);
    answer();
    EXPECT_EQ(cache.replay(), &first);
    EXPECT_EQ(cache.replay(), nullptr);
    EXPECT_EQ(cache.reason(), l2_cache::stall::none);
    EXPECT_EQ(answer(), request_kind::fetch);
    EXPECT_EQ(last.address, 0x160U);
    EXPECT_EQ(cache.replay(), &second);
}

TEST_F(l2_cache_test, full_miss_registers_and_pinned_ways_stall) {
    cache.access(load(0x000));
    cache.access(load(0x080));
    EXPECT_EQ(cache.access(load(0x100)), outcome::stalled);
    EXPECT_EQ(cache.reason(), l2_cache::stall::misses);
    EXPECT_EQ(cache.access(store(0x100, 1)), outcome::stalled);
    EXPECT_EQ(cache.reason(), l2_cache::stall::ways);
}

TEST_F(l2_cache_test, least_recently_used_line_is_evicted_with_its_dirty_bytes_only) {
    cache.access(store(0x004, 1));
    cache.access(store(0x080, 2));
    cache.access(load(0x004));
    cache.access(store(0x100, 3));  // evicts 0x080
    EXPECT_EQ(answer(), request_kind::write);
    EXPECT_EQ(last.address, 0x080U);
    EXPECT_EQ(last.length, configuration.sector);
    EXPECT_EQ(last.enabled, byte_mask::bytes(0, 4));
    EXPECT_EQ(cache.counts().write_backs, 1U);
}

TEST_F(l2_cache_test, lines_with_one_print_are_told_apart) {
    const std::uint64_t other = line_alike() * 128;
    cache.access(store(0, 1));
    EXPECT_EQ(cache.access(load(other)), outcome::missed) << "not line 0";
    answer();
    cache.replay();
    cache.access(store(other, 2));
    memory_transaction& first = load(0);
    memory_transaction& second = load(other);
    EXPECT_EQ(cache.access(first), outcome::performed);
    EXPECT_EQ(cache.access(second), outcome::performed);
    EXPECT_EQ(word(first), 1U);
    EXPECT_EQ(word(second), 2U);
    EXPECT_EQ(cache.counts().hits, 3U);
    EXPECT_EQ(cache.counts().evictions, 0U);
}

TEST_F(l2_cache_test, a_line_comes_back_from_its_write_back_under_way) {
    cache.access(store(0x000, 1));
    cache.access(store(0x080, 2));
    cache.access(store(0x100, 3));  // evicts 0x000
    const l2_cache::memory_request write = cache.next_memory_request();
    ASSERT_EQ(write.what, request_kind::write);
    cache.sent(write);
    std::uint8_t seen[128] = {};
    EXPECT_TRUE(cache.read_debug(0, seen).test(0));
    EXPECT_EQ(seen[0], 1) << "debug sees it as well";
    cache.access(load(0x080));
    cache.access(load(0x100));
    EXPECT_EQ(cache.access(load(0x000)), outcome::stalled) << "0x080 is dirty, the buffer is full";
    EXPECT_EQ(cache.reason(), l2_cache::stall::write_buffer);
    cache.answered(write, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(cache.access(load(0x000)), outcome::missed) << "memory has it now";
}

TEST_F(l2_cache_test, overlay_of_a_write_back_needs_no_fetch) {
    configuration.write_buffer = 4;
    cache_of_requests wide(configuration);
    wide.access(store(0x000, 1));
    wide.access(store(0x080, 2));
    wide.access(store(0x100, 3));
    memory_transaction& l = load(0x000);
    EXPECT_EQ(wide.access(l), outcome::performed);
    EXPECT_EQ(word(l), 1U);
}

TEST_F(l2_cache_test, a_full_write_buffer_goes_before_fetches_and_no_other) {
    configuration.write_buffer = 2;
    cache_of_requests wide(configuration);
    wide.access(store(0x000, 1));
    wide.access(store(0x080, 2));
    EXPECT_EQ(wide.access(load(0x100)), outcome::missed);  // evicts 0x000
    EXPECT_EQ(wide.next_memory_request().what, request_kind::fetch) << "the buffer has a place";
    EXPECT_EQ(wide.access(load(0x180)), outcome::missed);  // evicts 0x080
    const l2_cache::memory_request write = wide.next_memory_request();
    EXPECT_EQ(write.what, request_kind::write) << "the buffer is full";
    EXPECT_EQ(write.address, 0U) << "the oldest";
    wide.sent(write);
    wide.answered(write, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(wide.next_memory_request().what, request_kind::fetch) << "a place is free again";
}

TEST_F(l2_cache_test, of_two_write_backs_of_a_line_the_newer_one_counts_and_goes_last) {
    configuration.write_buffer = 4;
    cache_of_requests wide(configuration);
    for (const unsigned address : {0x000, 0x080, 0x100}) wide.access(store(address, 1));
    const l2_cache::memory_request first = wide.next_memory_request();
    wide.sent(first);              // 0x000 is under way
    wide.access(store(0x000, 9));  // evicts 0x080
    wide.access(store(0x080, 1));  // evicts 0x100
    wide.access(load(0x080));      // so that 0x000 is the oldest
    wide.access(store(0x180, 1));  // evicts 0x000
    for (unsigned others = 0; others < 2; ++others) {
        const l2_cache::memory_request write = wide.next_memory_request();
        EXPECT_NE(write.address, 0U);
        wide.sent(write);
        wide.answered(write, tlm::TLM_OK_RESPONSE);
    }
    EXPECT_EQ(wide.next_memory_request().what, request_kind::none) << "the older one is under way";
    memory_transaction& l = load(0x000);
    EXPECT_EQ(wide.access(l), outcome::performed);
    EXPECT_EQ(word(l), 9U);
    wide.answered(first, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(wide.next_memory_request().data[0], 9);
}

/// A memory may finish write-backs in any order, and refuse one that came first.
TEST(write_buffer, gives_the_oldest_one_that_waits_whatever_has_left) {
    write_buffer buffer(4, 128);
    const std::vector<std::uint8_t> data(128);
    const auto take = [&](std::uint64_t line) {
        buffer.take(line, data.data(), byte_mask::bytes(0, 4), protocol::launch_id(1));
    };
    const auto write_next = [&] {
        const write_buffer::index at = buffer.next();
        buffer.set_stage(at, write_buffer::stage::writing);
        return at;
    };
    take(0);
    take(5);
    take(line_alike());
    const write_buffer::index first = write_next();
    const write_buffer::index second = write_next();
    EXPECT_EQ(buffer.line(first), 0U);
    EXPECT_EQ(buffer.line(second), 5U);
    buffer.finished(second);
    EXPECT_EQ(buffer.line(buffer.next()), line_alike()) << "no older one is of this line";
    take(0);
    write_next();
    EXPECT_EQ(buffer.next(), write_buffer::none) << "line 0 is on its way";
    buffer.set_stage(first, write_buffer::stage::waiting);
    EXPECT_EQ(buffer.next(), first) << "the older one of line 0";
    write_next();
    buffer.finished(first);
    EXPECT_EQ(buffer.line(buffer.next()), 0U);
    EXPECT_EQ(buffer.used(), 2U);
}

TEST_F(l2_cache_test, without_a_cache_the_last_access_of_a_miss_waits_for_the_write_buffer) {
    configuration.size = 0;
    cache_of_requests none(configuration);
    memory_transaction& first = atomic(0x100, isa::opcode::amoadd_w, 1);
    memory_transaction& last = load(0x100);
    EXPECT_EQ(none.access(first), outcome::missed);
    EXPECT_EQ(none.access(last), outcome::merged);
    EXPECT_EQ(none.access(store(0x200, 5)), outcome::performed);  // fills the write buffer
    const l2_cache::memory_request write = none.next_memory_request();
    none.sent(write);
    const l2_cache::memory_request fetch = none.next_memory_request();
    none.sent(fetch);
    none.answered(fetch, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(none.replay(), &first) << "the line stays for the other one";
    EXPECT_EQ(none.replay(), nullptr);
    EXPECT_EQ(none.reason(), l2_cache::stall::write_buffer);
    none.answered(write, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(none.replay(), &last);
}

TEST_F(l2_cache_test, error_of_a_fetch_is_answered_and_the_next_access_tries_again) {
    memory_transaction& first = load(0x100);
    memory_transaction& second = load(0x100);
    cache.access(first);
    cache.access(second);
    answer(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(cache.replay(), &first);
    EXPECT_EQ(first.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(cache.replay(), nullptr);
    EXPECT_EQ(answer(), request_kind::fetch);
    EXPECT_EQ(cache.replay(), &second);
    EXPECT_EQ(second.get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST_F(l2_cache_test, memory_without_byte_enables_gets_whole_lines) {
    cache.access(store(0x000, 1));
    cache.access(store(0x080, 2));
    cache.access(store(0x100, 3));
    EXPECT_EQ(answer(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE), request_kind::write);
    EXPECT_EQ(answer(), request_kind::fill);
    const l2_cache::memory_request write = cache.next_memory_request();
    ASSERT_EQ(write.what, request_kind::write);
    EXPECT_EQ(write.length, 128U);
    EXPECT_EQ(write.enabled, byte_mask::bytes(0, 128));
    EXPECT_EQ(write.data[0], 1);
    EXPECT_EQ(write.data[4], 0x11);
}

TEST_F(l2_cache_test, debug_write_reaches_line_and_beats_a_fetch_under_way) {
    memory_transaction& l = load(0x100);
    cache.access(l);
    const l2_cache::memory_request fetch = cache.next_memory_request();
    cache.sent(fetch);
    std::memset(fetch.data, 0x11, fetch.length);  // memory reads before the debug write
    const std::uint8_t written[128] = {42};
    cache.write_debug(2, written, byte_mask::bytes(0, 1));
    cache.answered(fetch, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(cache.replay(), &l);
    EXPECT_EQ(l.data()[0], 42);
    EXPECT_EQ(l.data()[1], 0x11);
}

TEST_F(l2_cache_test, without_a_cache_stores_leave_at_once_and_loads_keep_nothing) {
    configuration.size = 0;
    configuration.write_buffer = 2;
    cache_of_requests none(configuration);
    EXPECT_EQ(none.access(store(0x100, 5)), outcome::performed);
    EXPECT_EQ(none.next_memory_request().what, request_kind::write);
    EXPECT_EQ(none.access(store(0x104, 6)), outcome::performed) << "the same entry";
    EXPECT_EQ(none.access(store(0x200, 6)), outcome::performed);
    EXPECT_EQ(none.access(store(0x300, 6)), outcome::stalled);
    memory_transaction& l = load(0x100);
    EXPECT_EQ(none.access(l), outcome::performed) << "from the write buffer";
    EXPECT_EQ(word(l), 5U);
}

// ---- legal and illegal requests ---------------------------------------------------------------

TEST_F(l2_cache_test, illegal_requests_are_refused_by_their_status) {
    configuration.banks = 2;
    const auto status = [&](memory_transaction& t) {
        return check_request(t, configuration, configuration.partition(), 0).status;
    };
    EXPECT_EQ(status(load(0x000)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(status(load(0x100)), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "bank 1";
    EXPECT_EQ(status(load(std::uint64_t{1} << 32)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(load(0x07c, 8)), tlm::TLM_BURST_ERROR_RESPONSE) << "crosses a line";
    memory_transaction& streaming = load(0, 8);
    streaming.set_streaming_width(4);
    EXPECT_EQ(status(streaming), tlm::TLM_BURST_ERROR_RESPONSE);
    memory_transaction& enabled = load(0);
    enabled.set_byte_enable_ptr(enabled.data());
    EXPECT_EQ(status(enabled), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    memory_transaction& empty = load(0);
    empty.access().byte_mask = {};
    EXPECT_EQ(status(empty), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    memory_transaction& longer = load(0);
    longer.access().byte_mask[0] = 0x1f;
    EXPECT_EQ(status(longer), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    memory_transaction& command = load(0);
    command.set_write();
    EXPECT_EQ(status(command), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(status(atomic(0, isa::opcode::amoadd_w)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(status(atomic(2, isa::opcode::amoadd_w)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(status(atomic(0, isa::opcode::add)), tlm::TLM_COMMAND_ERROR_RESPONSE);
    tlm::tlm_generic_payload plain;
    EXPECT_EQ(check_request(plain, configuration, configuration.partition(), 0).status,
              tlm::TLM_GENERIC_ERROR_RESPONSE);
}

TEST_F(l2_cache_test, counts_what_changes_a_value) {
    const auto changes_of = [&](memory_transaction& t) {
        const std::uint64_t before = cache.counts().changes;
        if (cache.access(t) != outcome::performed) {
            answer();
            EXPECT_EQ(cache.replay(), &t);
        }
        return cache.counts().changes - before;
    };
    EXPECT_EQ(changes_of(store(0, 5)), 1U) << "nobody knows what was there";
    EXPECT_EQ(changes_of(store(0, 5)), 0U);
    EXPECT_EQ(changes_of(store(0, 6)), 1U);
    EXPECT_EQ(changes_of(load(0)), 0U);
    EXPECT_EQ(changes_of(atomic(0, isa::opcode::amoadd_w, 0)), 0U);
    EXPECT_EQ(changes_of(atomic(0, isa::opcode::amoadd_w, 1)), 1U);
    EXPECT_EQ(changes_of(atomic(0, isa::opcode::amocas_w, 9)), 0U) << "it holds 7, not 0";
    EXPECT_EQ(changes_of(atomic(64, isa::opcode::amoor_w, 0x11)), 0U) << "fetched";
    EXPECT_EQ(changes_of(atomic(64, isa::opcode::sc_w, 1)), 0U) << "no reservation";
    memory_transaction& of_private_memory = make(memory_kind::write_back, 0, 4);
    EXPECT_EQ(changes_of(of_private_memory), 0U);
}

}  // namespace
}  // namespace heddle
