// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The unit of transactions over its sockets: what accesses take, and what of it is overhead.
#include "hw/smx/tm/tm_unit.h"

#include <gmock/gmock.h>

#include "hw/base/run_control.h"
#include "hw/protocol/forward_socket.h"
#include "hw/smx/tm/conflict_detectors.h"
#include "tb/kit/tlm_slots.h"

namespace heddle {
namespace {

using protocol::local_command;
using protocol::shared_access;
using protocol::shared_response;

constexpr std::uint32_t window = 4096;
constexpr unsigned pass = 5;

shared_memory_configuration shared() {
    shared_memory_configuration c;
    c.latency = 10;
    c.replay_latency = 7;
    return c;
}

/// Stands for the load-store unit.
struct accesses final : sc_core::sc_module {
    explicit accesses(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}
    protocol::forward_socket<protocol::shared_link> socket;
};

/// A unit with two block slots, and the memory behind it. Warp 0 runs a transaction of a block.
class tm_unit_test : public testing::Test {
protected:
    tm_unit_test() {
        lsu.socket.bind(unit.socket);
        unit.memory_socket.bind(memory.socket);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        unit.engine().begin(0, 0, 0, 0b1111);
        unit.engine().run(0);
        unit.account().set(0, tm_account::phase::code, 0);
    }

    /// Lane i does the access to the i-th address. Returns the cycles that the answer takes.
    std::uint64_t access(local_command what, std::initializer_list<std::uint32_t> addresses,
                         bool transactional = true, unsigned first_lane = 0) {
        payload.recycle();
        payload.command = what;
        payload.transactional = transactional;
        payload.warp = warp_slot(warp);
        payload.transaction = static_cast<std::uint16_t>(warp);
        payload.block = block_slot(warp);
        unsigned lane = first_lane;
        for (const std::uint32_t address : addresses) {
            payload.lanes |= bits::one(lane);
            payload.address[lane] = address;
            payload.data[lane++] = 1;
        }
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        lsu.socket->b_transport(payload, delay);
        return delay.value() / domain.edge_time(1).value();
    }
    [[nodiscard]] std::uint64_t overhead() const { return unit.counts(1000).overhead_cycles; }

    static transaction_configuration by_signatures() {
        transaction_configuration c;
        c.detection = conflict_detectors::of<prw_sig>;
        c.pass_cycles = pass;
        return c;
    }

    clock_domain domain{"core", frequency::megahertz(500)};
    run_status status;
    const shared_memory_configuration configuration = shared();
    shared_memory memory{"memory", domain, configuration, 2 * window};
    const slot_maker<bank_state_traits> banks = tlm_slots<bank_state_traits>(domain, status);
    tm_unit unit{
        "unit", {domain, by_signatures(), configuration, 32, 2, 2, window, memory, banks, nullptr}};
    accesses lsu{"lsu"};
    unsigned warp = 0;  ///< that accesses, and the slot of its block
    shared_access payload;
};

TEST_F(tm_unit_test, access_takes_its_passes_but_no_less_than_a_plain_one) {
    EXPECT_EQ(access(local_command::load, {0, 4, 8}), 10);
    EXPECT_EQ(payload.busy_cycles, pass);
    // Three lanes at one word share a turn outside of a transaction; here they have a pass each.
    EXPECT_EQ(access(local_command::load, {64, 64, 64}), 3 * pass);
    EXPECT_EQ(payload.busy_cycles, 3 * pass);
}

/// A plain access to three words of a bank takes 10 + 2 x 7 cycles, the passes 15.
TEST_F(tm_unit_test, conflicts_that_a_plain_access_has_are_no_overhead) {
    EXPECT_EQ(access(local_command::load, {0, 128, 256}), 24);
    EXPECT_EQ(payload.busy_cycles, 3 * pass);
    EXPECT_EQ(overhead(), 0);
}

TEST_F(tm_unit_test, passes_beyond_a_plain_access_are_overhead) {
    EXPECT_EQ(access(local_command::load, {0, 0, 0, 128}), 4 * pass);
    EXPECT_EQ(overhead(), 4 * pass - 17);
}

TEST_F(tm_unit_test, only_code_has_overhead) {
    unit.account().set(0, tm_account::phase::commit, 0);
    EXPECT_EQ(access(local_command::load, {0, 0, 0, 128}), 4 * pass);
    EXPECT_EQ(overhead(), 0);
}

TEST_F(tm_unit_test, store_breaks_the_reservations_of_its_word) {
    const auto atomic = [&](isa::opcode operation, std::uint32_t address) {
        payload.recycle();
        payload.command = local_command::atomic;
        payload.operation = operation;
        payload.lanes = 1;
        payload.address[0] = address;
        payload.thread[0] = 40;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        lsu.socket->b_transport(payload, delay);
        return payload.data[0];
    };
    (void)atomic(isa::opcode::lr_w, 8);
    access(local_command::store, {4});
    EXPECT_EQ(atomic(isa::opcode::sc_w, 8), 0) << "another word";
    (void)atomic(isa::opcode::lr_w, 8);
    access(local_command::store, {8});
    EXPECT_EQ(atomic(isa::opcode::sc_w, 8), 1);
}

TEST_F(tm_unit_test, restoring_takes_the_words_of_the_fullest_bank_not_of_all) {
    for (const std::uint32_t address : {0, 128, 4, 8}) access(local_command::store, {address});
    access(local_command::store, {512}, true, 1);
    (void)access(local_command::load, {512});
    EXPECT_EQ(payload.lost, 0b1U);
    EXPECT_EQ(payload.busy_cycles, pass + 2);
    EXPECT_EQ(unit.engine().counts().restored_words, 4);
}

TEST_F(tm_unit_test, plain_access_goes_on_to_memory_and_is_watched) {
    access(local_command::store, {4});
    EXPECT_EQ(access(local_command::load, {0, 128}, false), 17);
    EXPECT_EQ(unit.engine().counts().plain_conflicts, 0);
    access(local_command::load, {4}, false);
    EXPECT_EQ(payload.data[0], 1);
    EXPECT_EQ(unit.engine().counts().plain_conflicts, 1);
}

TEST_F(tm_unit_test, plain_access_is_watched_whichever_warp_is_in_a_transaction) {
    EXPECT_TRUE(unit.engine().end_attempt(0).over);
    unit.engine().begin(1, 1, 0, 0b1);
    unit.engine().run(1);
    warp = 1;
    access(local_command::store, {window + 4});
    access(local_command::load, {window + 4}, false);
    EXPECT_EQ(unit.engine().counts().plain_conflicts, 1);
}

TEST_F(tm_unit_test, passes_are_turns_of_the_banks) {
    access(local_command::load, {0, 0, 128, 4});
    access(local_command::load, {0, 4});
    EXPECT_EQ(memory.counters().accesses, 2);
    EXPECT_EQ(memory.counters().conflicts, 1);
    EXPECT_EQ(memory.counters().conflict_cycles, 2);
}

TEST_F(tm_unit_test, access_beyond_the_memory_is_an_error) {
    access(local_command::load, {2 * window - 4});
    EXPECT_EQ(payload.response, shared_response::ok);
    access(local_command::load, {0, 2 * window});
    EXPECT_EQ(payload.response, shared_response::address_error);
    EXPECT_EQ(unit.engine().counts().accesses, 1);
}

}  // namespace
}  // namespace heddle
