// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/dram/fixed_latency_memory.h"

#include "hw/base/crew.h"
#include "hw/dram/dram_port.h"

namespace heddle {

fixed_latency_memory::fixed_latency_memory(const sc_core::sc_module_name& name,
                                           clock_domain& domain,
                                           const memory_configuration& configuration,
                                           std::uint32_t ports, waveform* waves)
    : sc_module(name), port_sockets("port_socket", ports), domain_(domain), store_(bytes) {
    const memory_store store(reinterpret_cast<std::uint8_t*>(store_.data()), bytes);
    for (std::uint32_t port = 0; port < ports; ++port) {
        ports_.push_back(std::make_unique<dram_port>(
            domain, std::string(this->name()) + ".port_" + std::to_string(port), configuration,
            store, port_sockets[port], waves));
    }
}

fixed_latency_memory::~fixed_latency_memory() = default;

void fixed_latency_memory::share(crew& threads, std::uint32_t weight) {
    for (const auto& port : ports_) threads.share(*port, weight);
}

memory_counts fixed_latency_memory::counts() const {
    return counts(domain_.edge_count());
}

memory_counts fixed_latency_memory::counts(std::uint64_t now) const {
    memory_counts sum;
    memory_traffic traffic;
    for (const auto& port : ports_) {
        traffic += port->traffic();
        sum.busy_cycles += port->busy_cycles(now);
        sum.pending_cycles += port->pending_cycles(now);
    }
    sum.reads = traffic.reads;
    sum.writes = traffic.writes;
    sum.bytes_read = traffic.bytes_read;
    sum.bytes_written = traffic.bytes_written;
    sum.errors = traffic.errors;
    sum.changes = traffic.changes;
    return sum;
}

void fixed_latency_memory::collect(statistics& out, const std::string& scope) const {
    declare_counted(out, scope, memory_statistics);
    set_counted(out, scope, memory_statistics, counts());
}

}  // namespace heddle
