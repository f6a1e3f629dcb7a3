// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Which warps fetch in a cycle.
#include <vector>

#include "hw/smx/fetch/front_end.h"
#include "tb/lsu/lsu_rig.h"
#include "tests/hw/smx/block_table_fixture.h"

namespace heddle {
namespace {

using testing::ElementsAre;

/// Three warps, each with a buffer of one instruction, which issues as soon as it is there: all
/// want to fetch in every cycle. The code is one line of L1I.
class fetch_order : public block_table_fixture {
protected:
    /// Warps that fetched in the cycles that begin when the line is in L1I.
    std::vector<protocol::warp_mask> run(unsigned width, unsigned cycles) {
        smx_configuration smx;
        smx.fetch_width = width;
        code.base = 0x10000;
        code.instructions.assign(32, isa::decode(0x002081b3));  // add x3, x1, x2
        issue_table table;
        table.add(code, smx);
        EXPECT_TRUE(start(0, 3 * 32));
        lsu_rig rig("rig", domain, {});
        warp_paths paths(4, 1);
        front_end front(smx, {}, 4, rig.port(), paths, table, blocks);
        for (unsigned warp = 0; warp < 3; ++warp) {
            paths.start(warp, {code.base, simt::never, full_warp}, code);
            front.start(warp);
        }
        std::vector<protocol::warp_mask> fetched;
        rig.step = [&](lsu_rig&) {
            const protocol::warp_mask came = front.take_delivered();
            if (came != 0) fetched.push_back(came);
            bits::for_each(came, [&](unsigned warp) {
                paths.buffers().take(warp);
                paths.group(warp).pc += 4;
            });
            front.issued(came, 0, rig.edge());
            (void)front.cycle(rig.edge());
            return fetched.size() <= cycles;
        };
        sc_core::sc_start();
        EXPECT_EQ(fetched.front(), 0b111U) << "the miss brings the line to all";
        fetched.erase(fetched.begin());
        return fetched;
    }

    static constexpr isa::lane_mask full_warp = 0xffffffff;
    program::kernel_code code;
};

TEST_F(fetch_order, the_warp_behind_the_last_one_is_next) {
    EXPECT_THAT(run(1, 6), ElementsAre(1U, 2U, 4U, 1U, 2U, 4U));
}

TEST_F(fetch_order, two_a_cycle_continue_behind_the_second) {
    EXPECT_THAT(run(2, 4), ElementsAre(0b011U, 0b101U, 0b110U, 0b011U));
}

}  // namespace
}  // namespace heddle
