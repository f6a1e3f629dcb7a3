// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What an access of 128 bytes costs more over the pins than without them.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "hw/axi/axi_link.h"
#include "hw/dram/fixed_latency_memory.h"
#include "tests/hw/base/child_process.h"
#include "tests/hw/protocol/base_rig.h"

namespace heddle::axi {
namespace {

using protocol::memory_kind;

/// Edge of the response to an access that is sent behind edge 10. `width` 0: without pins.
std::uint64_t answer_of(memory_kind kind, std::uint32_t width) {
    const process_result result = run_in_child([&](std::string& output) {
        protocol::testing::base_rig rig;
        fixed_latency_memory memory("memory", rig.domain, {}, 1);
        pins::pin_clock clock("pin_clock", rig.domain);
        axi_configuration bus;
        bus.bus = memory_bus::axi;
        bus.width = width;
        std::unique_ptr<axi_link> link;
        if (width == 0) {
            rig.initiator.socket.bind(memory.port_sockets[0]);
        } else {
            link = std::make_unique<axi_link>("axi", clock,
                                              axi_link_options{bus, pins::pin_configuration()});
            rig.initiator.socket.bind(link->request_socket());
            link->memory_socket().bind(memory.port_sockets[0]);
        }
        rig.start();
        rig.run(10);
        rig.send(rig.make(kind, 0x1000, 128));
        rig.run(1000);
        if (rig.answered.size() != 1) return 1;
        output = std::to_string(rig.answered[0]);
        return 0;
    });
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return result.exit_code == 0 ? std::stoull(result.output) : 0;
}

TEST(extra_clocks, are_3_for_a_read_and_4_for_a_write_and_one_for_each_beat) {
    const std::uint64_t read = answer_of(memory_kind::load, 0);
    const std::uint64_t write = answer_of(memory_kind::write_back, 0);
    EXPECT_GT(read, 100U) << "the latency of the memory";
    for (const std::uint32_t width : {32U, 64U, 128U, 256U, 512U}) {
        const std::uint64_t beats = 128 / (width / 8);
        EXPECT_EQ(answer_of(memory_kind::load, width) - read, 3 + beats) << width;
        EXPECT_EQ(answer_of(memory_kind::write_back, width) - write, 4 + beats) << width;
    }
}

}  // namespace
}  // namespace heddle::axi
