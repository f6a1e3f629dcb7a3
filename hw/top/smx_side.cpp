// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/smx_side.h"

#include "hw/base/report_error.h"
#include "models/base/warp_slots.h"

namespace heddle {

using pins::block_implementation;

/// The sockets of mechanisms of an SMX behind pins: nobody calls over them.
struct smx_side::silent_links : sc_core::sc_module {
    silent_links(const sc_core::sc_module_name& name, const smx_capabilities& can)
        : sc_module(name) {
        if (can.launches) {
            launch.emplace("launch_socket");
            launch->register_nb_transport_bw(this, &silent_links::refuse<protocol::launch_link>);
            aggregation.emplace("aggregation_socket");
            aggregation->register_nb_transport_bw(
                this, &silent_links::refuse<protocol::aggregation_link>);
        }
        if (can.cooperates) {
            cooperation.emplace("cooperation_socket");
            cooperation->register_nb_transport_bw(
                this, &silent_links::refuse<protocol::cooperation_link>);
        }
    }

    template <class Link>
    tlm::tlm_sync_enum refuse(typename Link::tlm_payload_type&, typename Link::tlm_phase_type&,
                              sc_core::sc_time&) {
        report_error("heddle/smx_pins/mechanism",
                     std::string(name()) +
                         ": an answer to a call that an SMX behind pins does "
                         "not make");
        return tlm::TLM_ACCEPTED;
    }

    std::optional<protocol::initiator_socket_of<silent_links, protocol::launch_link>> launch;
    std::optional<protocol::initiator_socket_of<silent_links, protocol::aggregation_link>>
        aggregation;
    std::optional<protocol::initiator_socket_of<silent_links, protocol::cooperation_link>>
        cooperation;
};

smx_side::smx_side(const std::string& name, sm_id id, const smx_side_options& o)
    : warp_slots_(warp_slots(o.configuration.machine)) {
    const sc_core::sc_object* const above = o.domain.get_parent_object();
    name_ = above == nullptr ? name : std::string(above->name()) + "." + name;
    const block_implementation what = o.configuration.slots.smx.of(name_);
    if (what == block_implementation::tlm) {
        tlm_ = std::make_unique<smx>(name.c_str(), o.domain, id, o.smx, o.environment);
        return;
    }
    const gpu_configuration& all = o.configuration;
    behind_ = std::make_unique<pins::smx_pins>(
        (name + "_pins").c_str(),
        pins::smx_pins::options{
            *o.clock,
            all.pins,
            what,
            {id, all.machine, all.smx.schedulers, o.environment.ranges, o.environment.status},
            o.environment.programs,
            all.smx.stack_entries,
            o.seed,
            o.environment.waves});
    silent_ = std::make_unique<silent_links>((name + "_silent").c_str(), o.environment.can);
    if (what != block_implementation::pins) return;
    smx_environment alone = o.environment;
    alone.can = o.environment.can.alone();
    tlm_ = std::make_unique<smx>(name.c_str(), o.domain, id, o.smx, alone);
    behind_->back().block_socket.bind(tlm_->block_socket);
    tlm_->memory_socket.bind(behind_->back().memory_socket);
}

smx_side::~smx_side() = default;

smx_side::block_target& smx_side::block_socket() {
    if (behind_ != nullptr) return behind_->front().block_socket;
    return tlm_->block_socket;
}

smx_side::memory_initiator& smx_side::memory_socket() {
    if (behind_ != nullptr) return behind_->front().memory_socket;
    return tlm_->memory_socket;
}

smx_side::launch_initiator& smx_side::launch_socket() {
    if (silent_ != nullptr) return *silent_->launch;
    return *tlm_->launch_socket;
}

smx_side::aggregation_initiator& smx_side::aggregation_socket() {
    if (silent_ != nullptr) return *silent_->aggregation;
    return *tlm_->aggregation_socket;
}

smx_side::cooperation_initiator& smx_side::cooperation_socket() {
    if (silent_ != nullptr) return *silent_->cooperation;
    return *tlm_->cooperation_socket;
}

void smx_side::observe(execution_observer* observer) noexcept {
    if (has_core()) {
        core().observe(observer);
    } else {
        behind_->follower()->observe(observer);
    }
}

smx_counts smx_side::counts(std::uint64_t edge) const {
    if (has_core()) return core().counts(edge);
    return behind_->follower()->counts().counts(edge, behind_->front().fetched_lines());
}

std::uint64_t smx_side::progress() const noexcept {
    return has_core() ? core().progress() : behind_->follower()->counts().progress();
}

std::vector<std::string> smx_side::waiting_threads(
    const std::optional<std::uint64_t>& spinning_since) const {
    return has_core() ? core().waiting_threads(spinning_since)
                      : behind_->follower()->waiting_threads();
}

void smx_side::watch_waiting() {
    if (has_core()) core().watch_waiting();
}

void smx_side::collect(statistics& into, const std::string& scope,
                       std::uint64_t idle_cycles) const {
    if (has_core()) {
        tlm_->collect(into, scope, idle_cycles);
    } else {
        pins::core_counts::collect(into, scope, counts(behind_->front().domain().edge_count()),
                                   idle_cycles, warp_slots_);
    }
}

}  // namespace heddle
