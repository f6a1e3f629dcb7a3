// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the memory controller: random reads and writes with random stalls before each
// request and END_RESP, random parameters, against flat bytes. Checkers watch both links and the
// command bus.
#include <iostream>
#include <string>

#include "hw/dram/command_checker.h"
#include "hw/dram/dram.h"
#include "hw/memory_controller/memory_controller.h"
#include "hw/memory_controller/request_schedulers.h"
#include "hw/protocol/instrumentation.h"
#include "tb/kit/build_slots.h"
#include "tb/memory_traffic/byte_driver.h"

namespace {

using namespace heddle;

constexpr unsigned region = 1U << 16;  ///< bytes, over all banks and several rows
constexpr unsigned accesses = 4000;

class driver final : public byte_driver {
public:
    driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench)
        : byte_driver(name, domain, bench, accesses, region + 128, 512) {}

private:
    /// Often where the last one was, so that reads and writes of an atom meet.
    access draw(random_stream& random) override {
        const unsigned length = 1 + static_cast<unsigned>(random.below(128));
        last_ = (random.chance(0.5) ? last_ + random.below(64) : random.below(region)) % region;
        return {length, last_, random.chance(0.6)};
    }

    std::uint64_t last_ = 0;
};

memory_controller_configuration draw(testbench& bench) {
    random_stream random = bench.random("configuration");
    const auto some = [&](unsigned low, unsigned high) {
        return low + static_cast<unsigned>(random.below(high - low + 1));
    };
    memory_controller_configuration c;
    c.scheduler = request_schedulers::all()[random.below(request_schedulers::all().size())];
    c.queue = some(2, random.chance(0.5) ? 40 : 128);
    c.write_high_watermark = some(2, c.queue);
    c.write_low_watermark = some(0, c.write_high_watermark - 1);
    c.age_limit = some(1, random.chance(0.5) ? 2000 : 50);
    c.response_queue = some(1, 20);
    c.access_granularity = 16U << some(0, 2);
    // few columns, so that the region has rows to fight for
    c.column_mask = 0xff;
    c.bank_mask = random.chance(0.5) ? 0xf00 : 0x5500;
    c.row_mask = (std::uint64_t{1} << 20) - 1 - 0xff - c.bank_mask;
    c.bank_groups = 1U << some(0, 2);
    protocol::dram_timing& t = c.timing;
    t.cl = some(3, 20), t.wl = some(1, t.cl), t.burst = some(1, 4);
    t.rcd = some(1, 20), t.rp = some(1, 20), t.ras = some(5, 40), t.rc = t.ras + some(0, 20);
    t.rrd = some(1, 10), t.faw = some(0, 50), t.ccd = t.burst + some(0, 2), t.ccdl = some(1, 8);
    t.wtr = some(0, 10), t.rtw = t.cl + t.burst + some(0, 4) - t.wl, t.rtp = some(0, 6);
    t.rtw = t.rtw == 0 ? 1 : t.rtw;
    t.wr = some(0, 20);
    if (random.chance(0.5)) {
        t.rfc = some(10, 100);
        t.refi = 2 * (t.rfc + t.rp + t.ras) + some(0, 1000);
    }
    parameter_list parameters(c);
    parameters.check_rules();
    return c;
}

void run(testbench& bench, slot_implementation scheduler, bool print) {
    memory_controller_configuration configuration = draw(bench);
    if (scheduler != slot_implementation::tlm) configuration.scheduler = {};  // fr_fcfs has RTL
    clock_domain clock("clock", frequency::megahertz(924), bench.domain_options());
    driver source("driver", clock, bench);
    memory_controller controller("controller", clock, configuration, {},
                                 build_slots<request_scheduler_traits>(scheduler, clock, bench),
                                 bench.status(), bench.waves());
    dram memory("memory", 1);
    command_checker checker("controller", configuration.timing, configuration.banks(),
                            configuration.bank_groups);
    controller.observe(checker);
    protocol::instrumentation observers(true, bench.timeline());
    observers.connect(source.socket, controller.request_socket, "request_link");
    observers.connect(controller.dram_socket, memory.channel_sockets[0], "dram_link");
    if (bench.run(clock) != error_kind::none) return;
    bench.check(source.pool.live() <= 1, source.pool.leak_report());
    const memory_controller_counts counts = controller.counts();
    bench.check(counts.reads + counts.writes == accesses, "accesses were lost or doubled");
    bench.check(counts.bytes_read == source.moved_bytes(false) &&
                    counts.bytes_written == source.moved_bytes(true),
                "bytes were lost or doubled");
    bench.check(
        counts.channel.row_hits + counts.channel.row_misses + counts.channel.row_conflicts ==
            counts.channel.reads + counts.channel.writes,
        "row hits, misses and conflicts are not all column accesses");
    std::cout << checker.commands() << " commands checked\n";
    if (print) {
        statistics values;
        controller.collect(values, "channel");
        std::cout << to_table(values);
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    bool print = false;
    slot_implementation scheduler = slot_implementation::tlm;
    testbench_description description;
    description.name = "memory_controller_tb";
    description.summary = "Random base-protocol traffic against a memory controller";
    description.add_options = [&](command_line& line) {
        line.flag("--statistics", print, "Prints the statistics");
        line.choice<slot_implementation>("--slot", scheduler, slot_choices(),
                                         "What picks the requests: the model, the RTL of fr_fcfs, "
                                         "or both in lock step");
    };
    return run_testbench(description, argc, argv,
                         [&](testbench& bench) { run(bench, scheduler, print); });
}
