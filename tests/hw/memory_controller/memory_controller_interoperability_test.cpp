// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The memory controller between initiators and memories that are not ours.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <vector>

#include "hw/base/has_process.h"
#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/protocol_checker.h"
#include "tb/kit/tlm_slots.h"
#include "tests/hw/base/simulate.h"
#include "tests/hw/memory_controller/gf100_channel.h"
#include "tests/hw/protocol/base_rig.h"
#include "tests/hw/protocol/foreign_models.h"

namespace heddle {
namespace {

using sc_core::sc_time;

/// A memory of another house, with nothing but b_transport, that lets time pass in the call.
class lt_memory : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<lt_memory> socket{"socket"};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(1024);

    explicit lt_memory(const sc_core::sc_module_name& name) : sc_module(name) {
        socket.register_b_transport(this, &lt_memory::b_transport);
    }

private:
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        wait(delay + sc_time(13, sc_core::SC_NS));
        delay = sc_core::SC_ZERO_TIME;
        unsigned char* const cell = bytes.data() + p.get_address();
        if (p.is_read()) {
            std::copy(cell, cell + p.get_data_length(), p.get_data_ptr());
        } else {
            std::copy(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length(), cell);
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

/// Any base-protocol initiator may drive the controller, any base-protocol memory may stand behind
/// it; checkers on both links.
template <class Bind>
void interoperate(const Bind& bind) {
    protocol::testing::report_catcher catcher;
    run_status status;
    clock_domain domain("clock", frequency::megahertz(924));
    memory_controller_configuration c = gf100();
    c.queue = 4, c.write_high_watermark = 3, c.write_low_watermark = 1, c.timing.refi = 1000,
    c.timing.rfc = 100;
    foreign::at_initiator<foreign::base_phases> initiator("initiator", 5, 600);
    protocol::protocol_checker<protocol::base_link> front("front"), back("back");
    memory_controller controller("controller", domain, c, {},
                                 tlm_slots<request_scheduler_traits>(domain, status), status);
    command_checker checker("controller", c.timing, c.banks(), c.bank_groups);
    controller.observe(checker);
    initiator.socket.bind(front.target_socket);
    front.initiator_socket.bind(controller.request_socket);
    controller.dram_socket.bind(back.target_socket);
    bind(back);
    simulate(200, sc_core::SC_US);
    EXPECT_EQ(initiator.completed, 600U);
    EXPECT_EQ(initiator.mismatches, 0U);
    EXPECT_EQ(initiator.alive, 0U);
    front.report_lost();
    back.report_lost();
    EXPECT_TRUE(protocol::testing::report_catcher::reports().empty())
        << protocol::testing::report_catcher::text();
    EXPECT_GT(checker.commands(), 600U);
    EXPECT_EQ(controller.counts().reads + controller.counts().writes, 600U);
}

TEST(memory_controller_interoperability, foreign_initiator_and_our_dram) {
    dram memory("memory", 1);
    interoperate([&](auto& back) { back.initiator_socket.bind(memory.channel_sockets[0]); });
}

TEST(memory_controller_interoperability, foreign_initiator_and_foreign_at_memory) {
    foreign::at_target<foreign::base_phases> memory("memory", 9);
    interoperate([&](auto& back) { back.initiator_socket.bind(memory.socket); });
}

TEST(memory_controller_interoperability, foreign_initiator_and_foreign_lt_memory) {
    lt_memory memory("memory");
    interoperate([&](auto& back) { back.initiator_socket.bind(memory.socket); });
}

/// A loosely timed initiator: b_transport from a thread.
struct lt_initiator : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<lt_initiator> socket{"socket"};
    unsigned good = 0;

    HEDDLE_HAS_PROCESS(lt_initiator);
    explicit lt_initiator(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

private:
    void run() {
        for (unsigned i = 0; i < 100; ++i) {
            unsigned char data[16] = {static_cast<unsigned char>(i)};
            transfer(tlm::TLM_WRITE_COMMAND, 40 * i, data);
            data[0] = 0;
            transfer(tlm::TLM_READ_COMMAND, 40 * i, data);
            good += data[0] == i ? 1 : 0;
        }
    }
    void transfer(tlm::tlm_command command, std::uint64_t address, unsigned char* data) {
        tlm::tlm_generic_payload p;
        p.set_command(command);
        p.set_address(address);
        p.set_data_ptr(data);
        p.set_data_length(16);
        p.set_streaming_width(16);
        sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(p, delay);
        wait(delay);
    }
};

TEST(memory_controller_interoperability, foreign_lt_initiator) {
    run_status status;
    clock_domain domain("clock", frequency::megahertz(924));
    lt_initiator initiator("initiator");
    memory_controller controller("controller", domain, gf100(), {},
                                 tlm_slots<request_scheduler_traits>(domain, status), status);
    dram memory("memory", 1);
    initiator.socket.bind(controller.request_socket);
    controller.dram_socket.bind(memory.channel_sockets[0]);
    simulate(100, sc_core::SC_US);
    EXPECT_EQ(initiator.good, 100U);
}

}  // namespace
}  // namespace heddle
