// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Testbench of the memory: random reads and writes of one port with random stalls before each
// request and END_RESP, against flat bytes; every answer comes in order and not before its time.
#include <deque>

#include "hw/dram/fixed_latency_memory.h"
#include "hw/protocol/instrumentation.h"
#include "tb/memory_traffic/byte_driver.h"

namespace {

using namespace heddle;

constexpr unsigned bytes = 1024;
constexpr unsigned accesses = 5000;

/// Answers come in order, and not before their time.
class driver final : public byte_driver {
public:
    driver(const sc_core::sc_module_name& name, clock_domain& domain, testbench& bench,
           const memory_configuration& configuration)
        : byte_driver(name, domain, bench, accesses, bytes, 16 + 2 * configuration.queue),
          configuration_(configuration) {}

private:
    struct expectation {
        const tlm::tlm_generic_payload* payload;
        std::uint64_t earliest;
    };

    access draw(random_stream& random) override {
        const unsigned length = 1 + static_cast<unsigned>(random.below(128));
        const std::uint64_t address = random.below(bytes - length);
        return {length, address, random.chance(0.5)};
    }
    void began(const tlm::tlm_generic_payload& p) override {
        const unsigned cycles = (p.get_data_length() - 1) / configuration_.bytes_per_cycle + 1;
        open_.push_back({&p, domain().edge() + 1 + configuration_.latency + cycles});
    }
    void answered(const tlm::tlm_generic_payload&) override {
        bench_.check(domain().edge() >= open_.front().earliest, "an answer before its time");
    }
    void ended(const tlm::tlm_generic_payload& p) override {
        bench_.check(open_.front().payload == &p, "answers out of order");
        open_.pop_front();
    }

    const memory_configuration configuration_;
    std::deque<expectation> open_;
};

void run(testbench& bench) {
    random_stream random = bench.random("configuration");
    memory_configuration configuration;
    configuration.latency = 1 + static_cast<unsigned>(random.below(50));
    configuration.bytes_per_cycle = 4U << random.below(5);
    configuration.queue = 1 + static_cast<unsigned>(random.below(8));
    clock_domain clock("clock", frequency::megahertz(924), bench.domain_options());
    driver port("driver", clock, bench, configuration);
    fixed_latency_memory memory("memory", clock, configuration, 1, bench.waves());
    protocol::instrumentation observers(true, bench.timeline());
    observers.connect(port.socket, memory.port_sockets[0], "link");
    if (bench.run(clock) == error_kind::none) {
        bench.check(port.pool.live() <= 1, port.pool.leak_report());
        const memory_counts counts = memory.counts();
        bench.check(counts.reads + counts.writes == accesses, "accesses were lost or doubled");
    }
}

}  // namespace

int sc_main(int argc, char** argv) {
    testbench_description description;
    description.name = "dram_tb";
    description.summary = "Random base-protocol traffic against the memory of fixed latency";
    return run_testbench(description, argc, argv, run);
}
