// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/pins/core_counts.h"

#include <stdexcept>
#include <string_view>

#include "models/base/bits.h"

namespace heddle::pins {
namespace {

constexpr const counted_statistic<smx_counts>& named(std::string_view name) {
    for (const auto& each : smx_statistics) {
        if (each.of_block.name == name) return each;
    }
    throw std::logic_error("no statistic of that name");  // does not compile
}

/// Of smx_statistics, what a retire port tells.
constexpr counted_statistic<smx_counts> known_statistics[] = {
    named("occupancy"), named("slot_occupancy"), named("active_cycles")};

std::size_t place_of(cycle_cause cause) {
    return static_cast<std::size_t>(cause);
}

}  // namespace

execution_counts& core_counts::of(std::size_t kernel) {
    if (kernels_.size() <= kernel) kernels_.resize(kernel + 1);
    return kernels_[kernel];
}

void core_counts::begin(std::uint64_t edge, unsigned warps) {
    live_warps_.set(edge, live_warps_.level() + warps);
    held_slots_.set(edge, held_slots_.level() + warps);
    ++progress_;
}

void core_counts::step(std::uint64_t edge, std::size_t kernel, const isa::instruction& i,
                       const core_record& record, bool diverges, bool of_double) {
    using isa::instruction_class;
    execution_counts& counts = of(kernel);
    ++counts.warp_instructions;
    counts.thread_instructions += bits::count(record.lanes);
    if (i.cls == instruction_class::branch || i.cls == instruction_class::jump_register) {
        ++counts.branches;
        if (diverges) ++counts.divergent_branches;
    }
    if (i.is_memory()) ++counts.memory_instructions;
    if (of_double) ++counts.double_instructions;
    if (i.op == isa::opcode::barrier) ++counts.barriers;
    if (i.op == isa::opcode::exit && record.live == 0) {
        live_warps_.set(edge, live_warps_.level() - 1);
    }
    sizes_.add(bits::count(record.lanes));
    ++steps_;
}

void core_counts::end(std::uint64_t edge, std::size_t kernel, unsigned warps) {
    ++of(kernel).blocks;
    held_slots_.set(edge, held_slots_.level() - warps);
    ++progress_;
}

smx_counts core_counts::counts(std::uint64_t edge, std::uint64_t fetched_lines) const {
    smx_counts all;
    all.kernels = kernels_;
    for (const execution_counts& kernel : kernels_) all.executed.add(kernel);
    all.active_cycles = live_warps_.busy(edge);
    all.issue_slots[place_of(cycle_cause::issued)] = steps_;
    all.issue_slots[place_of(cycle_cause::no_warp)] = (edge - all.active_cycles) * schedulers_;
    all.warp_slot_cycles = edge * warp_slots_;
    all.resident_warp_cycles = live_warps_.sum(edge);
    all.held_slot_cycles = held_slots_.sum(edge);
    all.fetch_misses = fetched_lines;
    all.sizes = sizes_.by_lanes();
    return all;
}

void core_counts::collect(statistics& into, const std::string& scope, smx_counts all,
                          std::uint64_t idle, unsigned warp_slots) {
    constexpr unsigned no_schedulers = 0;  // their cycles are not shown
    all.leave_out(idle, no_schedulers, warp_slots);
    collect_execution(into, scope, all.executed, core_lanes);
    declare_counted(into, scope, known_statistics);
    set_counted(into, scope, known_statistics, all);
    into.declare(scope, issue_size_statistics);
    set_issue_sizes(into, scope, all);
}

}  // namespace heddle::pins
