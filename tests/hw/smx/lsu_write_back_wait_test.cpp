// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/hw/smx/lsu_fixture.h"

namespace heddle {
namespace {

using namespace encoding;
using protocol::memory_kind;

/// A set of two dirty lines, and a load that needs a place in it: a write-back and a miss. Another
/// load leaves room for one request, 400 cycles long.
class lsu_write_back_wait : public lsu_fixture {
protected:
    void begin_with(std::uint32_t oldest) {
        lsu_rig_options o;
        o.l1d.cache_global = true;
        o.l1d.policy = write_policy::back;
        o.l1d.size = 256;
        o.l1d.ways = 2;
        o.lsu.outstanding = 2;
        o.memory.minimum_latency = 400;
        build(o);
        now(sw, 0, all_32, at(oldest), at(1));
        now(sw, 1, 1, at(heap + 128), at(2));
        access(ldcg_w, 2, 1, at(heap + 1024));
        run(5);
        access(lw, 3, 1, at(heap + 256));
        run(100);
        EXPECT_EQ(rig->memory.log().size(), 1u);
        EXPECT_GT(fails(reservation_fail::miss_queue_full), 50u);
    }
    /// The oldest line is clean: room for one is enough, which there is when the other load has
    /// ended, and before memory has acknowledged the line.
    void expect_end() {
        rig->wake();
        run(350);
        const auto& log = rig->memory.log();
        ASSERT_EQ(log.size(), 3u);
        EXPECT_EQ(log[1].kind, memory_kind::write_back);
        EXPECT_EQ(log[2].address, heap + 256);
        settle();
    }
};

TEST_F(lsu_write_back_wait, ends_with_a_global_line_that_is_written_back) {
    begin_with(heap);
    (void)rig->unit().maintenance().write_back(owner_set(access_owner(0)));
    expect_end();
}

TEST_F(lsu_write_back_wait, ends_with_a_private_line_that_is_written_back) {
    begin_with(private_base);
    std::size_t from = 0;
    EXPECT_FALSE(rig->unit().maintenance().write_private_back({}, 0, 1, from)) << "no more room";
    expect_end();
}

}  // namespace
}  // namespace heddle
