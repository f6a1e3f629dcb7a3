// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/lsu/lsu_rig.h"

namespace heddle {

lsu_rig::lsu_rig(const sc_core::sc_module_name& name, clock_domain& domain,
                 const lsu_rig_options& options)
    : sc_module(name),
      clocked(domain, this->name()),
      memory("memory", domain, options.memory),
      shared("shared_memory", domain, options.shared, options.shared_bytes),
      memory_checker("memory_checker"),
      shared_checker("shared_checker"),
      options_(options),
      memory_socket_("memory_socket"),
      shared_socket_("shared_socket"),
      port_(*this, sm_id(3), memory_socket_, options.lsu),
      unit_(options.lsu, {options.l1d, options.constant_cache, options.read_only_cache},
            {domain,
             sm_id(3),
             options.lanes,
             options.warps,
             options.warps,
             {options.private_bytes, options.lanes},
             ranges,
             *this,
             port_,
             shared_socket_,
             true,
             1,
             false,
             options.log}) {
    memory_socket_.register_nb_transport_bw(this, &lsu_rig::answer);
    memory_socket_.bind(memory_checker.target_socket);
    memory_checker.initiator_socket.bind(memory.socket);
    shared_socket_.bind(shared_checker.target_socket);
    shared_checker.initiator_socket.bind(shared.socket);
    if (options.waves != nullptr) unit_.report().trace(*options.waves, this->name());
}

memory_instruction& lsu_rig::prepare(const isa::instruction& i, warp_slot warp,
                                     isa::lane_mask lanes) {
    memory_instruction& m = unit_.next_slot();
    m.flight = {group_name(warp), 0, {}, &i};
    m.owner = access_owner(warp.value());
    m.gathered = false;
    m.for_log = false;
    m.transactional = false;
    m.log = {};
    m.loads_constants = false;
    m.warp = warp;
    m.block = block_slot(0);
    m.launch = protocol::launch_id(1);
    m.block_index = 0;
    m.private_region = warp.value();
    m.shared_base = 0;
    m.shared_bytes = options_.shared_bytes;
    m.lanes = lanes;
    return m;
}

void lsu_rig::evaluate() {
    const std::uint64_t now = edge();
    const bool accepted = unit_.can_accept();
    port_.receive(domain().edge());
    unit_.complete(now);
    busy_ = step && step(*this);
    busy_ |= unit_.cycle(now);
    busy_ |= port_.transmit(domain().edge());
    busy_ |= unit_.can_accept() != accepted;
}

activity lsu_rig::update() {
    unit_.report().publish();
    if (busy_) return activity::busy;
    const std::uint64_t due = std::min(unit_.next_due(), port_.next_due());
    if (due != ~std::uint64_t{0}) wake_at(due);
    return activity::idle;
}

std::string lsu_rig::waiting_for() const {
    const std::string unit = unit_.report().waiting_for();
    const std::string port = port_.waiting_for();
    return unit + (unit.empty() || port.empty() ? "" : "; ") + port;
}

void lsu_rig::loaded(const memory_flight& flight, isa::lane_mask lanes,
                     const std::uint32_t* values) {
    if (tell.loaded) tell.loaded(flight, lanes, values);
}
void lsu_rig::completed(const memory_flight& flight) {
    if (tell.completed) tell.completed(flight);
}
void lsu_rig::writes_drained(access_owner owner) {
    if (tell.drained) tell.drained(owner);
}

}  // namespace heddle
