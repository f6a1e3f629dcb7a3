// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_core.h"

#include <algorithm>

#include "hw/smx/execution_tracer.h"
#include "hw/smx/issue/warp_front.h"
#include "hw/smx/l1/l1_data_cache_configuration.h"
#include "hw/smx/local_memory/local_memory.h"
#include "hw/smx/local_memory/local_memory_configuration.h"
#include "hw/smx/smx_waves.h"
#include "hw/smx/tm/tm_unit.h"
#include "hw/smx/warp_scheduler/selection_policies.h"
#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/simt/fault_text.h"

namespace heddle {

using isa::instruction_class;

namespace {

/// A block slot's window of shared memory starts at a multiple of this, so that all banks see
/// the same alignment.
constexpr std::uint32_t shared_alignment = 256;

constexpr const char* protocol_error = "heddle/smx/block_link";

const tm_engine* engine_of(const smx_links& links) {
    return links.transactions == nullptr ? nullptr : &links.transactions->engine();
}

}  // namespace

unsigned warp_slots_of(const machine_configuration& machine) {
    const unsigned warps = machine.smx.max_threads / machine.warp_size;
    if (warps == 0 || warps > protocol::maximum_warps) {
        throw configuration_error("smx.max_threads = " + std::to_string(machine.smx.max_threads) +
                                  " makes " + std::to_string(warps) +
                                  " warps of gpu.warp_size = " + std::to_string(machine.warp_size) +
                                  "; legal: 1 to " + std::to_string(protocol::maximum_warps));
    }
    return warps;
}

std::uint32_t shared_stride(const machine_configuration& machine) {
    return round_up(std::max(machine.smx.shared_bytes, 1U), shared_alignment);
}

smx_core::smx_core(clock_domain& domain, const std::string& name, sm_id id,
                   const smx_configurations& configurations, const smx_environment& environment,
                   const smx_links& links)
    : clocked(domain, name),
      id_(id),
      lanes_(configurations.machine.warp_size),
      warps_(warp_slots_of(configurations.machine)),
      configuration_(configurations.smx),
      private_bytes_(configurations.machine.smx.private_bytes),
      programs_(environment.programs),
      links_(links),
      faults_(*this, id, environment.programs, environment.status),
      port_(*this, id, links.memory, configurations.lsu),
      registers_(make_register_file(lanes_, warps_)),
      blocks_(configurations.machine, warps_, id, shared_stride(configurations.machine),
              environment.programs, faults_),
      log_(links.transactions == nullptr
               ? nullptr
               : std::make_unique<private_log>(warps_, configurations.machine.tm.private_log)),
      lsu_(configurations.lsu,
           {configurations.l1d, configurations.constant_cache, configurations.read_only_cache},
           {domain,
            id,
            lanes_,
            warps_,
            std::max(warps_, block_fences::owners(configurations.machine.smx.max_blocks)),
            {private_bytes_, lanes_},
            environment.ranges,
            client_,
            port_,
            links.local,
            environment.load_latency,
            configurations.smx.formation == formation_policy::mimd ? lanes_ : 1,
            links.threads.individual_return,
            log_.get()}),
      executor_({lanes_, *registers_, blocks_, lsu_, observer_, engine_of(links)}),
      dispatches_(*this, 2) {
    front_ = make_front(configurations, environment);
    client_.connect(front_->client());
    const victim_tag_shape tags = needs_of(configurations.scheduler).victim_tags;
    if (tags.entries != 0) {
        lsu_.keep_victim_tags(tags.entries, tags.ways);
    }
    if (environment.runtime != nullptr) {
        launch_ = std::make_unique<launch_unit>(
            launch_environment{*this,
                               id,
                               warps_,
                               configurations.machine.launch,
                               {lanes_, *registers_, blocks_, lsu_, observer_, engine_of(links)},
                               port_,
                               *environment.runtime,
                               programs_,
                               launch_waits_,
                               {*links.launches, *links.aggregations}});
        executor_.attach(*launch_, instruction_class::launch);
    }
    if (warp_keeper* const warps = front_->keeper();
        warps != nullptr && environment.areas != nullptr) {
        keeper_ = std::make_unique<block_keeper>(
            keeper_environment{*this,
                               {lanes_, *registers_, blocks_, lsu_, observer_, engine_of(links)},
                               port_,
                               *environment.areas,
                               links_.memory_banks,
                               *warps,
                               configurations.l1d.line});
    }
    if (links_.cooperation != nullptr) {
        cooperation_ = std::make_unique<cooperation_unit>(cooperation_environment{
            *this,
            id,
            {lanes_, *registers_, blocks_, lsu_, observer_, engine_of(links)},
            *links_.cooperation,
            configurations.machine.coop.latency});
        executor_.attach(*cooperation_, instruction_class::cooperation);
    }
    trace(environment, name);
}

smx_core::~smx_core() = default;

std::unique_ptr<issue_front> smx_core::make_front(const smx_configurations& configurations,
                                                  const smx_environment& environment) {
    const front_parts parts{lanes_,        table_,    blocks_,     executor_,           lsu_,
                            launch_waits_, observer_, *registers_, links_.transactions, log_.get()};
    if (uses_thread_pool(configuration_.formation)) {
        blocks_.follow_threads();
        return std::make_unique<thread_front>(configuration_, id_, lanes_, warps_, links_.threads,
                                              parts);
    }
    return std::make_unique<warp_front>(
        configuration_, configurations.l1i, configurations.scheduler, warps_,
        environment.slots.formation.make({warps_, configuration_.stack_entries},
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
    // Each front by its own class: the compiler then sees what the calls of a cycle do.
    if (uses_thread_pool(configuration_.formation)) {
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
    // Most programs launch nothing and don't cooperate: one bit tells for each.
    changed_ = table_.has(instruction_class::launch) && launch_ != nullptr && launch_->cycle(edge_);
    // (2) write-back, (3) issue, (4) fetch
    changed_ |= front.cycle();
    // (5) load-store unit
    changed_ |= lsu_.cycle(edge_);
    // (6) blocks
    if (table_.has(instruction_class::cooperation) && cooperation_ != nullptr &&
        cooperation_->busy()) {
        cooperate();
    }
    if (blocks_.has_news() || !dispatches_.empty()) block_step();
    if (keeper_ != nullptr && blocks_may_leave()) suspend_blocks();
    changed_ |= port_.transmit(edge_);
    changed_ |= front.settle();
}

activity smx_core::update() {
    if (waves_ != nullptr) publish();
    if (faults_.stopped()) return activity::idle;
    // What has changed may change what the next edge does, or what its cycle counts as: every
    // scheduler has its turn before the SMX sleeps.
    quiet_ = changed_ ? 0 : quiet_ + 1;
    if (quiet_ < configuration_.issue_interval) return activity::busy;
    const std::uint64_t due =
        std::min({front_->next_due(edge_), lsu_.next_due(), port_.next_due(),
                  launch_ != nullptr ? launch_->next_due() : event_wheel::never});
    if (due == edge_ + 1) return activity::busy;
    if (due != event_wheel::never) wake_at(due);
    return activity::idle;
}

// (6) blocks

tlm::tlm_sync_enum smx_core::dispatch(protocol::block_dispatch& payload,
                                      protocol::block_phase& phase) {
    if (phase != protocol::block_phase::dispatch) {
        SC_REPORT_ERROR(protocol_error, "an SMX takes no phase but dispatch");
    } else if (!dispatches_.push(pool_ptr<protocol::block_dispatch>(&payload))) {
        SC_REPORT_ERROR(protocol_error, "a block is dispatched before the last one has started");
    }
    return tlm::TLM_ACCEPTED;
}

void smx_core::block_step() {
    announce_blocks();
    front_->complete_barriers(blocks_.release_barriers());
    if (const std::uint64_t calls = blocks_.take_calls(); calls != 0) {
        changed_ = true;  // the next cycle sends what may go
        cooperation_->collect(calls);
    }
    end_blocks();
    if (dispatches_.ready() != nullptr) start_block(dispatches_.pop());
}

void smx_core::send(protocol::block_dispatch& block, protocol::block_phase phase) {
    changed_ = true;
    auto time = sc_core::SC_ZERO_TIME;
    (void)links_.block->nb_transport_bw(block, phase, time);
}

void smx_core::announce_blocks() {
    bits::for_each(blocks_.take_announced(), [&](unsigned slot) {
        send(*blocks_.block(slot).dispatch, protocol::block_phase::started);
    });
}

void smx_core::end_blocks() {
    bits::for_each(blocks_.ending(), [&](unsigned slot) {
        if (!drained(slot)) return;
        const block_table::block_context& block = blocks_.block(slot);
        if (observer_.get() != nullptr) observer_.get()->block_ended(edge_, *block.dispatch);
        lsu_.discard_private(block.dispatch->context.value(), bits::count(block.warps));
        if (keeper_ != nullptr) keeper_->forget(slot);
        send(*blocks_.end(slot), protocol::block_phase::done);
    });
}

/// Whether nothing of the block is under way; what it has written goes to memory.
bool smx_core::drained(unsigned slot) {
    if (lsu_.writes_back()) changed_ |= lsu_.write_back(front_->owners(slot));
    return front_->drained(slot);
}

void smx_core::start_block(pool_ptr<protocol::block_dispatch> dispatch) {
    changed_ = true;
    const unsigned slot = dispatch->slot.value();
    const program::image* const image = programs_.get();
    if (image != nullptr && image != image_) use_program(*image);
    if (!blocks_.start(std::move(dispatch), edge_)) return;
    const block_table::block_context& block = blocks_.block(slot);
    const protocol::kernel_launch& launch = *block.dispatch->kernel;
    if (block.dispatch->invalidate_l1) lsu_.begin_launch();
    links_.memory_banks.clear(block.shared_base, launch.per_block.shared_bytes);
    bits::for_each(block.warps, [&](unsigned warp) {
        registers_->start(warp, launch.parameter_address, private_bytes_);
        set_state(warp, block.dispatch->origin);
        lsu_.forget_victims(warp_slot(warp));
    });
    if (block.dispatch->saved.bytes == 0) return start_warps(block);
    blocks_.can_issue(slot);  // the next block need not wait until the state of this one has come
    keeper_->come_back(slot);
}

/// What the threads of a forked block know of those of the block that forked it.
void smx_core::set_state(unsigned warp, const newcomer& from) {
    if (from.pc == 0) return;
    const auto slot = static_cast<std::uint16_t>(warp);
    const thread_group all{
        bits::below(lanes_), from.pc, blocks_.warp(warp).block, slot, nullptr, slot, slot};
    alignas(64) std::uint32_t row[protocol::maximum_lanes];
    for (unsigned i = 0; i < newcomer::words; ++i) {
        std::fill_n(row, lanes_, from.state[i]);
        registers_->write(all, newcomer::first_register + i, row, all.lanes);
    }
}

void smx_core::start_warps(const block_table::block_context& block) {
    const std::uint32_t forked = block.dispatch->origin.pc;
    const std::uint32_t pc = forked != 0 ? forked : block.dispatch->kernel->entry_pc;
    bits::for_each(block.warps, [&](unsigned warp) {
        front_->start(warp, pc, blocks_.warp(warp).live, block.kernel->code);
    });
    if (observer_.get() != nullptr) {
        observer_.get()->block_started(edge_, *block.dispatch, block.warps);
    }
}

void smx_core::cooperate() {
    cooperation_->send([&](unsigned slot) { return drained(slot); });
    while (const auto answer = cooperation_->take_answer()) take(*answer);
    const auto rests = [&](unsigned slot) {
        bool all = true;
        bits::for_each(blocks_.block(slot).warps,
                       [&](unsigned warp) { all = all && front_->keeper()->rests(warp); });
        return all;
    };
    cooperation_->end_blocks(rests, [&](unsigned slot) { kill_block(slot); });
}

void smx_core::take(const protocol::cooperation_call& answer) {
    changed_ = true;
    const unsigned slot = answer.slot.value();
    const block_table::block_context& block = blocks_.block(slot);
    if (answer.answer == protocol::cooperation_answer::refused) {
        return blocks_.fault(bits::first(block.warps), 0, block.call_pc,
                             simt::mixed_barriers_text(block.kernel->name));
    }
    if (answer.answer == protocol::cooperation_answer::leave) {
        // Unless the block knows already that it is to leave: it asks until it does.
        if (!keeper_->told(slot)) cooperation_->ask_again(slot);
        return;
    }
    const bool ends = answer.answer == protocol::cooperation_answer::die;
    if (block.call != isa::opcode::offer_kill && block.call != isa::opcode::request_fork) {
        lsu_.invalidate_global();
    }
    if (observer_.get() != nullptr) {
        observer_.get()->cooperated(edge_, *block.dispatch, answer.groups, ends);
    }
    if (ends) {
        cooperation_->kill(slot);
    } else {
        front_->complete_barriers(blocks_.release_call(slot, answer.groups));
    }
}

/// The block ends at its call.
void smx_core::kill_block(unsigned slot) {
    changed_ = true;
    bits::for_each(blocks_.block(slot).warps, [&](unsigned warp) {
        if (blocks_.warp(warp).live != 0) front_->keeper()->leave(warp);
    });
    blocks_.kill(slot, edge_);
}

void smx_core::use_program(const program::image& image) {
    image_ = &image;
    const program::kernel_code& code = image.kernels().front().code;
    table_.build(code, configuration_, lsu_.has_constant_cache());
    front_->use_program(code);
    blocks_.use_program(image);
}

}  // namespace heddle
