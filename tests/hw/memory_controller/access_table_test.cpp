// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The order in which a controller's transactions are performed, against a list of all of them.
#include "hw/memory_controller/access_table.h"

#include <gmock/gmock.h>

#include <deque>

#include "models/base/random.h"

namespace heddle {
namespace {

using payload = tlm::tlm_generic_payload;

/// A transaction that is not performed, in the order of acceptance.
struct waiting_access {
    access_table::index at;
    std::uint64_t first, end;
    bool write;
    bool passed = false;    ///< its data have passed the bus
    bool released = false;  ///< the table has said that it may be performed
};

bool may_perform(const std::deque<waiting_access>& order, const waiting_access& wanted) {
    for (const waiting_access& older : order) {
        if (&older == &wanted) return true;
        if ((older.write || wanted.write) && older.first < wanted.end && wanted.first < older.end) {
            return false;
        }
    }
    return true;
}

void expect_same_releases(const std::deque<waiting_access>& order, int step) {
    for (const waiting_access& each : order) {
        EXPECT_EQ(each.released, each.passed && may_perform(order, each))
            << "entry " << each.at << " in step " << step;
    }
}

TEST(access_table, performs_in_order_what_shares_bytes) {
    random_stream random(11, "access_table");
    constexpr std::size_t capacity = 8;
    access_table table(capacity);
    std::array<payload, 64> payloads;
    std::deque<waiting_access> order;
    std::size_t next = 0;
    for (int step = 0; step < 5000; ++step) {
        switch (random.below(3)) {
            case 0: {
                if (table.full()) {
                    EXPECT_EQ(order.size(), capacity);
                    break;
                }
                payload& one = payloads[next++ % payloads.size()];
                const std::uint64_t first = random.below(40);
                one.set_address(first);
                one.set_data_length(1 + static_cast<unsigned>(random.below(12)));
                one.set_command(random.below(2) == 0 ? tlm::TLM_READ_COMMAND
                                                     : tlm::TLM_WRITE_COMMAND);
                const auto at = table.begin(one);
                table.put_in_order(at);
                EXPECT_EQ(table.find(one), at);
                order.push_back({at, first, first + one.get_data_length(), one.is_write()});
                break;
            }
            case 1: {
                if (order.empty()) break;
                waiting_access& one = order[random.below(order.size())];
                if (one.passed) break;
                one.passed = true;
                one.released = table.may_perform(one.at);
                break;
            }
            default: {
                if (order.empty()) break;
                const auto one = order.begin() + static_cast<long>(random.below(order.size()));
                if (!one->released) break;
                const access_table::index at = one->at;
                const payload* const request = table[at].request;
                order.erase(one);
                table.performed(at, [&](access_table::index released) {
                    for (waiting_access& each : order) {
                        if (each.at == released) each.released = true;
                    }
                });
                EXPECT_EQ(&table.end(at), request);
                EXPECT_EQ(table.find(*request), access_table::none);
            }
        }
        expect_same_releases(order, step);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(access_table, the_newest_write_shows_through) {
    access_table table(4);
    std::array<unsigned char, 4> old{1, 1, 1, 1};
    std::array<unsigned char, 2> newer{2, 3};
    std::array<unsigned char, 2> enables{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    payload first, second;
    first.set_write();
    first.set_address(10);
    first.set_data_ptr(old.data());
    first.set_data_length(4);
    second.set_write();
    second.set_address(11);
    second.set_data_ptr(newer.data());
    second.set_data_length(2);
    second.set_byte_enable_ptr(enables.data());
    second.set_byte_enable_length(2);
    for (payload* each : {&first, &second}) table.put_in_order(table.begin(*each));
    std::array<unsigned char, 6> seen{9, 9, 9, 9, 9, 9};
    payload read;
    read.set_read();
    read.set_address(9);
    read.set_data_ptr(seen.data());
    read.set_data_length(6);
    table.overlay(read);
    EXPECT_THAT(seen, testing::ElementsAre(9, 1, 2, 1, 1, 9));
}

}  // namespace
}  // namespace heddle
