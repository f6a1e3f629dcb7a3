// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "hw/protocol/block_dispatch.h"
#include "hw/protocol/link_rules.h"
#include "hw/protocol/memory_access.h"

namespace heddle::protocol {
namespace {

TEST(memory_transaction, prepare_fills_the_attributes) {
    memory_pool pool("memory");
    memory_transaction* t = pool.make();
    t->prepare(memory_kind::store, 0x40000000, 100);
    EXPECT_TRUE(t->is_write());
    EXPECT_EQ(t->get_data_length(), 100U);
    EXPECT_EQ(t->get_streaming_width(), 100U);
    EXPECT_EQ(t->get_data_ptr(), t->data());
    EXPECT_EQ(t->access().byte_mask[0], ~std::uint64_t{0});
    EXPECT_EQ(t->access().byte_mask[1], (std::uint64_t{1} << 36) - 1);
    EXPECT_EQ(access_of(*t), &t->access());
    t->prepare(memory_kind::atomic, 0, 4);
    EXPECT_EQ(t->get_command(), tlm::TLM_IGNORE_COMMAND);
    t->release();
}

TEST(memory_transaction, is_as_new_after_its_release) {
    memory_pool pool("memory");
    memory_transaction* t = pool.make();
    t->prepare(memory_kind::atomic, 64, 32);
    t->access().launch = launch_id(4);
    t->access().atomic_count = 3;
    t->set_response_status(tlm::TLM_OK_RESPONSE);
    t->release();
    EXPECT_EQ(pool.live(), 0U);
    memory_transaction* again = pool.make();
    EXPECT_EQ(again, t);
    EXPECT_TRUE(again->is_read());
    EXPECT_EQ(again->get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
    EXPECT_EQ(again->access().launch, launch_id{});
    EXPECT_EQ(again->access().atomic_count, 0U);
    EXPECT_EQ(access_of(*again), &again->access());
    again->release();
    EXPECT_EQ(pool.capacity(), 1U);
}

TEST(memory_transaction, byte_enables_follow_the_mask) {
    memory_pool pool("memory");
    memory_transaction* t = pool.make();
    t->prepare(memory_kind::store, 0, 32);
    t->apply_byte_enables();
    EXPECT_EQ(t->get_byte_enable_ptr(), nullptr);
    t->access().byte_mask[0] = 0xf0;
    t->apply_byte_enables();
    ASSERT_NE(t->get_byte_enable_ptr(), nullptr);
    EXPECT_EQ(t->get_byte_enable_length(), 32U);
    for (unsigned i = 0; i < 32; ++i) {
        EXPECT_EQ(t->get_byte_enable_ptr()[i], i >= 4 && i < 8 ? 0xff : 0) << i;
    }
    t->prepare(memory_kind::store, 0, 126);
    t->access().byte_mask = {0x8123'4567'89ab'cdef, 0x0e00'0000'0000'0005};
    t->apply_byte_enables();
    EXPECT_EQ(t->get_byte_enable_length(), 126U);
    for (unsigned i = 0; i < 126; ++i) {
        EXPECT_EQ(t->get_byte_enable_ptr()[i], t->access().byte_enabled(i) ? 0xff : 0) << i;
    }
    t->release();
}

TEST(memory_transaction, a_deep_copy_has_an_extension_of_its_own) {
    memory_pool pool("memory");
    memory_transaction* t = pool.make();
    t->prepare(memory_kind::load, 0x40, 32);
    t->access().launch = launch_id(9);
    tlm::tlm_generic_payload copy;  // without memory manager: its destructor frees the clone
    copy.deep_copy_from(*t);
    t->release();
    ASSERT_NE(access_of(copy), nullptr);
    EXPECT_NE(access_of(copy), &t->access());
    EXPECT_EQ(access_of(copy)->launch, launch_id(9));
}

TEST(payload_pools, recycled_payloads_are_as_new) {
    pool<kernel_launch> launches("launches");
    auto p = launches.make();
    kernel_launch* first = p.get();
    p->launch = launch_id(3);
    p->grid = {7, 7, 7};
    p.reset();
    p = launches.make();
    EXPECT_EQ(p.get(), first);
    EXPECT_EQ(p->launch, launch_id{});
    EXPECT_EQ(p->grid, (dim3{1, 1, 1}));
    EXPECT_EQ(p->reference_count(), 1U);
}

TEST(payload_pools, a_block_keeps_its_kernel) {
    pool<kernel_launch> launches("launches");
    pool<block_dispatch> blocks("blocks");
    auto block = blocks.make();
    block->kernel = launches.make();
    EXPECT_EQ(launches.live(), 1U);
    block.reset();
    EXPECT_EQ(launches.live(), 0U);
}

TEST(flows, are_distinct) {
    std::set<std::uint64_t> flows;
    for (unsigned launch = 1; launch < 20; ++launch) {
        flows.insert(launch_flow(launch_id(launch)));
        for (std::uint32_t block = 0; block < 20; ++block) {
            flows.insert(block_flow(launch_id(launch), block));
        }
    }
    EXPECT_EQ(flows.size(), 19U * 21U);
    EXPECT_EQ(flows.count(0), 0U);
}

}  // namespace
}  // namespace heddle::protocol
