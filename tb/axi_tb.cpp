// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the AXI4 bridges: random reads and writes with byte enables from TLM over the pins
// of AXI4 to a memory controller, or to the memory in SystemVerilog, with random stalls on all
// channels, against flat bytes. Checkers watch all links and the pins.
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/axi/axi_link.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/tlm_slots.h"
#include "tb/memory_traffic/byte_driver.h"

namespace {

using namespace heddle;

constexpr unsigned region = 1U << 14;  ///< bytes
constexpr unsigned accesses = 4000;

class driver final : public byte_driver {
public:
    driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench)
        : byte_driver(name, domain, bench, accesses, region + 128, 512) {}

private:
    /// Often where the last one was, so that reads and writes of a line meet.
    access draw(random_stream& random) override {
        const unsigned length = 1 + static_cast<unsigned>(random.below(128));
        last_ = (random.chance(0.5) ? last_ + random.below(64) : random.below(region)) % region;
        return {length, last_, random.chance(0.6)};
    }

    std::uint64_t last_ = 0;
};

axi::axi_configuration draw(testbench& bench, axi::memory_bus bus, std::uint32_t width) {
    random_stream random = bench.random("configuration");
    axi::axi_configuration c;
    c.bus = bus;
    c.width = width != 0 ? width : 32U << random.below(5);
    c.ids = 1 + static_cast<std::uint32_t>(random.below(random.chance(0.5) ? 256 : 8));
    c.queue = 1 + static_cast<std::uint32_t>(random.below(random.chance(0.5) ? 64 : 4));
    return c;
}

void run(testbench& bench, axi::memory_bus bus, std::uint32_t width) {
    const axi::axi_configuration configuration = draw(bench, bus, width);
    std::cout << configuration.width << " bits, " << configuration.ids << " IDs, queue "
              << configuration.queue << '\n';
    pins::pin_configuration about_pins;
    about_pins.stalls = static_cast<std::uint32_t>(bench.options().stall_probability * 100);
    clock_domain clock("clock", frequency::megahertz(924), bench.domain_options());
    pins::pin_clock pin_clock("pin_clock", clock);
    driver source("driver", clock, bench);
    axi::axi_link link("axi", pin_clock,
                       {configuration, about_pins, 128, bench.options().seed, bench.waves()});
    dram memory("memory", 1);
    protocol::instrumentation observers(true, bench.timeline());
    observers.connect(source.socket, link.request_socket(), "request_link");
    std::unique_ptr<memory_controller> controller;
    if (bus == axi::memory_bus::axi) {
        controller = std::make_unique<memory_controller>(
            "controller", clock, memory_controller_configuration(), channel_addresses{},
            tlm_slots<request_scheduler_traits>(clock, bench.status()), bench.status(),
            bench.waves());
        observers.connect(link.memory_socket(), controller->request_socket, "axi_link");
        observers.connect(controller->dram_socket, memory.channel_sockets[0], "dram_link");
    } else {
        link.memory_socket().bind(memory.channel_sockets[0]);
    }
    if (bench.run(clock) != error_kind::none) return;
    link.checker()->finish();
    bench.check(source.pool.live() <= 1, source.pool.leak_report());
    const axi::axi_checker& checker = *link.checker();
    bench.check(checker.answered() >= accesses, "accesses went another way");
    // A memory that mixes up the order of an ID, and one that takes order for a rule between IDs,
    // are seen only where there was an order to keep, or to change.
    const bool one_by_one =
        configuration.ids == 1 || (bus == axi::memory_bus::axi && configuration.queue == 1);
    bench.check(one_by_one || checker.orders().before_younger != 0,
                "no two bursts of one ID were under way");
    bench.check(one_by_one || checker.orders().before_older != 0,
                "bursts of different IDs kept their order");
    std::cout << checker.answered() << " bursts checked; " << checker.orders().before_younger
              << " were answered while a younger one of their ID waited, "
              << checker.orders().before_older << " before an older one of another ID\n";
}

}  // namespace

int sc_main(int argc, char** argv) {
    axi::memory_bus bus = axi::memory_bus::axi;
    std::uint32_t width = 0;
    testbench_description description;
    description.name = "axi_tb";
    description.summary = "Random base-protocol traffic over the pins of an AXI4 bus";
    description.add_options = [&](command_line& line) {
        std::vector<std::pair<std::string, axi::memory_bus>> legal{{"axi", axi::memory_bus::axi}};
        if (axi::rtl_memory_built()) legal.emplace_back("axi_rtl", axi::memory_bus::axi_rtl);
        line.choice<axi::memory_bus>("--bus", bus, legal, "The memory behind the pins");
        line.choice<std::uint32_t>(
            "--width", width,
            {{"random", 0}, {"32", 32}, {"64", 64}, {"128", 128}, {"256", 256}, {"512", 512}},
            "Bits of data");
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run(bench, bus, width); });
}
