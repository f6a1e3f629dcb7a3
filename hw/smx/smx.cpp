// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx.h"

#include <utility>

#include "hw/protocol/forward_socket.h"
#include "hw/smx/shared_memory/shared_memory.h"
#include "hw/smx/smx_core.h"
#include "hw/smx/thread_pool/thread_pool.h"
#include "hw/smx/tm/tm_unit.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "hw/smx/warp_scheduler/slot_assignment.h"
#include "hw/smx/warp_scheduler/warp_scheduler.h"

namespace heddle {
using protocol::connect;
using protocol::forward_socket;

/// What is built inside an SMX, in the order of the netlist.
struct smx::children {
    children(const std::string& name, const clock_domain& domain,
             const smx_configurations& configurations, const smx_environment& environment)
        : banks("shared_memory", domain, configurations.shared,
                environment.can.shared_stride * configurations.machine.smx.max_blocks),
          shared_socket("shared_socket") {
        if (environment.can.transactions) {
            add_transactions(name, domain, configurations, environment);
        } else {
            transactions = std::make_unique<smx_transactions>();
            connect(environment.links, shared_socket, banks.socket,
                    {"shared_link", name, "shared_memory"});
        }
        if (environment.can.thread_pool) {
            add_pools(name, configurations, environment);
        } else {
            add_schedulers(name, configurations, environment);
        }
    }

    /// All accesses to shared memory pass the unit of transactions.
    void add_transactions(const std::string& name, const clock_domain& domain,
                          const smx_configurations& configurations,
                          const smx_environment& environment) {
        const machine_configuration& machine = configurations.machine;
        auto unit = std::make_unique<tm_unit>(
            "tm_unit", tm_environment{domain, machine.tm, configurations.shared, machine.warp_size,
                                      environment.can.transactions_at_once, machine.smx.max_blocks,
                                      environment.can.shared_stride, banks,
                                      environment.slots.tm_bank, environment.links});
        connect(environment.links, shared_socket, unit->socket,
                {"shared_link", name, "shared_memory"});
        unit->memory_socket.bind(banks.socket);  // the same accesses
        transactions = std::move(unit);
    }

    void add_schedulers(const std::string& name, const smx_configurations& configurations,
                        const smx_environment& environment) {
        const unsigned count = configurations.smx.schedulers;
        const unsigned warps = environment.can.warp_slots;
        const scheduler_assignment assignment = configurations.scheduler.assignment;
        for (unsigned s = 0; s < count; ++s) {
            const std::string number = std::to_string(s);
            scheduler_sockets.push_back(std::make_unique<forward_socket<protocol::warp_link>>(
                ("scheduler_socket_" + number).c_str()));
            schedulers.push_back(std::make_unique<warp_scheduler>(
                ("warp_scheduler_" + number).c_str(), s,
                slots_of_scheduler(assignment, s, count, warps), configurations.scheduler,
                environment.slots.warp_scheduler, environment.waves, view));
            connect(environment.links, *scheduler_sockets.back(), schedulers.back()->socket,
                    {"warp_link_" + number, name, "issue_" + number});
        }
    }

    /// Where there is one, its name has no number.
    void add_pools(const std::string& name, const smx_configurations& configurations,
                   const smx_environment& environment) {
        const unsigned lanes = configurations.machine.warp_size;
        const unsigned warps = environment.can.warp_slots;
        const unsigned count = configurations.smx.schedulers;
        const bool one = count == 1 || environment.can.shared_pool;
        for (unsigned s = 0; s < count; ++s) {
            const std::string number = one ? "" : "_" + std::to_string(s);
            if (s == 0 || !one) {
                pool_sockets.push_back(std::make_unique<forward_socket<protocol::thread_link>>(
                    ("thread_pool_socket" + number).c_str()));
                pools.push_back(std::make_unique<thread_pool>(
                    ("thread_pool" + number).c_str(),
                    thread_pool_setting{configurations.smx, configurations.formations, lanes,
                                        warps * lanes},
                    environment.waves));
                connect(environment.links, *pool_sockets.back(), pools.back()->socket,
                        {"thread_link" + number, name, "issue_" + std::to_string(s)});
            }
            pool_users.push_back(
                {pool_sockets.back().get(),
                 slots_of_scheduler(configurations.scheduler.assignment, s, count, warps)});
        }
    }

    warp_view view;  ///< the core fills it in
    shared_memory banks;
    forward_socket<protocol::shared_link> shared_socket;
    std::unique_ptr<smx_transactions> transactions;
    std::vector<std::unique_ptr<forward_socket<protocol::warp_link>>> scheduler_sockets;
    std::vector<std::unique_ptr<warp_scheduler>> schedulers;
    // Empty where the formation has warp slots:
    std::vector<std::unique_ptr<forward_socket<protocol::thread_link>>> pool_sockets;
    std::vector<std::unique_ptr<thread_pool>> pools;
    std::vector<pool_user> pool_users;
};

smx::smx(const sc_core::sc_module_name& name, clock_domain& domain, sm_id id,
         const smx_configurations& configurations, const smx_environment& environment)
    : sc_module(name), block_socket("block_socket"), memory_socket("memory_socket") {
    children_ = std::make_unique<children>(this->name(), domain, configurations, environment);
    if (environment.can.launches) {
        launch_socket = std::make_unique<protocol::initiator_socket_of<smx, protocol::launch_link>>(
            "launch_socket");
        launch_socket->register_nb_transport_bw(this, &smx::kernel_answer);
        aggregation_socket =
            std::make_unique<protocol::initiator_socket_of<smx, protocol::aggregation_link>>(
                "aggregation_socket");
        aggregation_socket->register_nb_transport_bw(this, &smx::group_answer);
    }
    if (environment.can.cooperates) {
        cooperation_socket =
            std::make_unique<protocol::initiator_socket_of<smx, protocol::cooperation_link>>(
                "cooperation_socket");
        cooperation_socket->register_nb_transport_bw(this, &smx::cooperation_answer);
    }
    if (environment.can.preempts) {
        preempt_socket =
            std::make_unique<protocol::target_socket_of<smx, protocol::kde_link>>("preempt_socket");
        preempt_socket->register_nb_transport_fw(this, &smx::preempt);
    }
    smx_links links{block_socket,
                    memory_socket,
                    children_->shared_socket,
                    {},
                    needs_of(configurations.scheduler).follows_smx,
                    children_->view,
                    children_->pool_users,
                    children_->banks,
                    *children_->transactions,
                    std::nullopt,
                    cooperation_socket.get()};
    if (environment.can.launches)
        links.launches.emplace(launch_commands::links{*launch_socket, *aggregation_socket});
    for (std::size_t s = 0; s < children_->schedulers.size(); ++s) {
        links.schedulers.push_back(
            {children_->scheduler_sockets[s].get(), children_->schedulers[s]->own()});
    }
    core_ =
        std::make_unique<smx_core>(domain, this->name(), id, configurations, environment, links);
    block_socket.register_nb_transport_fw(this, &smx::dispatch);
    memory_socket.register_nb_transport_bw(this, &smx::answer);
}

smx::~smx() = default;

tlm::tlm_sync_enum smx::dispatch(protocol::block_dispatch& payload, protocol::block_phase& phase,
                                 sc_core::sc_time&) {
    return core_->life().dispatch(payload, phase);
}

tlm::tlm_sync_enum smx::answer(tlm::tlm_generic_payload& payload, protocol::memory_phase& phase,
                               sc_core::sc_time& delay) {
    return core_->answer(payload, phase, delay);
}

tlm::tlm_sync_enum smx::kernel_answer(protocol::kernel_launch& launch,
                                      protocol::launch_phase& phase, sc_core::sc_time&) {
    return core_->launches().kernel_answer(launch, phase);
}

tlm::tlm_sync_enum smx::group_answer(protocol::aggregation& groups,
                                     protocol::aggregation_phase& phase, sc_core::sc_time&) {
    return core_->launches().group_answer(groups, phase);
}

tlm::tlm_sync_enum smx::cooperation_answer(protocol::cooperation_call& call,
                                           protocol::cooperation_phase& phase, sc_core::sc_time&) {
    return core_->cooperation().answer(call, phase);
}

tlm::tlm_sync_enum smx::preempt(protocol::kde_update& update, protocol::kde_phase&,
                                sc_core::sc_time&) {
    return core_->life().preempting().preempt(update);
}

void smx::collect(statistics& into, const std::string& scope, std::uint64_t idle_cycles) const {
    core_->collect(into, scope, idle_cycles);
    children_->banks.collect(into, scope + ".shared_memory");
    for (const std::unique_ptr<thread_pool>& pool : children_->pools) {
        pool->collect(into, scope + "." + pool->basename(), core_->domain().edge_count());
    }
    for (std::size_t s = 0; s < children_->schedulers.size(); ++s) {
        const std::string own = scope + ".warp_scheduler_" + std::to_string(s);
        children_->schedulers[s]->collect(into, own);
        core_->collect_scheduler(into, own, static_cast<unsigned>(s));
    }
}

}  // namespace heddle
