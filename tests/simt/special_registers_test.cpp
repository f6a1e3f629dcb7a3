// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/simt/special_registers.h"

#include <gmock/gmock.h>

#include <array>

namespace heddle::simt {
namespace {

using isa::csr;
using testing::Each;

constexpr unsigned lanes = 32;

block_identity sample() {
    return {{2, 1, 0}, {4, 3, 2}, {5, 4, 3}, 7, 9, 0x10000040, 128};
}

std::array<std::uint32_t, lanes> read(csr which, unsigned warp) {
    std::array<std::uint32_t, lanes> values{};
    EXPECT_TRUE(read_identity(which, sample(), warp, lanes, values.data()));
    return values;
}

TEST(special_registers, threads_are_packed_x_fastest) {
    const auto x = read(csr::tid_x, 1);
    const auto y = read(csr::tid_y, 1);
    const auto z = read(csr::tid_z, 1);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned linear = 32 + lane;
        EXPECT_EQ(x[lane] + 5 * (y[lane] + 4 * z[lane]), linear);
        EXPECT_LT(x[lane], 5u);
        EXPECT_LT(y[lane], 4u);
    }
    EXPECT_EQ(read(csr::laneid, 1)[31], 31u);
}

TEST(special_registers, uniform_ids) {
    EXPECT_THAT(read(csr::ctaid_x, 0), Each(2u));
    EXPECT_THAT(read(csr::ctaid_y, 0), Each(1u));
    EXPECT_THAT(read(csr::ctaid_z, 0), Each(0u));
    EXPECT_THAT(read(csr::ntid_x, 0), Each(5u));
    EXPECT_THAT(read(csr::ntid_y, 0), Each(4u));
    EXPECT_THAT(read(csr::ntid_z, 0), Each(3u));
    EXPECT_THAT(read(csr::nctaid_x, 0), Each(4u));
    EXPECT_THAT(read(csr::nctaid_y, 0), Each(3u));
    EXPECT_THAT(read(csr::nctaid_z, 0), Each(2u));
    EXPECT_THAT(read(csr::warpid, 1), Each(1u));
    EXPECT_THAT(read(csr::nwarps, 0), Each(2u));
    EXPECT_THAT(read(csr::smid, 0), Each(7u));
    EXPECT_THAT(read(csr::warpsize, 0), Each(lanes));
    EXPECT_THAT(read(csr::gridid, 0), Each(9u));
    EXPECT_THAT(read(csr::dynamic_shared_base, 0), Each(0x10000040u));
    EXPECT_THAT(read(csr::dynamic_shared_size, 0), Each(128u));
}

TEST(special_registers, counters_and_state_are_no_identity) {
    std::array<std::uint32_t, lanes> values{};
    for (const csr other : {csr::clock, csr::frm, csr::cycle, csr::instreth}) {
        EXPECT_FALSE(read_identity(other, sample(), 0, lanes, values.data()));
    }
}

}  // namespace
}  // namespace heddle::simt
