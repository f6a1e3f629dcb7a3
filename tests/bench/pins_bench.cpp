// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// What a clock of pins costs: memory controllers behind pins, at rest and with an access of 128
// bytes in each clock. docs/pins.md has the results. pins_bench [CLOCKS]
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "hw/base/payload_pool.h"
#include "hw/cosim/pins/block_rtl.h"
#include "hw/cosim/pins/memory_controller_pins.h"
#include "hw/dram/dram.h"

namespace {

using namespace heddle;
using pins::block_implementation;

struct bench_access : tlm::tlm_generic_payload {
    std::array<unsigned char, 128> data{};
};

/// Sends an access of a whole line in each clock in which the target takes one.
class line_source final : public sc_core::sc_module,
                          public clocked,
                          private tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<32> socket{"socket"};

    line_source(const sc_core::sc_module_name& name, clock_domain& domain, bool busy)
        : sc_module(name), clocked(domain, sc_module::name()), busy_(busy) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }
    void evaluate() override {
        if (!busy_ || !free_) return;
        bench_access& access = *pool_.make();
        access.set_command(sent_ % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        access.set_address(sent_ * 128 % (1 << 20));
        access.set_data_ptr(access.data.data());
        access.data[sent_ % 128] = static_cast<unsigned char>(sent_);
        access.set_data_length(128);
        access.set_streaming_width(128);
        ++sent_;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        free_ = socket->nb_transport_fw(access, phase, delay) != tlm::TLM_ACCEPTED;
        access.release();
    }
    activity update() override { return busy_ ? activity::busy : activity::idle; }

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        if (phase == tlm::BEGIN_RESP) return tlm::TLM_COMPLETED;
        free_ = true;
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    payload_pool<bench_access> pool_{"accesses"};
    const bool busy_;
    std::uint64_t sent_ = 0;
    bool free_ = true;
};

struct bench_case {
    const char* name;
    block_implementation block;
    unsigned ports;
    bool busy, check;
};

void measure(const bench_case& what, double clocks) {
    run_status status;
    clock_domain clock("clock", frequency::megahertz(1000));
    pins::pin_clock pin_clock("pin_clock", clock);
    pins::pin_configuration settings;
    settings.check = what.check;
    const memory_controller_configuration controller;
    dram memory("memory", what.ports);
    std::vector<std::unique_ptr<pins::memory_controller_pins>> blocks;
    std::vector<std::unique_ptr<line_source>> sources;
    for (unsigned n = 0; n < what.ports; ++n) {
        const std::string number = std::to_string(n);
        blocks.push_back(std::make_unique<pins::memory_controller_pins>(
            ("block_" + number).c_str(),
            pins::memory_controller_pins::options{pin_clock, settings, what.block, controller,
                                                  dram::bytes, 1, status}));
        blocks.back()->memory_socket().bind(memory.channel_sockets[n]);
        sources.push_back(
            std::make_unique<line_source>(("source_" + number).c_str(), clock, what.busy));
        sources.back()->socket.bind(blocks.back()->request_socket());
    }
    sc_core::sc_start(100, sc_core::SC_NS);
    const std::clock_t begin = std::clock();
    sc_core::sc_start(clocks, sc_core::SC_NS);
    const double time = 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%-40s %8.0f ns a clock\n", what.name, time / clocks);
    std::fflush(stdout);
}

}  // namespace

int sc_main(int argc, char** argv) {
    const double clocks = argc > 1 ? std::atof(argv[1]) : 300000;
    std::vector<bench_case> cases{
        {"no ports", block_implementation::pins, 0, false, false},
        {"1 port at rest", block_implementation::pins, 1, false, false},
        {"1 port at rest, checked", block_implementation::pins, 1, false, true},
        {"1 port busy", block_implementation::pins, 1, true, false},
        {"1 port busy, checked", block_implementation::pins, 1, true, true},
        {"6 ports at rest", block_implementation::pins, 6, false, false},
        {"6 ports busy", block_implementation::pins, 6, true, false}};
    if (pins::has_block_rtl()) {
        cases.push_back({"1 RTL at rest", block_implementation::rtl, 1, false, false});
        cases.push_back({"1 RTL busy", block_implementation::rtl, 1, true, false});
    }
    int result = 0;
    for (const bench_case& one : cases) {
        const pid_t child = fork();
        if (child == 0) {
            measure(one, clocks);
            _exit(0);
        }
        int ended = 0;
        waitpid(child, &ended, 0);
        result |= ended;
    }
    return result == 0 ? 0 : 1;
}
