// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "hw/smx/shared_memory/shared_banks.h"
#include "models/base/random.h"
#include "models/isa/atomic.h"

namespace heddle {
namespace {

using isa::opcode;
using protocol::lane_mask;
using protocol::local_command;
using protocol::shared_access;
using protocol::shared_response;

shared_access strided(std::uint32_t stride, unsigned lanes, local_command command) {
    shared_access a;
    a.command = command;
    a.lanes = lanes == 64 ? ~lane_mask{0} : (lane_mask{1} << lanes) - 1;
    for (unsigned lane = 0; lane < lanes; ++lane) a.address[lane] = stride * 4 * lane;
    return a;
}

/// A stride of s words over b banks reaches b / gcd(s, b) of them.
TEST(shared_banks, strides_have_a_closed_form) {
    for (const unsigned banks : {16u, 32u, 64u}) {
        for (const unsigned lanes : {32u, 64u}) {
            for (std::uint32_t stride = 1; stride <= 128; ++stride) {
                const unsigned reached = banks / std::gcd(stride, banks);
                const unsigned expected = (lanes + reached - 1) / reached;
                for (const local_command c : {local_command::load, local_command::atomic}) {
                    ASSERT_EQ(bank_cycles(strided(stride, lanes, c), banks), expected)
                        << banks << " banks, " << lanes << " lanes, stride " << stride;
                }
            }
        }
    }
}

TEST(shared_banks, one_word_is_broadcast_but_atomics_on_it_are_serial) {
    shared_access a = strided(0, 32, local_command::load);
    EXPECT_EQ(bank_cycles(a, 32), 1u);
    a.command = local_command::atomic;
    EXPECT_EQ(bank_cycles(a, 32), 32u);
    a.lanes = 0x10;
    EXPECT_EQ(bank_cycles(a, 32), 1u);
    shared_access bytes = strided(0, 32, local_command::load);
    bytes.bytes = 1;
    for (unsigned lane = 0; lane < 32; ++lane) bytes.address[lane] = lane;
    EXPECT_EQ(bank_cycles(bytes, 32), 1u) << "bytes of one word do not conflict";
}

TEST(shared_banks, random_accesses_against_the_definition) {
    random_stream random(1, "banks");
    for (unsigned round = 0; round < 5000; ++round) {
        shared_access a;
        a.lanes = random.next() | 1;
        a.command = random.chance(0.3) ? local_command::atomic : local_command::load;
        const std::uint64_t reach = 1u << random.below(10);
        const unsigned banks = 16u << random.below(3);
        std::map<unsigned, std::multiset<std::uint32_t>> words;
        for (unsigned lane = 0; lane < 64; ++lane) {
            a.address[lane] = static_cast<std::uint32_t>(random.below(reach)) * 4;
            if (((a.lanes >> lane) & 1) != 0) {
                words[a.address[lane] / 4 % banks].insert(a.address[lane] / 4);
            }
        }
        std::size_t expected = 0;
        for (const auto& [bank, all] : words) {
            const std::set<std::uint32_t> distinct(all.begin(), all.end());
            expected = std::max(expected,
                                a.command == local_command::atomic ? all.size() : distinct.size());
        }
        ASSERT_EQ(bank_cycles(a, banks), expected);
    }
}

/// Lane after lane, as the functional simulator does it.
TEST(shared_banks, counts_accesses_that_change_a_value) {
    shared_banks banks(32, 256);
    const auto changes_of = [&](local_command command, unsigned bytes, std::uint32_t value) {
        shared_access a = strided(1, 32, command);
        a.operation = opcode::amoadd_w;
        a.bytes = bytes;
        a.data[31] = value;  // all others 0
        const std::uint64_t before = banks.counters().changes;
        banks.perform(a);
        return banks.counters().changes - before;
    };
    EXPECT_EQ(changes_of(local_command::store, 4, 0), 0u);
    EXPECT_EQ(changes_of(local_command::store, 4, 7), 1u);
    EXPECT_EQ(changes_of(local_command::store, 4, 7), 0u);
    EXPECT_EQ(changes_of(local_command::store, 1, 7), 0u);
    EXPECT_EQ(changes_of(local_command::store, 1, 8), 1u);
    EXPECT_EQ(changes_of(local_command::load, 4, 9), 0u);
    EXPECT_EQ(changes_of(local_command::atomic, 4, 0), 0u);
    EXPECT_EQ(changes_of(local_command::atomic, 4, 1), 1u);
}

TEST(shared_banks, atomics_against_lane_by_lane_execution) {
    const opcode operations[] = {opcode::amoadd_w, opcode::amoswap_w, opcode::amoxor_w,
                                 opcode::amomin_w, opcode::amomaxu_w, opcode::amocas_w,
                                 opcode::amofadd_w};
    random_stream random(2, "banks");
    shared_banks banks(32, 256);
    std::vector<std::uint32_t> reference(64, 0);
    for (unsigned round = 0; round < 3000; ++round) {
        shared_access a;
        a.command = local_command::atomic;
        a.operation = operations[random.below(std::size(operations))];
        a.lanes = random.next() | 1;
        std::vector<std::uint32_t> expected(64);
        for (unsigned lane = 0; lane < 64; ++lane) {
            const auto word = static_cast<std::uint32_t>(random.below(64));
            a.address[lane] = word * 4;
            a.data[lane] = static_cast<std::uint32_t>(random.below(5));
            a.compare[lane] = static_cast<std::uint32_t>(random.below(5));
            if (((a.lanes >> lane) & 1) == 0) continue;
            expected[lane] = reference[word];
            reference[word] =
                isa::atomic_result(a.operation, reference[word], a.data[lane], a.compare[lane]);
        }
        banks.perform(a);
        ASSERT_EQ(a.response, shared_response::ok);
        for (unsigned lane = 0; lane < 64; ++lane) {
            if (((a.lanes >> lane) & 1) != 0) {
                ASSERT_EQ(a.data[lane], expected[lane]);
            }
        }
    }
}

class reservations : public testing::Test {
protected:
    std::uint32_t perform(opcode operation, std::uint16_t thread, std::uint32_t address,
                          std::uint32_t value = 0) {
        shared_access a;
        a.command = operation == opcode::sw ? local_command::store : local_command::atomic;
        a.operation = operation == opcode::sw ? opcode::illegal : operation;
        a.thread[1] = thread;
        a.lanes = 2;
        a.address[1] = address;
        a.data[1] = value;
        banks.perform(a);
        return a.data[1];
    }
    shared_banks banks{32, 256};
};

TEST_F(reservations, hold_until_somebody_writes_the_word) {
    EXPECT_EQ(perform(opcode::sc_w, 0, 8, 5), 1u) << "without lr";
    EXPECT_EQ(perform(opcode::lr_w, 0, 8), 0u);
    EXPECT_EQ(perform(opcode::sc_w, 0, 8, 5), 0u);
    EXPECT_EQ(perform(opcode::sc_w, 0, 8, 6), 1u) << "once";
    EXPECT_EQ(perform(opcode::lr_w, 0, 8), 5u);
    EXPECT_EQ(perform(opcode::sc_w, 0, 12, 6), 1u) << "another word";
    EXPECT_EQ(perform(opcode::sc_w, 0, 8, 6), 1u) << "a failure ends it, too";
    for (const opcode writer : {opcode::sw, opcode::amoadd_w, opcode::sc_w}) {
        perform(opcode::lr_w, 0, 8);
        perform(opcode::lr_w, 1, 8);
        perform(writer, 1, 8, 0);
        EXPECT_EQ(perform(opcode::sc_w, 0, 8, 9), 1u);
        perform(opcode::lr_w, 0, 8);
        perform(writer, 1, 16, 0);
        EXPECT_EQ(perform(opcode::sc_w, 0, 8, 5), 0u) << "other words don't matter";
    }
}

TEST_F(reservations, an_access_beyond_the_memory_does_nothing) {
    shared_access a;
    a.command = local_command::store;
    a.lanes = 3;
    a.address[0] = 0;
    a.address[1] = 256;
    a.data[0] = 7;
    EXPECT_EQ(banks.perform(a), 1u);
    EXPECT_EQ(a.response, shared_response::address_error);
    EXPECT_EQ(perform(opcode::lr_w, 0, 0), 0u);
    EXPECT_EQ(banks.counters().accesses, 1u);
}

TEST_F(reservations, a_new_block_finds_zeroes) {
    perform(opcode::sw, 0, 8, 5);
    perform(opcode::sw, 0, 16, 6);
    banks.clear(8, 8);
    EXPECT_EQ(perform(opcode::lr_w, 0, 8), 0u);
    EXPECT_EQ(perform(opcode::lr_w, 0, 16), 6u);
    banks.clear(16, 100000);
    EXPECT_EQ(perform(opcode::lr_w, 0, 16), 0u);
}

}  // namespace
}  // namespace heddle
