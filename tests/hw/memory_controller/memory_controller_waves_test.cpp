// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/base_access.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/base/vcd_reader.h"
#include "tests/hw/protocol/scripted_link.h"

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// A read, a conflicting read and a refresh, as a waveform shows them. Edge k lies at k ns.
TEST(memory_controller_waves, show_each_command_for_one_clock_and_the_open_rows) {
    const std::string path =
        ::testing::TempDir() + "heddle_dram_waves_" + std::to_string(getpid()) + ".vcd";
    run_status status;
    protocol::memory_pool pool("pool");
    memory_controller_configuration c;
    protocol::dram_timing& t = c.timing;
    t.cl = 12, t.rcd = 12, t.rp = 12, t.ras = 28, t.rc = 40, t.rrd = 6, t.rtp = 2;
    t.refi = 300, t.rfc = 50;
    {
        waveform waves(path);
        clock_domain domain("clock", frequency::megahertz(1000));
        protocol::testing::scripted_initiator<protocol::base_link> initiator("initiator");
        initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
        memory_controller controller("controller", domain, c, {},
                                     tlm_slots<request_scheduler_traits>(domain, status), status,
                                     &waves);
        dram memory("memory", 1);
        initiator.socket.bind(controller.request_socket);
        controller.dram_socket.bind(memory.channel_sockets[0]);
        sc_core::sc_start(500, sc_core::SC_PS);
        for (const std::uint64_t row : {7, 9}) {
            protocol::memory_transaction& read = *pool.make();
            read.prepare(protocol::memory_kind::load, controller.decoder().encode({0, 3, 0, row}),
                         64);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            initiator.socket->nb_transport_fw(read, phase, delay);
        }
        sc_core::sc_start(400, sc_core::SC_NS);
        waves.close();
    }
    const vcd_reader file(path);
    std::filesystem::remove(path);
    // none 0, ACT 1, RD 2, WR 3, PRE 4, REF 5; a clock is 1000 ps
    EXPECT_THAT(file["controller.bank_3.row"].values,
                ElementsAre(Pair(0, std::string(64, '1')), Pair(1000, "111"),
                            Pair(29000, std::string(64, '1')), Pair(41000, "1001"),
                            Pair(300000, std::string(64, '1'))));
    std::string commands;
    for (const auto& [time, value] : file["controller.bank_3.command"].values) {
        commands += std::to_string(time / 1000) + ":" + value + " ";
    }
    EXPECT_EQ(
        commands,
        "0:0 1:1 2:0 13:10 14:0 29:100 30:0 41:1 42:0 53:10 54:0 300:100 301:0 312:101 313:0 ");
    EXPECT_THAT(file["controller.bank_0.command"].values,
                ElementsAre(Pair(0, "0"), Pair(312000, "101"), Pair(313000, "0")))
        << "a refresh is of all banks";
}

}  // namespace
}  // namespace heddle
