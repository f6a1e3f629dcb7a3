// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of a memory controller behind pins, Heddle's own or RTL: random reads and writes with
// byte enables and random stalls at sockets and pins, against flat bytes. Checkers watch links and
// pins.
#include <iostream>
#include <memory>
#include <string>

#include "hw/cosim/pins/memory_controller_pins.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/memory_controller/request_schedulers.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/tlm_slots.h"
#include "tb/memory_traffic/byte_driver.h"

namespace {

using namespace heddle;
using pins::block_implementation;

constexpr unsigned region = 1U << 13;  ///< bytes: few lines, so that accesses meet
constexpr unsigned accesses = 3000;

class driver final : public byte_driver {
public:
    driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
           std::uint64_t stride)
        : byte_driver(name, domain, bench, accesses, region * stride, 1024), stride_(stride) {}

private:
    /// Inside of a line; lines are `stride` apart from each other by times, for rows and banks.
    access draw(random_stream& random) override {
        const auto first = static_cast<unsigned>(random.below(128));
        const auto length = 1 + static_cast<unsigned>(random.below(128 - first));
        const std::uint64_t line = random.below(region / 128) * 128 * stride_;
        return {length, line + first, random.chance(0.6)};
    }

    std::uint64_t stride_;
};

void run(testbench& bench, block_implementation what, const pins::pin_configuration& settings) {
    random_stream random = bench.random("configuration");
    memory_controller_configuration configuration;
    configuration.queue = 2 + static_cast<std::uint32_t>(random.below(20));
    configuration.age_limit = 1 + random.below(200);
    clock_domain clock("clock", frequency::megahertz(924), bench.domain_options());
    // Lines that share rows, that share banks, or both.
    const std::uint64_t strides[] = {1, 16, 64};
    driver source("driver", clock, bench, strides[random.below(3)]);
    pins::pin_clock pin_clock("pin_clock", clock, settings.reset_clocks);
    pins::memory_controller_pins block(
        "controller_pins",
        pins::memory_controller_pins::options{pin_clock, settings, what, configuration, dram::bytes,
                                              bench.options().seed, bench.status(), bench.waves()});
    std::unique_ptr<memory_controller> controller;
    dram memory("memory", 1);
    protocol::instrumentation links(true, bench.timeline());
    links.connect(source.socket, block.request_socket(), "request_link");
    if (what == block_implementation::pins) {
        controller = std::make_unique<memory_controller>(
            "controller", clock, configuration, channel_addresses{},
            tlm_slots<request_scheduler_traits>(clock, bench.status(), bench.options().seed),
            bench.status(), bench.waves());
        links.connect(block.memory_socket(), controller->request_socket, "pins_link");
        links.connect(controller->dram_socket, memory.channel_sockets[0], "dram_link");
    } else {
        links.connect(block.memory_socket(), memory.channel_sockets[0], "dram_link");
    }
    if (bench.run(clock) != error_kind::none) return;
    links.report_lost();
    bench.check(source.pool.live() <= 1, source.pool.leak_report());
    bench.check(block.counts().errors == 0, "an access failed");
    std::cout << clock.edge() << " clocks for " << accesses << " accesses\n";
}

}  // namespace

int sc_main(int argc, char** argv) {
    block_implementation what = block_implementation::pins;
    pins::pin_configuration settings;
    testbench_description description;
    description.name = "memory_controller_pins_tb";
    description.summary = "Random traffic against a memory controller behind pins";
    description.add_options = [&](command_line& line) {
        line.choice<block_implementation>(
            "--block", what,
            {{"pins", block_implementation::pins}, {"rtl", block_implementation::rtl}},
            "What is behind the pins: Heddle's controller or RTL");
        line.number("--pin-stalls", settings.stalls, "Stalled pin handshakes in percent", 0, 99);
        line.number("--reset-clocks", settings.reset_clocks, "Clocks of the reset", 1, 1000);
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run(bench, what, settings); });
}
