// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tb/smx_reference/smx_model.h"

#include <algorithm>

#include "hw/smx/warp_scheduler/selection_policies.h"
#include "models/base/warp_slots.h"
#include "models/program/address_map.h"
#include "models/simt/private_layout.h"
#include "models/simt/transfer.h"
#include "tb/smx_reference/instruction_needs.h"

namespace heddle::smx_reference {

using isa::instruction_class;
using isa::opcode;

smx_model::smx_model(const smx_settings& settings, const program::image& image,
                     const allocation_table& ranges)
    : settings_(settings),
      image_(image),
      ranges_(ranges),
      warps_(warp_slots(settings.machine)),
      blocks_(settings.machine.smx.max_blocks),
      port_(settings.memory.unit),
      memory_(settings.memory, port_, static_cast<unsigned>(warps_.size()),
              {[this](const memory_operation& m, const lane_list& lanes) {
                   isa::lane_mask mask = 0;
                   for (const lane_address& a : lanes) mask |= isa::lane_mask{1} << a.lane;
                   tell(event::kind::loaded, m.warp, m.number, mask);
               },
               [this](const memory_operation& m) { completed(m); },
               [this](unsigned warp) { tell(event::kind::drained, warp); },
               [this](unsigned warp) { lost_[warp] = true; }}),
      causes_(settings.smx.schedulers, cycle_cause::no_warp),
      picked_(settings.smx.schedulers),
      pipelines_(settings.smx.schedulers) {
    for (unsigned s = 0; s < settings.smx.schedulers; ++s) {
        schedulers_.emplace_back(settings.scheduler, s, settings.smx.schedulers,
                                 static_cast<unsigned>(warps_.size()));
    }
    for (std::size_t u = 0; u < unit_class_count; ++u) {
        inputs_[u].resize(settings.smx.units[u].count);
    }
}

void smx_model::cycle(std::uint64_t edge) {
    edge_ = edge;
    events_.clear();
    begun_ = nullptr;
    memory_results_ = 0;
    memory_step();
    write_back_step();
    fetch_events();
    issue_step();
    fetch_step();
    memory_.cycle(edge);
    block_step();
    if ((begun_ = port_.begin(edge)) != nullptr) {
        tell(event::kind::request, static_cast<std::uint64_t>(begun_->kind), begun_->address,
             begun_->length);
    }
    std::uint64_t resident = 0;
    for (const warp& w : warps_) {
        resident += w.live ? 1 : 0;
        counts_.executing_warps += w.waits.empty() ? 0 : 1;
    }
    counts_.resident_warps += resident;
    counts_.active_cycles += resident != 0 ? 1 : 0;
    for (const cycle_cause cause : causes_) {
        ++counts_.issue_slots[static_cast<std::size_t>(cause)];
    }
}

// (1)

void smx_model::memory_step() {
    if (credits_) port_.credit();
    credits_ = false;
    for (const auto& each : answers_) port_.answer(each);
    answers_.clear();
    memory_.complete(edge_);
    for (unsigned slot = 0; slot < warps_.size(); ++slot) {
        warp& w = warps_[slot];
        if (!w.at_fence || !memory_.drained(slot)) continue;
        w.at_fence = false;
        memory_.forget_global();
        tell(event::kind::fenced, slot);
    }
}

void smx_model::completed(const memory_operation& m) {
    tell(event::kind::completed, m.warp, m.number);
    warps_[m.warp].waits.erase(m.instruction->rd);
    memory_results_ += m.instruction->writes_register() ? 1 : 0;
    const bool by_window =
        settings_.scheduler.policies.of<motrr_configuration>().classify ==
            memory_classification::last_window &&
        settings_.scheduler.scheduler != selection_policies::key<cache_conscious>;
    if (!by_window || off_global_pcs_.count(m.pc) == 0) memory_done_[m.warp] = true;
}

// (3)

const isa::instruction& smx_model::head(const warp& w) const {
    return code().at(w.path.top().next_pc);
}

smx_model::state smx_model::state_of(const warp& w) const {
    if (!w.live) return state::absent;
    if (w.at_barrier) return state::at_barrier;
    if (w.at_fence) return state::at_fence;
    if (w.buffered == 0) return state::no_instructions;
    std::set<state> waits;
    for (const unsigned r : operands_of(head(w), settings_.smx.barrel)) {
        const auto found = w.waits.find(r);
        if (found == w.waits.end()) continue;
        waits.insert(found->second);
    }
    for (const state s : {state::waits_memory, state::waits_constants, state::waits_result}) {
        if (waits.count(s) != 0) return s;
    }
    return state::ready;
}

bool smx_model::loads_constants(std::uint32_t pc) const {
    const program::kernel_code& all = code();
    return memory_.has_constants() && (all.flags[all.index(pc)] & program::constant_load) != 0;
}

bool smx_model::is_taken(const warp& w, unsigned scheduler) const {
    const unit_class unit = class_of(head(w));
    if (unit == unit_class::memory) {
        if (loads_constants(w.path.top().next_pc)) return memory_.takes_constants(edge_);
        if (!memory_.has_room()) return false;
    } else if (settings_.smx.scheduler_pipeline && pipelines_[scheduler] > edge_) {
        return false;
    }
    const auto& inputs = inputs_[static_cast<std::size_t>(unit)];
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](std::uint64_t from) { return from <= edge_; });
}

bool smx_model::counts_as_memory(const isa::instruction& i, std::uint32_t pc) const {
    if (!i.is_memory()) return false;
    if (settings_.scheduler.scheduler == selection_policies::key<cache_conscious>) {
        return i.cls == instruction_class::load;
    }
    return settings_.scheduler.policies.of<motrr_configuration>().classify ==
               memory_classification::opcode ||
           off_global_pcs_.count(pc) == 0;
}

bool smx_model::is_own(unsigned scheduler, unsigned slot) const {
    const unsigned count = settings_.smx.schedulers;
    return settings_.scheduler.assignment == scheduler_assignment::modulo
               ? slot % count == scheduler
               : slot * count / warps_.size() == scheduler;
}

void smx_model::issue_step() {
    std::vector<timed> later;
    for (const timed& r : releases_) {
        if (r.due > edge_) {
            later.push_back(r);
        } else {
            warps_[r.warp].at_barrier = false;
        }
    }
    releases_ = later;
    room_at_begin_ = memory_.has_room();
    reference_scheduler::signals signals;
    signals.started = started_;
    signals.ended = ended_;
    signals.cycle = edge_;
    states_.assign(warps_.size(), state::absent);
    for (unsigned slot = 0; slot < warps_.size(); ++slot) {
        const warp& w = warps_[slot];
        const state s = states_[slot] = state_of(w);
        if (s == state::ready) {
            block& b = blocks_[w.block];
            if (!b.announced) tell(event::kind::started, w.block);
            b.announced = true;
            signals.memory[slot] = counts_as_memory(head(w), w.path.top().next_pc);
        }
        signals.long_latency[slot] =
            s == state::waits_memory || s == state::waits_constants || s == state::at_fence;
        signals.memory_done[slot] = memory_done_[slot];
        signals.lost_locality[slot] = lost_[slot];
    }
    for (unsigned s = 0; s < schedulers_.size(); ++s) run_scheduler(s, signals);
    if (settings_.smx.dual_issue) {
        for (unsigned n = 0; n < schedulers_.size(); ++n) {
            const auto s = static_cast<unsigned>((edge_ + n) % schedulers_.size());
            if (!picked_[s]) continue;
            const warp& w = warps_[*picked_[s]];
            if (state_of(w) != state::ready || !is_taken(w, s)) continue;
            ++counts_.second_issues;
            issue(s, *picked_[s]);
        }
    }
    ended_ = ended_now_;
    started_ = ended_now_ = 0;
    memory_done_ = {};
    lost_ = {};
}

void smx_model::run_scheduler(unsigned s, reference_scheduler::signals signals) {
    const std::uint32_t interval = settings_.smx.issue_interval;
    const bool turn = edge_ % interval == s % interval;
    bool any = false;
    for (unsigned slot = 0; slot < warps_.size(); ++slot) {
        signals.issuable[slot] = turn && !held_ && is_own(s, slot) &&
                                 states_[slot] == state::ready && is_taken(warps_[slot], s);
        any |= signals.issuable[slot];
    }
    picked_[s] = schedulers_[s].cycle(signals);
    if (picked_[s]) {
        causes_[s] = cycle_cause::issued;
        issue(s, *picked_[s]);
    } else if (turn) {
        causes_[s] = held_ ? cycle_cause::writeback : any ? cycle_cause::held_back : cause_of(s);
    }
}

cycle_cause smx_model::cause_of(unsigned s) const {
    std::set<state> found;
    std::optional<unit_class> unit;
    bool memory = false;
    bool constants = false;
    for (unsigned slot = 0; slot < warps_.size(); ++slot) {
        if (!is_own(s, slot)) continue;
        found.insert(states_[slot]);
        if (states_[slot] != state::ready) continue;
        const unit_class needs = class_of(head(warps_[slot]));
        if (loads_constants(warps_[slot].path.top().next_pc)) {
            constants = true;
        } else if (needs == unit_class::memory) {
            memory = true;
        } else if (!unit) {
            unit = needs;
        }
    }
    if (unit) return busy_cause(*unit);
    if (memory) {
        if (room_at_begin_) return cycle_cause::memory_busy;
        return memory_.refused() ? cycle_cause::reservation_fail : cycle_cause::memory_stall;
    }
    if (constants) return cycle_cause::constants_busy;
    static constexpr std::pair<state, cycle_cause> order[] = {
        {state::waits_memory, cycle_cause::memory},
        {state::at_fence, cycle_cause::fence},
        {state::waits_constants, cycle_cause::constants},
        {state::waits_result, cycle_cause::dependency},
        {state::no_instructions, cycle_cause::fetch},
        {state::at_barrier, cycle_cause::barrier}};
    for (const auto& [which, cause] : order) {
        if (found.count(which) != 0) return cause;
    }
    return cycle_cause::no_warp;
}

void smx_model::issue(unsigned scheduler, unsigned slot) {
    warp& w = warps_[slot];
    const std::uint32_t pc = w.path.top().next_pc;
    const isa::lane_mask lanes = w.path.top().lanes;
    const isa::instruction& i = head(w);
    const unit_class unit = class_of(i);
    const unsigned conflicts = conflicts_of(i, slot, settings_.smx.register_banks);
    --w.buffered;
    ++w.issued;
    tell(event::kind::issue, slot, w.issued, pc, lanes);
    const bool constants = loads_constants(pc);
    if (!constants) {
        const unit_configuration& of = settings_.smx.unit(unit);
        auto& inputs = inputs_[static_cast<std::size_t>(unit)];
        auto& input = *std::find_if(inputs.begin(), inputs.end(),
                                    [&](std::uint64_t from) { return from <= edge_; });
        input = edge_ + of.initiation_interval + conflicts;
        if (unit != unit_class::memory) pipelines_[scheduler] = input;
    }
    if (unit == unit_class::memory) {
        access(slot, i, pc, lanes);
        w.path.advance(pc + 4);
        if (i.writes_register() || settings_.smx.barrel) {
            w.waits[i.rd] = constants ? state::waits_constants : state::waits_memory;
        }
        return;
    }
    go_on(slot, i, pc, lanes);
    if (!i.writes_register() && !settings_.smx.barrel) return;
    if (!w.live) return;
    w.waits[i.rd] = state::waits_result;
    results_.push_back(
        {edge_ + settings_.smx.operand_latency + conflicts + settings_.smx.unit(unit).latency, slot,
         i.rd});
}

/// Where the lanes go.
void smx_model::go_on(unsigned slot, const isa::instruction& i, std::uint32_t pc,
                      isa::lane_mask lanes) {
    warp& w = warps_[slot];
    if (i.is_control_flow()) return transfer(w, slot, i, pc, lanes);
    if (i.op == opcode::exit) return end_threads(slot, lanes);
    w.threads.execute(i, pc, lanes);
    if (i.op == opcode::barrier) {
        w.at_barrier = true;
        blocks_[w.block].waiting += bits::count(lanes);
    } else if (i.cls == instruction_class::fence) {
        w.at_fence = true;
    }
    w.path.advance(pc + 4);
}

void smx_model::transfer(warp& w, unsigned slot, const isa::instruction& i, std::uint32_t pc,
                         isa::lane_mask lanes) {
    execution_counts unused;
    const simt::control_site site{code(), pc, lanes, unused};
    isa::lane_mask taken = 0;
    std::array<std::uint32_t, 64> targets{};
    for (unsigned lane = 0; lane < settings_.machine.warp_size; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        if (i.cls == instruction_class::branch && w.threads.takes_branch(i, lane)) {
            taken |= isa::lane_mask{1} << lane;
        }
        targets[lane] = w.threads.address(i, lane) & ~1U;
    }
    w.path.follow(i.cls == instruction_class::branch ? simt::branch(site, i, taken)
                  : i.cls == instruction_class::jump
                      ? simt::jump(site, i)
                      : simt::jump_register(site, i, targets.data()));
    w.threads.execute(i, pc, lanes);
    turns_.push_back({edge_ + settings_.smx.branch_latency, slot, 0});
}

void smx_model::end_threads(unsigned slot, isa::lane_mask lanes) {
    warp& w = warps_[slot];
    blocks_[w.block].threads -= bits::count(lanes);
    w.path.exit(lanes);
    if (!w.path.empty()) {
        turns_.push_back({edge_ + settings_.smx.branch_latency, slot, 0});
        return;
    }
    w.live = false;
    ended_now_ |= std::uint64_t{1} << slot;
}

void smx_model::access(unsigned slot, const isa::instruction& i, std::uint32_t pc,
                       isa::lane_mask lanes) {
    warp& w = warps_[slot];
    const auto m = std::make_shared<memory_operation>();
    m->warp = slot;
    m->number = w.issued;
    m->pc = pc;
    m->instruction = &i;
    lane_list all;
    for (unsigned lane = 0; lane < settings_.machine.warp_size; ++lane) {
        if ((lanes >> lane & 1) != 0) all.push_back({lane, w.threads.address(i, lane)});
    }
    choose_windows(*m, all, slot);
    memory_.accept(m, edge_);
    const std::uint32_t first = all.front().address;
    if (program::shared_window.contains(first) || program::private_window.contains(first)) {
        off_global_pcs_.insert(pc);
    } else {
        off_global_pcs_.erase(pc);
    }
    w.threads.execute(i, pc, lanes);
}

void smx_model::choose_windows(memory_operation& m, const lane_list& lanes, unsigned slot) const {
    const isa::instruction& i = *m.instruction;
    const warp& w = warps_[slot];
    const simt::private_layout layout{settings_.machine.smx.private_bytes,
                                      settings_.machine.warp_size};
    const auto region =
        static_cast<std::uint32_t>(blocks_[w.block].dispatch->context.value()) + w.index;
    for (const lane_address& a : lanes) {
        if (program::shared_window.contains(a.address)) {
            m.shared.push_back(a);
        } else if (program::private_window.contains(a.address)) {
            const std::uint32_t offset = a.address - program::private_window.base;
            m.in_private.push_back({a.lane, layout.address(region, offset, a.lane)});
        } else {
            const allocation* const in = ranges_.find(a.address, i.access_bytes());
            const bool constant = loads_constants(m.pc) && in != nullptr && in->constant;
            const bool read_only = i.is_read_only_load() && memory_.has_read_only();
            (constant ? m.constants : read_only ? m.read_only : m.global).push_back(a);
        }
    }
}

}  // namespace heddle::smx_reference
