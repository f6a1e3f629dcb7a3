// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The worked example of Fung 2008, Fig. 4.1: two warps of four threads, basic blocks A ... G.
#include <array>
#include <ostream>
#include <vector>

#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

constexpr unsigned basic_blocks = 7;
/// Leftmost thread first in the figure, lane 0 here.
constexpr isa::lane_mask lanes(const char (&text)[5]) {
    isa::lane_mask mask = 0;
    for (unsigned i = 0; i < 4; ++i) mask |= text[i] == '1' ? bits::one(i) : 0;
    return mask;
}
/// Threads that execute each basic block, of warps x and y.
constexpr isa::lane_mask masks[basic_blocks][2] = {
    {lanes("1111"), lanes("1111")}, {lanes("1110"), lanes("0011")}, {lanes("1000"), lanes("0010")},
    {lanes("0110"), lanes("0001")}, {lanes("1110"), lanes("0011")}, {lanes("0001"), lanes("1100")},
    {lanes("1111"), lanes("1111")}};
/// Where a thread can go from each; a thread goes to the one whose mask holds it.
const std::vector<unsigned> successors[basic_blocks] = {{1, 5}, {2, 3}, {4}, {4}, {6}, {6}, {0}};

struct slots {
    unsigned used = 0, offered = 0;

    bool operator==(const slots& other) const {
        return used == other.used && offered == other.offered;
    }
    friend std::ostream& operator<<(std::ostream& out, const slots& of) {
        return out << of.used << " of " << of.offered;
    }
};

slots static_warps(bool next_a) {
    slots sum;
    for (unsigned b = 0; b < basic_blocks + (next_a ? 1 : 0); ++b) {
        for (const isa::lane_mask mask : masks[b % basic_blocks]) {
            sum.used += bits::count(mask);
            sum.offered += mask != 0 ? 4 : 0;
        }
    }
    return sum;
}

/// Each basic block is one instruction. All threads at a PC issue before any of them comes back,
/// and are in the pool before the first issues at the next one.
slots dynamic_warps(bool next_a, const dwf_configuration& configuration) {
    dwf_fixture f(4, 1, configuration, 8);
    f.arrive(0, 0, masks[0][0], true);
    f.arrive(0, 1, masks[0][1], true);
    std::array<unsigned, basic_blocks> waiting{8};
    slots sum;
    for (unsigned b = 0, passes = 0; b < basic_blocks && passes < (next_a ? 2 : 1);) {
        std::vector<issued_group> back;
        while (waiting[b] != 0) {
            while (f.former->occupancy().arriving != 0) f.former->pass(1);
            const issued_group group = f.turn();
            EXPECT_EQ(group.pc, 4 * b);
            if (group.lanes == 0 || group.pc != 4 * b) return sum;
            waiting[b] -= bits::count(group.lanes);
            sum.used += bits::count(group.lanes);
            sum.offered += 4;
            back.push_back(group);
        }
        for (const issued_group& group : back) {
            for (const unsigned to : successors[b]) {
                isa::lane_mask going = 0;
                std::size_t next = 0;
                bits::for_each(group.lanes, [&](unsigned lane) {
                    const unsigned thread = group.threads[next++];
                    if (bits::test(masks[to][thread / 4], thread % 4)) going |= bits::one(lane);
                });
                if (going == 0) continue;
                f.arrive(4 * to, group, going);
                waiting[to] += bits::count(going);
            }
        }
        if (passes == 1) break;  // the next A is over
        if (++b == basic_blocks) b = 0, ++passes;
    }
    return sum;
}

/// The PC policy takes the basic blocks in the order of the figure. It has no swizzling: warp y is
/// an odd one, and exchanged lanes would let D's threads meet in one lane.
dwf_configuration of_the_figure() {
    dwf_configuration configuration = dwf_fixture::with(warp_policies::key<pc_policy>);
    configuration.swizzling = lane_swizzling::none;
    return configuration;
}

TEST(dwf_example, one_pass_takes_34_of_56_lane_slots_with_static_and_of_44_with_dynamic_warps) {
    EXPECT_EQ(static_warps(false), (slots{34, 56}));
    EXPECT_EQ(dynamic_warps(false, of_the_figure()), (slots{34, 44}));
}

TEST(dwf_example, with_the_next_a_42_of_64_and_42_of_52) {
    EXPECT_EQ(static_warps(true), (slots{42, 64}));
    EXPECT_EQ(dynamic_warps(true, of_the_figure()), (slots{42, 52}));
}

TEST(dwf_example, swizzling_lets_two_threads_of_d_meet_in_one_lane) {
    dwf_configuration configuration = of_the_figure();
    configuration.swizzling = lane_swizzling::swap;
    EXPECT_EQ(dynamic_warps(false, configuration), (slots{34, 48}));
}

}  // namespace
}  // namespace heddle
