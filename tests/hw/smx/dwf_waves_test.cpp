// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The hardware of dynamic warp formation in the waveform.
#include <cstdio>
#include <string>
#include <systemc>

#include "hw/base/waveform.h"
#include "tests/hw/base/vcd_reader.h"
#include "tests/hw/smx/dwf_fixture.h"

namespace heddle {
namespace {

TEST(dwf_waves, each_block_of_the_hardware_is_a_scope) {
    const std::string file = ::testing::TempDir() + "dwf_test.vcd";
    {
        waveform waves(file);
        dwf_configuration configuration;
        configuration.lut_entries = configuration.lut_ways = 2;
        configuration.policies.of<heap_configuration>() = {4, 4, 4};
        configuration.pool_entries = 4;
        dwf_fixture f(8, 1, configuration);
        f.former->trace(waves, "pool");
        f.arrive(8, 0, 0b0001);
        f.arrive(12, 2, 0b0110);
        f.arrive(16, 4, 0b1000);
        f.arrive(16, 6, 0b1000);
        for (unsigned clock = 0; clock < 5; ++clock) {
            if (clock == 4) f.arrive(20, 8, 0b0010);
            sc_core::sc_start(1, sc_core::SC_NS);
            f.former->pass(1);
            f.former->publish();
        }
        sc_core::sc_start(1, sc_core::SC_NS);
        waves.close();
    }
    const vcd_reader vcd(file);
    std::remove(file.c_str());
    const auto last = [&](const std::string& name) {
        return vcd["pool." + name].values.back().second;
    };
    // After a clock 12 is the Majority Entry, with the two threads of home warp 2 in warp 1.
    EXPECT_EQ(last("majority_entry.pc"), "1100");
    EXPECT_EQ(last("majority_entry.cnt"), "10");
    EXPECT_EQ(last("majority_entry.wph"), "1");
    EXPECT_EQ(last("warp_pool_1.pc"), "1100");
    EXPECT_EQ(last("warp_pool_1.lanes"), "110");
    // Threads 17 and 18 in places 1 and 2, 16 bits each.
    EXPECT_EQ(last("warp_pool_1.tid"),
              "10010"
              "0000000000010001"
              "0000000000000000");
    // Both of 16 are in the list of one heap entry: warp 2, then warp 3.
    EXPECT_EQ(last("warp_pool_2.next"), "11");
    EXPECT_EQ(last("heap_0.pc"), "10000");
    EXPECT_EQ(last("heap_0.cnt"), "10");
    EXPECT_EQ(last("heap_entries"), "10");
    EXPECT_EQ(last("heap_lut_2.pc"), "10000");
    EXPECT_EQ(last("heap_lut_2.mh"), "0");
    EXPECT_EQ(last("warp_allocator.free"), "0");
    EXPECT_EQ(last("overflow_list.threads"), "1");
    EXPECT_EQ(last("warp_update_register_a.req"), "0");
    EXPECT_EQ(last("pc_warp_lut_0.occ"), "1000");
}

}  // namespace
}  // namespace heddle
