// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_capabilities.h"

#include <gmock/gmock.h>

#include "hw/smx/smx_configuration.h"
#include "hw/smx/thread_pool/formation_configurations.h"
#include "hw/smx/thread_pool/formations.h"
#include "models/base/error.h"
#include "models/base/machine_configuration.h"

namespace heddle {
namespace {

class smx_capabilities_test : public testing::Test {
protected:
    [[nodiscard]] smx_capabilities can() const { return capabilities_of(machine, smx, settings); }

    machine_configuration machine;
    smx_configuration smx;
    part_configurations settings = formation_configurations();
    dwf_configuration& dwf = settings.of<dwf_configuration>();
};

TEST_F(smx_capabilities_test, has_1_to_64_warp_slots) {
    machine.warp_size = 32;
    for (const unsigned warps : {1U, 64U}) {
        machine.smx.max_threads = 32 * warps;
        EXPECT_EQ(can().warp_slots, warps);
    }
    for (const unsigned threads : {31U, 65U * 32}) {
        machine.smx.max_threads = threads;
        EXPECT_THROW((void)can(), configuration_error);
    }
}

TEST_F(smx_capabilities_test, windows_of_shared_memory_see_the_same_banks) {
    machine.smx.shared_bytes = 0;
    EXPECT_EQ(can().shared_stride, 256U);
    machine.smx.shared_bytes = 48 * 1024;
    EXPECT_EQ(can().shared_stride, 48U * 1024);
    machine.smx.shared_bytes += 4;
    EXPECT_EQ(can().shared_stride, 48U * 1024 + 256);
}

TEST_F(smx_capabilities_test, follow_from_the_formation) {
    struct row {
        formation_policy formation;
        bool pool, lanes, individual;
        unsigned transactions;  ///< of a warp slot
    };
    machine.tm.enabled = true;
    dwf.individual_return = true;
    for (const row& each : {row{formations::key<reconvergence_stacks>, false, false, false, 1},
                            row{formations::key<nrec_former>, true, false, false, 1},
                            row{formations::key<dwf_former>, true, false, true, 1},
                            row{formations::key<mimd_former>, true, true, true, 32}}) {
        smx.formation = each.formation;
        const smx_capabilities found = can();
        EXPECT_EQ(found.thread_pool, each.pool);
        EXPECT_EQ(found.lane_units, each.lanes);
        EXPECT_EQ(found.individual_return, each.individual);
        EXPECT_TRUE(found.transactions);
        EXPECT_EQ(found.transactions_at_once, found.warp_slots * each.transactions);
    }
    dwf.individual_return = false;
    smx.formation = formations::key<dwf_former>;
    EXPECT_FALSE(can().individual_return);
    smx.formation = formations::key<mimd_former>;
    EXPECT_TRUE(can().individual_return) << "whatever dwf.* says";
    smx.formation = formations::key<reconvergence_stacks>;
    machine.tm.enabled = false;
    EXPECT_FALSE(can().transactions);
}

TEST_F(smx_capabilities_test, blocks_leave_for_launches_and_for_others) {
    for (const bool launches : {false, true}) {
        for (const bool preempts : {false, true}) {
            machine.launch.enabled = launches;
            machine.coop.preempt = preempts;
            const smx_capabilities found = can();
            EXPECT_EQ(found.launches, launches);
            EXPECT_EQ(found.preempts, preempts);
            EXPECT_EQ(found.saves, launches || preempts);
            const smx_capabilities alone = found.alone();
            EXPECT_FALSE(alone.launches || alone.preempts || alone.saves || alone.cooperates);
            EXPECT_EQ(alone.warp_slots, found.warp_slots);
        }
    }
}

}  // namespace
}  // namespace heddle
