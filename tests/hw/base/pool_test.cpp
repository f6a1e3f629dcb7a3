// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/base/pool.h"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "hw/base/payload_pool.h"
#include "models/base/random.h"

namespace heddle {
namespace {

struct ticket : pooled<ticket> {
    int number = 0;
    int* destroyed = nullptr;
    void recycle() { number = 0; }
    ~ticket() {
        if (destroyed != nullptr) {
            ++*destroyed;
        }
    }
};

TEST(pool, counts_references_and_reuses) {
    pool<ticket> tickets("tickets");
    pool_ptr<ticket> first = tickets.make();
    first->number = 7;
    ticket* address = first.get();
    pool_ptr<ticket> second = first;
    EXPECT_EQ(first->reference_count(), 2U);
    EXPECT_TRUE(first == second);
    first.reset();
    EXPECT_FALSE(first);
    EXPECT_EQ(tickets.live(), 1U);
    second = pool_ptr<ticket>();
    EXPECT_EQ(tickets.live(), 0U);
    const pool_ptr<ticket> again = tickets.make();
    EXPECT_EQ(again.get(), address);
    EXPECT_EQ(again->number, 0);
    EXPECT_EQ(tickets.capacity(), 1U);
}

TEST(pool, moves_keep_the_count) {
    pool<ticket> tickets("tickets");
    pool_ptr<ticket> first = tickets.make();
    pool_ptr<ticket> second = std::move(first);
    EXPECT_EQ(second->reference_count(), 1U);
    const pool_ptr<ticket>& self = second;
    second = self;
    EXPECT_EQ(second->reference_count(), 1U);
}

TEST(pool, a_copied_payload_has_references_of_its_own) {
    pool<ticket> tickets("tickets");
    const pool_ptr<ticket> first = tickets.make();
    const pool_ptr<ticket> second = tickets.make();
    first->number = 3;
    const pool_ptr<ticket> other = first;
    *second = *first;
    EXPECT_EQ(second->number, 3);
    EXPECT_EQ(second->reference_count(), 1U);
    EXPECT_EQ(first->reference_count(), 2U);
}

TEST(pool, steady_state_allocates_nothing) {
    pool<ticket> tickets("tickets");
    std::vector<pool_ptr<ticket>> held(100);
    random_stream random(1, "pool");
    std::size_t most = 0;
    std::size_t live = 0;
    for (int step = 0; step < 100000; ++step) {
        pool_ptr<ticket>& place = held[random.below(held.size())];
        if (place) {
            place.reset();
            --live;
        } else {
            place = tickets.make();
            most = std::max(most, ++live);
        }
        ASSERT_EQ(tickets.live(), live);
    }
    EXPECT_EQ(tickets.capacity(), most);
}

TEST(pool, reports_leaks) {
    pool<ticket> tickets("tickets");
    EXPECT_EQ(tickets.leak_report(), "");
    pool_ptr<ticket> leaked = tickets.make();
    (void)tickets.make();
    EXPECT_EQ(tickets.leak_report(), "pool 'tickets': 1 of 2 payloads were never released");
    leaked.reset();
    EXPECT_EQ(tickets.leak_report(), "");
}

TEST(pool, payloads_may_outlive_it) {
    int destroyed = 0;
    pool_ptr<ticket> survivor;
    {
        pool<ticket> tickets("tickets");
        survivor = tickets.make();
        survivor->destroyed = &destroyed;
        survivor->number = 5;
    }
    EXPECT_EQ(survivor->number, 5);
    EXPECT_EQ(destroyed, 0);
    survivor.reset();
    EXPECT_EQ(destroyed, 1);
}

struct sector_payload : tlm::tlm_generic_payload {
    unsigned char bytes[32] = {};
    int resets = 0;
    void reset() {
        ++resets;
        tlm::tlm_generic_payload::reset();
    }
};

TEST(payload_pool, is_a_memory_manager) {
    payload_pool<sector_payload> payloads("sectors");
    sector_payload* payload = payloads.make();
    EXPECT_TRUE(payload->has_mm());
    EXPECT_EQ(payload->get_ref_count(), 1);
    payload->acquire();
    payload->release();
    EXPECT_EQ(payload->resets, 0);
    EXPECT_EQ(payloads.leak_report(), "pool 'sectors': 1 of 1 payloads were never released");
    payload->release();
    EXPECT_EQ(payload->resets, 1);
    EXPECT_EQ(payloads.leak_report(), "");
    EXPECT_EQ(payloads.make(), payload);
    payload->release();
    EXPECT_EQ(payloads.capacity(), 1U);
}

TEST(payload_pool, payloads_may_outlive_it) {
    tlm::tlm_generic_payload* survivor = nullptr;
    {
        payload_pool<> payloads("plain");
        survivor = payloads.make();
    }
    survivor->set_address(42);
    EXPECT_EQ(survivor->get_address(), 42U);
    survivor->release();
}

}  // namespace
}  // namespace heddle
