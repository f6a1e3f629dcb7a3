// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/shared_memory/shared_memory.h"

namespace heddle {

shared_memory::shared_memory(const sc_core::sc_module_name& name, const clock_domain& domain,
                             const shared_memory_configuration& configuration, std::uint32_t bytes)
    : sc_module(name),
      socket("socket"),
      banks_(configuration.banks, bytes),
      latency_(configuration.latency),
      replay_latency_(configuration.replay_latency),
      write_interval_(configuration.write_interval),
      domain_(&domain) {
    socket.register_b_transport(this, &shared_memory::access);
}

void shared_memory::access(protocol::shared_access& payload, sc_core::sc_time& delay) {
    const unsigned interval =
        payload.command == protocol::local_command::load ? 1 : write_interval_;
    const unsigned turns = banks_.perform(payload);
    payload.busy_cycles = static_cast<std::uint16_t>(turns * interval);
    annotate(delay, cycles_of(turns));
}

void shared_memory::collect(statistics& into, const std::string& scope) const {
    const shared_banks_counters& c = banks_.counters();
    into.declare(scope, shared_memory_statistics);
    into.set(scope + ".accesses", c.accesses);
    into.set(scope + ".atomics", c.atomics);
    into.set(scope + ".bank_conflicts", c.conflicts);
    into.set(scope + ".bank_conflict_cycles", c.conflict_cycles);
}

}  // namespace heddle
