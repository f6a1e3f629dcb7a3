// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "hw/smx/lsu/queue/access_checker.h"
#include "hw/smx/lsu/queue/memory_instruction.h"
#include "models/device/allocation_table.h"
#include "tb/lsu/lsu_rig.h"

/// Accesses to the parameter buffers that kernels allocate for their launches.
namespace heddle {
namespace {

using namespace encoding;

constexpr std::uint32_t heap = 0x40000000;
constexpr std::uint32_t granule = launch_pool::granule_bytes;
constexpr isa::lane_mask all = 0xffffffff;

class lsu_checker : public testing::Test {
protected:
    using lane_function = std::function<std::uint32_t(unsigned)>;

    lsu_checker() {
        ranges.set_pool(&pool);
        (void)ranges.allocate(4096, "heap");
        EXPECT_TRUE(pool.seal(sealed));
    }
    /// The lane of the fault; 64: none.
    unsigned check(std::uint32_t match, const lane_function& address, bool constants = false,
                   isa::lane_mask lanes = all) {
        const isa::instruction i = access_instruction(match, 1);
        access.flight.instruction = &i;
        access.lanes = lanes;
        access.loads_constants = constants;
        for (unsigned lane = 0; lane < 32; ++lane) access.address[lane] = address(lane);
        const auto fault = checker.check(access, found);
        what = fault ? fault->what : std::string();
        return fault ? fault->lane : 64;
    }
    /// All lanes at one address.
    unsigned check(std::uint32_t match, std::uint32_t address, bool constants = false) {
        return check(
            match, [address](unsigned) { return address; }, constants);
    }

    launch_pool pool{1 << 16, 1};
    const std::uint32_t open = pool.allocate(sm_id(0), 3 * granule);
    const std::uint32_t sealed = pool.allocate(sm_id(0), 3 * granule);
    allocation_table ranges{heap, 1 << 20};
    access_checker checker{ranges, 1024, 32, true};
    memory_instruction access{};
    access_checker::windows found;
    std::string what;
};

TEST_F(lsu_checker, a_buffer_is_read_and_until_its_launch_written) {
    for (const std::uint32_t at : {0U, granule - 4, granule, 3 * granule - 4}) {
        EXPECT_EQ(check(lw, open + at), 64U);
        EXPECT_EQ(found.in_global, all);
        EXPECT_EQ(check(sw, open + at), 64U);
        EXPECT_EQ(found.in_global, all);
        EXPECT_EQ(check(lw, sealed + at), 64U);
        EXPECT_EQ(found.in_global, all);
        EXPECT_EQ(check(sw, sealed + at), 0U);
        EXPECT_NE(what.find("read-only once it has been launched"), std::string::npos) << what;
    }
    EXPECT_EQ(check(lw, open + 6 * granule), 0U);
    EXPECT_NE(what.find("no parameter buffer"), std::string::npos) << what;
}

TEST_F(lsu_checker, the_last_lane_may_leave_the_buffer) {
    const auto at = [this](unsigned lane) { return open + 4 * lane + 2 * granule - 64; };
    EXPECT_EQ(check(sw, at), 64U);
    EXPECT_EQ(check(sw, [&](unsigned lane) { return at(lane) + 4; }), 31U);
    EXPECT_EQ(check(lw, [&](unsigned lane) { return at(lane) + 4; }), 64U);
    EXPECT_EQ(found.in_global, all);
}

TEST_F(lsu_checker, lanes_at_buffers_and_elsewhere) {
    const auto mixed = [this](unsigned lane) { return lane % 2 == 0 ? open : heap + 4 * lane; };
    EXPECT_EQ(check(sw, mixed), 64U);
    EXPECT_EQ(found.in_global, all);
    const auto one = [&](unsigned lane) { return lane == 9 ? sealed : mixed(lane); };
    EXPECT_EQ(check(lw, one), 64U);
    EXPECT_EQ(check(sw, one), 9U);
    EXPECT_EQ(check(sw, one, false, all & ~(1U << 9)), 64U);
}

TEST_F(lsu_checker, the_buffers_of_launches_hold_constants) {
    EXPECT_EQ(check(lw, sealed + 8, true), 64U);
    EXPECT_EQ(found.in_constant, all);
    EXPECT_EQ(found.in_global, 0U);
    EXPECT_EQ(check(lw, open + 8, true), 64U);
    EXPECT_EQ(found.in_constant, 0U) << "a kernel may still write them";
    EXPECT_EQ(found.in_global, all);
    EXPECT_EQ(check(
                  lw, [this](unsigned lane) { return lane < 4 ? open : sealed; }, true),
              64U);
    EXPECT_EQ(found.in_constant, all & ~0xfU);
    EXPECT_EQ(found.in_global, 0xfU);
}

}  // namespace
}  // namespace heddle
