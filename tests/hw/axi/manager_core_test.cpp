// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/axi/manager_core.h"

#include <gmock/gmock.h>

#include "tests/hw/axi/core_pair.h"

namespace heddle::axi {
namespace {

/// An error that a good response follows stays one.
TEST(manager_core, the_worst_response_of_a_burst_and_of_all_bursts_counts) {
    constexpr unsigned bus_bytes = 16;
    manager_core manager({bus_bytes, 8, 128});
    test_access read(false, 0x100, 3 * bus_bytes);
    manager.take(read.payload);
    subordinate_side in;
    in.ar_ready = true;
    manager.clock(in);
    ASSERT_TRUE(manager.outputs().ar_valid);
    manager.clock(in);
    in = {};
    in.r_valid = true;
    for (const response code : {response::okay, response::slverr, response::okay}) {
        in.r.code = code;
        manager.clock(in);
    }
    ASSERT_EQ(manager.finished(), &read.payload);
    EXPECT_EQ(read.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);

    test_access write(true, boundary - 16, 32);  // two bursts
    manager.take(write.payload);
    in = {};
    in.aw_ready = in.w_ready = true;
    for (unsigned i = 0; i < 8; ++i) manager.clock(in);
    in = {};
    in.b_valid = true;
    for (const response code : {response::decerr, response::okay}) {
        in.b.code = code;
        manager.clock(in);
    }
    ASSERT_EQ(manager.finished(), &write.payload);
    EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

}  // namespace
}  // namespace heddle::axi
