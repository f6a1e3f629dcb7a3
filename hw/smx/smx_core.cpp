// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_core.h"

#include <algorithm>

#include "hw/smx/execution_tracer.h"
#include "hw/smx/l1/l1_data_cache_configuration.h"
#include "hw/smx/local_memory/local_memory_configuration.h"
#include "hw/smx/smx_waves.h"
#include "models/base/error.h"
#include "models/base/round_up.h"
#include "models/device/kernel_fault.h"
#include "models/simt/fault_text.h"

namespace heddle {
namespace {

/// A block slot's window of the local memory starts at a multiple of this, so that all banks see
/// the same alignment.
constexpr std::uint32_t shared_alignment = 256;

protocol::warp_mask all_warps(unsigned warps) {
    return warps == 64 ? ~protocol::warp_mask{0} : (protocol::warp_mask{1} << warps) - 1;
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

std::uint32_t local_memory_stride(const machine_configuration& machine) {
    return round_up(std::max(machine.smx.shared_bytes, 1U), shared_alignment);
}

smx_core::smx_core(clock_domain& domain, const std::string& name, sm_id id,
                   const smx_configurations& configurations, const smx_environment& environment,
                   const smx_links& links)
    : clocked(domain, name),
      id_(id),
      lanes_(configurations.machine.warp_size),
      warp_count_(warp_slots_of(configurations.machine)),
      configuration_(configurations.smx),
      hit_latency_(configurations.l1i.hit_latency),
      every_cycle_(configurations.smx.issue_interval == 1),
      private_bytes_(configurations.machine.smx.private_bytes),
      shared_stride_(local_memory_stride(configurations.machine)),
      programs_(environment.programs),
      status_(environment.status),
      links_(links),
      port_(*this, id, links.memory, configurations.lsu.request_queue,
            configurations.lsu.outstanding),
      lsu_(configurations.lsu, configurations.l1d, configurations.local,
           {domain,
            id,
            lanes_,
            warp_count_,
            {private_bytes_, lanes_},
            environment.ranges,
            *this,
            port_,
            links.local,
            environment.load_latency}),
      registers_(make_register_file(lanes_, warp_count_)),
      formation_(make_formation(configurations.smx.formation, warp_count_)),
      buffers_(configurations.smx.instruction_buffer),
      icache_(configurations.l1i),
      units_(configurations.smx),
      states_(warp_count_),
      account_(configurations.smx.schedulers),
      warps_(warp_count_),
      blocks_(configurations.machine.smx.max_blocks),
      dispatches_(*this, 2),
      all_(all_warps(warp_count_)),
      free_(all_),
      classification_(configurations.scheduler.classification()) {
    cycle_.sm = id;
    for (std::size_t s = 0; s < links_.schedulers.size(); ++s) own_[s] = links_.schedulers[s].own;
    if (configurations.scheduler.scheduler == selection_policy::ccws) {
        const ccws_configuration& ccws = configurations.scheduler.ccws;
        lsu_.keep_victim_tags(ccws.victim_tags, ccws.victim_ways);
    }
    trace(environment, name);
}

smx_core::~smx_core() = default;

void smx_core::observe(execution_observer* observer) noexcept {
    if (tracer_ != nullptr) {
        tracer_->follow(observer);
    } else {
        observer_ = observer;
    }
}

void smx_core::reset() {
    for (std::size_t s = 0; s < links_.schedulers.size(); ++s) {
        selection_[s] = links_.schedulers[s].socket->operator->();
    }
}

void smx_core::evaluate() {
    edge_ = domain().edge();
    changed_ = false;
    memory_results_ = 0;
    if (faulted_) return;
    // (1) memory
    port_.receive();
    lsu_.complete(edge_);
    if (fence_check_ != 0) finish_fences();
    // (2) write-back, and what the front end waits for
    if (results_.due(edge_)) write_back();
    if (frontend_.due(edge_)) frontend_events();
    // (3) issue
    issue_step();
    // (4) fetch and decode
    if (fetchable_ != 0) fetch_step();
    // (5) load-store unit
    changed_ |= lsu_.cycle(edge_);
    // (6) blocks
    if ((to_announce_ | barriers_ | ending_) != 0 || !dispatches_.empty()) block_step();
    changed_ |= port_.transmit();
    changed_ = changed_ || dirty_ != 0 || lsu_.can_accept() != lsu_accepts_ ||
               (!lsu_accepts_ && lsu_.blocked() != lsu_refused_);
    count_in_flight();
}

void smx_core::count_in_flight() noexcept {
    const auto now = static_cast<unsigned>(__builtin_popcountll(scoreboard_.in_flight()));
    if (now == in_flight_) return;
    totals_.in_flight_warp_cycles += in_flight_ * (edge_ - in_flight_since_);
    in_flight_since_ = edge_;
    in_flight_ = now;
}

activity smx_core::update() {
    if (waves_ != nullptr) publish();
    if (faulted_) return activity::idle;
    // What has changed may change what the next edge does, or what its cycle counts as: every
    // scheduler has its turn before the SMX sleeps.
    quiet_ = changed_ ? 0 : quiet_ + 1;
    if (quiet_ < configuration_.issue_interval) return activity::busy;
    std::uint64_t due =
        std::min({results_.next_due(edge_), frontend_.next_due(edge_), lsu_.next_due()});
    if (states_.ready() != 0) {
        if (configuration_.issue_interval > 1) return activity::busy;
        due = std::min(due, units_.next_free());
    }
    if (due != event_wheel::never) wake_at(due);
    return activity::idle;
}

// (1) memory

void smx_core::loaded(warp_slot warp, std::uint64_t number, std::uint8_t rd, isa::lane_mask lanes,
                      const std::uint32_t* values) {
    if (observer_ != nullptr) observer_->loaded(edge_, warp.value(), number, lanes, values);
    registers_->write(warp.value(), rd, values, lanes);
    changed_ = true;
}

void smx_core::completed(warp_slot warp, std::uint64_t number,
                         const isa::instruction& instruction) {
    const unsigned w = warp.value();
    if (observer_ != nullptr) observer_->completed(edge_, w, number, *registers_);
    scoreboard_.clear(w, instruction.rd);
    memory_results_ += instruction.writes_register() ? 1 : 0;
    const bool counts = classification_ != memory_classification::last_window ||
                        off_global_[static_cast<std::size_t>(&instruction - warps_[w].code)] == 0;
    if (counts) memory_done_ |= bit(w);
    fence_check_ |= bit(w);
    dirty_ |= bit(w);
    changed_ = true;
}

void smx_core::writes_drained(warp_slot warp) {
    if (observer_ != nullptr) observer_->writes_drained(edge_, warp.value());
    fence_check_ |= bit(warp.value());
    changed_ = true;
}

void smx_core::access_fault(warp_slot warp, unsigned lane, std::uint32_t, const std::string& what) {
    fault(warp.value(), lane, what);
}

void smx_core::responded(memory_request& request) {
    const auto address = static_cast<std::uint32_t>(request.get_address());
    for (protocol::warp_mask left = icache_.fill(address); left != 0; left &= left - 1) {
        const unsigned warp = first(left);
        fetching_ &= ~bit(warp);
        deliver(warp, run_length(warp));
    }
    changed_ = true;
}

/// A fence lets its warp go on when all its accesses have been performed.
void smx_core::finish_fences() {
    for (protocol::warp_mask left = fence_check_ & fenced_; left != 0; left &= left - 1) {
        const unsigned w = first(left);
        if (lsu_.outstanding_instructions(warp_slot(w)) != 0 ||
            lsu_.outstanding_writes(warp_slot(w)) != 0) {
            continue;
        }
        lsu_.invalidate_global();
        if (observer_ != nullptr) observer_->fenced(edge_, w);
        fenced_ &= ~bit(w);
        dirty_ |= bit(w);
    }
    fence_check_ = 0;
}

// (2) write-back

void smx_core::write_back() {
    unsigned ports = configuration_.writeback_ports;
    ports -= std::min(ports, memory_results_);
    while (results_.due(edge_)) {
        changed_ = true;
        if (ports-- == 0) {
            ++totals_.writeback_conflicts;
            results_.defer(edge_);
            return;
        }
        const event_wheel::event done = results_.take(edge_);
        scoreboard_.clear(done.warp, done.code);
        dirty_ |= bit(done.warp);
    }
}

void smx_core::frontend_events() {
    while (frontend_.due(edge_)) {
        changed_ = true;
        const event_wheel::event e = frontend_.take(edge_);
        if (e.code == fetch_arrives) {
            fetching_ &= ~bit(e.warp);
            deliver(e.warp, warps_[e.warp].arriving);
        } else {
            path_open_ &= ~bit(e.warp);
            update_fetchable(e.warp);
        }
    }
}

/// Whether the next instruction of the warp, if it is a memory one, is one to the policy.
void smx_core::classify_head(unsigned warp) {
    uncounted_ &= ~bit(warp);
    if (states_.of(warp) != ready_for(unit_class::memory)) return;
    const warp_context& w = warps_[warp];
    const std::uint32_t at = position(w);
    const bool counts = classification_ == memory_classification::loads
                            ? w.code[at].cls == isa::instruction_class::load
                            : off_global_[at] == 0;
    if (!counts) uncounted_ |= bit(warp);
}

// Reports and statistics

void smx_core::fault(unsigned warp, unsigned lane, const std::string& what) {
    const warp_context& w = warps_[warp];
    const block_context& block = blocks_[w.block];
    const device_location where =
        simt::locate_lane(block.kernel->name, block.identity, w.index, lanes_, lane, w.group.pc);
    status_.report(error_kind::kernel_fault,
                   kernel_fault(what, where, *programs_.get()).what() +
                       std::string("\n  in cycle ") + std::to_string(edge_) + ", SMX " +
                       std::to_string(id_.value()) + ", warp slot " + std::to_string(warp));
    faulted_ = true;
}

void smx_core::report(const std::string& what) {
    status_.report(error_kind::wrong_result, part_name() + ": " + what);
    faulted_ = true;
}

smx_counts smx_core::counts(std::uint64_t now) const {
    smx_counts all = totals_;
    for (const execution_counts& kernel : all.kernels) all.executed.add(kernel);
    for (std::size_t cause = 0; cause < cycle_cause_count; ++cause) {
        all.scheduler_cycles[cause] = account_.total(static_cast<cycle_cause>(cause), now);
    }
    const std::uint64_t since = now - std::min(now, resident_since_);
    all.resident_warp_cycles += resident_ * since;
    all.active_cycles += resident_ != 0 ? since : 0;
    all.in_flight_warp_cycles += in_flight_ * (now - std::min(now, in_flight_since_));
    for (std::size_t cause = 0; cause < reservation_fail_count; ++cause) {
        all.reservation_fails += lsu_.reservation_fails(static_cast<reservation_fail>(cause), now);
    }
    all.l1d_accesses = lsu_.cache_counters().loads;
    all.l1d_misses = lsu_.cache_counters().misses;
    return all;
}

void smx_core::collect_scheduler(statistics& into, const std::string& scope, unsigned s) const {
    const std::uint64_t now = domain().edge_count();
    const auto sum = [&](cycle_cause first, cycle_cause last) {
        std::uint64_t cycles = 0;
        for (auto cause = static_cast<unsigned>(first); cause <= static_cast<unsigned>(last);
             ++cause) {
            cycles += account_.total(s, static_cast<cycle_cause>(cause), now);
        }
        return cycles;
    };
    into.declare(scope, scheduler_cycle_statistics);
    into.set(scope + ".stall_cycles",
             sum(cycle_cause::integer_busy, cycle_cause::reservation_fail));
    into.set(scope + ".wait_cycles", sum(cycle_cause::memory, cycle_cause::barrier));
}

void smx_core::collect(statistics& into, const std::string& scope,
                       std::uint64_t idle_cycles) const {
    const std::uint64_t now = domain().edge_count();
    smx_counts all = counts(now);
    all.leave_out(idle_cycles, configuration_.schedulers);
    collect_smx(into, scope, all, now - idle_cycles, warp_count_, lanes_);
    lsu_.collect(into, scope, now);
}

}  // namespace heddle
