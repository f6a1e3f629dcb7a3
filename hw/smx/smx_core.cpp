// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_core.h"

#include <algorithm>

#include "hw/base/crew.h"
#include "hw/smx/execution_tracer.h"
#include "hw/smx/issue/warp_front.h"
#include "hw/smx/l1/l1_data_cache_configuration.h"
#include "hw/smx/shared_memory/shared_memory.h"
#include "hw/smx/shared_memory/shared_memory_configuration.h"
#include "hw/smx/smx_waves.h"
#include "hw/smx/tm/smx_transactions.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "models/base/error.h"
#include "models/device/program_table.h"

namespace heddle {

using isa::instruction_class;

smx_core::smx_core(clock_domain& domain, const std::string& name, sm_id id,
                   const smx_configurations& configurations, const smx_environment& environment,
                   const smx_links& links)
    : clocked(domain, name),
      id_(id),
      lanes_(configurations.machine.warp_size),
      can_(environment.can),
      configuration_(configurations.smx),
      private_bytes_(configurations.machine.smx.private_bytes),
      programs_(environment.programs),
      links_(links),
      faults_(*this, id, environment.status),
      port_(*this, id, links.memory, configurations.lsu),
      registers_(make_register_file(lanes_, can_.warp_slots)),
      blocks_(configurations.machine, can_.warp_slots, id, can_.shared_stride, faults_),
      executor_(parts()),
      front_(make_front(configurations, environment)),
      lsu_(configurations.lsu,
           {configurations.l1d, configurations.constant_cache, configurations.read_only_cache},
           {domain,
            id,
            lanes_,
            can_.warp_slots,
            std::max(can_.warp_slots, block_fences::owners(configurations.machine.smx.max_blocks)),
            {private_bytes_, lanes_},
            environment.ranges,
            front_->client(),
            port_,
            links.shared,
            environment.load_latency,
            can_.lane_units ? lanes_ : 1,
            can_.individual_return,
            links.transactions.log()}),
      life_({*this, parts(), table_, *front_, links.memory_banks, port_, private_bytes_,
             configurations.l1d.line, links.block}) {
    const victim_tag_shape tags = needs_of(configurations.scheduler).victim_tags;
    if (tags.entries != 0) {
        lsu_.maintenance().keep_victim_tags(tags.entries, tags.ways);
    }
    waits_for_ = {[this] { return lsu_.report().waiting_for(); },
                  [this] { return port_.waiting_for(); }};
    if (links.launches) {
        launch_.emplace(launch_environment{
            *this, id, can_.warp_slots, configurations.machine.launch, parts(), port_,
            *environment.runtime, waits_, *links.launches, can_.thread_pool});
        executor_.attach(*launch_, instruction_class::launch);
        life_.add(*launch_, instruction_class::launch);
        waits_for_.emplace_back([this] { return launch_->waiting_for(); });
    }
    if (movable_warps* const warps = front_->movable(); warps != nullptr && can_.saves) {
        life_.allow_leaving(*environment.runtime, *warps);
        waits_for_.emplace_back([this] { return life_.waiting_for(); });
        if (can_.preempts) life_.allow_preemption(*warps);
    }
    if (links.cooperation != nullptr) {
        cooperation_.emplace(cooperation_environment{*this, id, parts(), life_.actions(),
                                                     *links.cooperation,
                                                     configurations.machine.coop.latency});
        executor_.attach(*cooperation_, instruction_class::cooperation);
        life_.add(*cooperation_, instruction_class::cooperation);
        waits_for_.emplace_back([this] { return cooperation_->waiting_for(); });
    }
    show_warps(links.view);
    if (environment.code_profile) {
        profile_ = std::make_unique<code_profile>(configuration_.schedulers);
        front_->follow(*profile_);
        watch_cycles();
        lsu_.follow(*profile_);
    }
    trace(environment, name);
}

smx_core::~smx_core() = default;

void smx_core::show_warps(warp_view& view) const noexcept {
    view.started = blocks_.starts();
    view.last_issue = blocks_.last_issues();
    view.memory_in_flight = lsu_.instructions_by_owner();
    view.pc = front_->pcs();
}

void smx_core::watch_cycles() noexcept {
    turns_.watch_cycles();
    front_->watch_cycles();
}

execution_parts smx_core::parts() noexcept {
    return {lanes_, *registers_, blocks_, lsu_, observer_};
}

std::unique_ptr<issue_front> smx_core::make_front(const smx_configurations& configurations,
                                                  const smx_environment& environment) {
    const front_parts parts{lanes_, table_,    blocks_,     executor_,          lsu_,
                            waits_, observer_, *registers_, links_.transactions};
    if (can_.thread_pool) {
        blocks_.follow_threads();
        return std::make_unique<thread_front>(configuration_, id_, can_, links_.pools, parts);
    }
    return std::make_unique<warp_front>(
        configuration_, configurations.l1i, configurations.scheduler, can_.warp_slots,
        environment.slots.formation.make({can_.warp_slots, configuration_.stack_entries},
                                         std::string(part_name()) + ".formation"),
        scheduler_ports(id_, links_.schedulers, links_.schedulers_follow_smx), port_, parts);
}

void smx_core::observe(execution_observer* observer) noexcept {
    if (tracer_ != nullptr) {
        tracer_->follow(observer);
    } else {
        observer_.set(observer);
    }
}

void smx_core::evaluate() {
    edge_ = domain().edge();
    if (faults_.stopped()) return;
    if (life_.takes_turns()) crew::in_order();
    // Each front by its own class: the compiler then sees what the calls of a cycle do.
    if (can_.thread_pool) {
        run_cycle(static_cast<thread_front&>(*front_));
    } else {
        run_cycle(static_cast<warp_front&>(*front_));
    }
}

template <class Front>
void smx_core::run_cycle(Front& front) {
    front.begin(edge_);
    // (1) memory
    port_.receive(edge_);
    lsu_.complete(edge_);
    front.finish_fences();
    bool changed = launching_ != nullptr && launching_->run(edge_);
    // (2) write-back, (3) issue, (4) fetch
    changed |= front.cycle();
    // (5) load-store unit
    changed |= lsu_.cycle(edge_);
    // (6) blocks
    if (life_.starts_block() && programs_.loads() != followed_) {
        crew::in_order();
        follow_programs();
    }
    changed |= life_.cycle(edge_);
    const bool begun = port_.transmit(edge_);
    changed |= front.settle() || (begun && !uses_up_request());
    change_ = changed ? change::lasting : begun ? change::used : change::nothing;
}

/// The load-store unit may wait for the room that the request leaves in the port's queue.
bool smx_core::uses_up_request() const noexcept {
    return turns_.skips_edges() && !lsu_.blocked() && port_.room(memory_port::queue::data) > 1;
}

activity smx_core::update() {
    if (waves_ != nullptr) publish();
    if (faults_.stopped()) return activity::idle;
    if (change_ != change::lasting) return rest();
    turns_.changed(edge_);
    return activity::busy;
}

/// Until something is due, or comes from outside.
activity smx_core::rest() {
    const front_rest front = front_->rest(edge_);
    if (change_ == change::used || front.used) turns_.changed(edge_);
    std::uint64_t due =
        std::min({front.due, lsu_.next_due(), port_.next_due(),
                  launching_ != nullptr ? launching_->next_due() : event_wheel_limits::never});
    if (configuration_.issue_interval > 1 || can_.thread_pool) {
        due = std::min(due, turns_.due(*this, front));
    }
    if (due == edge_ + 1) return activity::busy;
    if (due != event_wheel_limits::never) wake_at(due);
    return activity::idle;
}

/// What depends on a program is made before its first block starts. The host has waited for all
/// launches before it has loaded the program.
void smx_core::follow_programs() {
    for (const auto& [id, program] : programs_.held()) {
        if (id.value() < followed_) continue;
        const program::kernel_code& code = program->image->code();
        table_.add(code, configuration_, lsu_.has_constant_cache());
        if (profile_) profile_->use_program(*program->image);
        front_->use_program(code);
    }
    followed_ = programs_.loads();
    life_.use_programs(programs_.kernel_labels().size());
    launching_ = can_.launches && table_.has(instruction_class::launch) ? &*launch_ : nullptr;
}

}  // namespace heddle
