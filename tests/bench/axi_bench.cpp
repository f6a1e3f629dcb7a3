// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Cost of an AXI4 bus of pins: host nanoseconds of a bridge in a clock, two of which make a hop
// from TLM to the pins and back. What the clock of the pins costs alone is taken off; what the
// initiator and the memory of the benchmark cost is not.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "hw/axi/axi_link.h"
#include "hw/dram/dram.h"
#include "hw/protocol/base_access.h"
#include "tests/bench/median.h"

namespace {

using namespace heddle;

/// Reads or writes line after line, as many at a time as the bus takes.
class traffic final : public sc_core::sc_module, public clocked {
public:
    protocol::initiator_socket_of<traffic, protocol::base_link> socket{"socket"};

    traffic(const sc_core::sc_module_name& name, clock_domain& domain, bool busy)
        : sc_module(name), clocked(domain, sc_module::name()), waits_(!busy) {
        socket.register_nb_transport_bw(this, &traffic::answer);
    }
    void evaluate() override {
        if (waits_) return;
        protocol::memory_transaction& t = *pool_.make();
        t.prepare(count_ % 2 == 0 ? protocol::memory_kind::load : protocol::memory_kind::write_back,
                  count_ % 1024 * 128, 128);
        t.data()[count_ % 128] = static_cast<std::uint8_t>(count_);
        ++count_;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        waits_ = socket->nb_transport_fw(t, phase, delay) == tlm::TLM_ACCEPTED;
    }
    activity update() override { return activity::busy; }

private:
    tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                              sc_core::sc_time&) {
        if (phase == tlm::END_REQ) {
            waits_ = false;
            return tlm::TLM_ACCEPTED;
        }
        t.release();
        return tlm::TLM_COMPLETED;
    }

    protocol::memory_pool pool_{"pool"};
    std::uint64_t count_ = 0;
    bool waits_;
};

struct bench_case {
    const char* name;
    std::uint32_t width;  ///< 0: no bus
    bool busy;
    bool check;
};

/// Nanoseconds of a clock.
double clock_time(const bench_case& what, std::uint64_t edges) {
    clock_domain domain("clock", frequency::megahertz(1000));
    pins::pin_clock clock("pin_clock", domain);
    axi::axi_configuration bus;
    bus.bus = axi::memory_bus::axi;
    bus.width = what.width;
    pins::pin_configuration about_pins;
    about_pins.check = what.check;
    std::unique_ptr<dram> memory;
    std::unique_ptr<axi::axi_link> link;
    std::unique_ptr<traffic> source;
    if (what.width != 0) {
        link =
            std::make_unique<axi::axi_link>("axi", clock, axi::axi_link_options{bus, about_pins});
        memory = std::make_unique<dram>("memory", 1);
        link->memory_socket().bind(memory->channel_sockets[0]);
        source = std::make_unique<traffic>("traffic", domain, what.busy);
        source->socket.bind(link->request_socket());
    }
    const std::clock_t begin = std::clock();
    sc_core::sc_start(static_cast<double>(edges), sc_core::SC_NS);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return seconds * 1e9 / static_cast<double>(edges);
}

}  // namespace

int sc_main(int argc, char** argv) {
    const bool quick = argc > 1 && std::string(argv[1]) == "--quick";
    const std::uint64_t edges = quick ? 20000 : 1000000;
    const double alone = median([&] { return clock_time({"clock", 0, false, false}, edges); });
    std::printf("axi/clock_of_pins %.0f ns a clock\n", alone);
    const bench_case cases[] = {{"idle", 128, false, false},
                                {"32_bits", 32, true, false},
                                {"128_bits", 128, true, false},
                                {"512_bits", 512, true, false},
                                {"128_bits_checked", 128, true, true}};
    for (const bench_case& each : cases) {
        const double both = median([&] { return clock_time(each, edges); }) - alone;
        std::printf("axi/%s %.0f ns a bridge and clock\n", each.name, both / 2);
    }
    return 0;
}
