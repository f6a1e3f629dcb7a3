// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/smx_waves.h"

#include "hw/protocol/instrumentation.h"
#include "hw/smx/execution_tracer.h"
#include "hw/smx/smx_core.h"
#include "hw/smx/tm/tm_unit.h"
#include "models/isa/instruction_table.h"

namespace heddle {
namespace {

/// By opcode; opcode::illegal stands for none.
std::vector<std::string> instruction_names() {
    std::vector<std::string> names{"-"};
    for (const isa::instruction_row& row : isa::instruction_table) names.emplace_back(row.mnemonic);
    return names;
}

}  // namespace

smx_waves::smx_waves(waveform& waves, const std::string& scope, std::size_t block_slots,
                     unsigned warps, unsigned lanes, unsigned scheduler_count, bool groups)
    : resident(waves.declare_bits(scope + ".resident", warps)),
      ready(waves.declare_bits(scope + ".ready", warps)),
      memory(waves.declare_bits(scope + ".waits_for_memory", warps)),
      at_barrier(waves.declare_bits(scope + ".at_barrier", warps)) {
    for (unsigned s = 0; s < scheduler_count; ++s) {
        const std::string name = scope + ".issue_" + std::to_string(s);
        scheduler one;
        one.state = waves.declare_state(
            name + ".state", {std::begin(cycle_cause_names), std::end(cycle_cause_names)});
        one.instruction = waves.declare_state(name + ".instruction", instruction_names());
        one.warp = waves.declare_integer(name + ".warp");
        one.block = waves.declare_integer(name + ".block");
        one.pc = waves.declare_bits(name + ".pc", 32);
        one.lanes = waves.declare_bits(name + ".lanes", lanes);
        schedulers.push_back(one);
    }
    for (std::size_t slot = 0; slot < block_slots; ++slot) {
        const std::string name = scope + ".tbcr_" + std::to_string(slot);
        blocks.push_back(
            {waves.declare_bits(name + ".valid", 1), waves.declare_text(name + ".kernel"),
             waves.declare_integer(name + ".kdei"),
             groups ? waves.declare_integer(name + ".agei") : wave_integer(),
             waves.declare_integer(name + ".blkid"), waves.declare_bits(name + ".warps", warps)});
    }
}

/// Without a variable in the waveform's scope nothing is left to do at an edge.
void smx_core::declare_waves(waveform& waves, const std::string& scope) {
    const std::size_t others = waves.variable_count();
    auto declared =
        std::make_unique<smx_waves>(waves, scope, blocks_.block_slots(), can_.warp_slots, lanes_,
                                    configuration_.schedulers, can_.launches);
    const tm_unit* const unit = links_.transactions.unit();
    if (unit != nullptr && unit->engine().contexts() == can_.warp_slots) {
        declared->transactions.emplace(unit->engine(), waves, scope + ".tm", can_.warp_slots,
                                       lanes_);
    }
    lsu_.report().trace(waves, scope);
    if (waves.variable_count() != others) waves_ = std::move(declared);
}

void smx_core::trace(const smx_environment& environment, const std::string& scope) {
    if (environment.waves != nullptr) declare_waves(*environment.waves, scope);
    if (waves_ != nullptr) watch_cycles();
    protocol::slice_recorder* const slices =
        environment.links != nullptr ? environment.links->slices(scope, "warps", "warp") : nullptr;
    if (waves_ == nullptr && slices == nullptr) return;
    std::vector<protocol::warp_mask> own;
    for (const scheduler_ports::port& port : links_.schedulers) own.push_back(port.own);
    for (const pool_user& scheduler : links_.pools) own.push_back(scheduler.warps);
    tracer_ = std::make_unique<execution_tracer>(waves_.get(), slices, own, lanes_);
    observer_.set(tracer_.get());
}

void smx_core::publish() {
    smx_waves& w = *waves_;
    const front_masks masks = front_->masks();
    w.resident.set(masks.resident);
    w.ready.set(masks.ready);
    w.memory.set(masks.waits_for_memory);
    w.at_barrier.set(masks.at_barrier);
    for (unsigned slot = 0; slot < blocks_.block_slots(); ++slot) {
        const block_table::block_context& block = blocks_.block(slot);
        smx_waves::block& shown = w.blocks[slot];
        shown.valid.set(block.dispatch ? 1 : 0);
        shown.warps.set(block.warps);
        if (shown.of != block.kernel) {
            shown.of = block.kernel;
            shown.kernel.set(block.kernel != nullptr ? block.kernel->name : std::string());
        }
        if (!block.dispatch) continue;
        // no_kde is -1
        shown.kdei.set(static_cast<std::int32_t>(block.dispatch->kde.value()));
        shown.blkid.set(block.dispatch->block);
        shown.agei.set(show_group(block.dispatch->group));
    }
    for (unsigned s = 0; s < w.schedulers.size(); ++s) {
        smx_waves::scheduler& shown = w.schedulers[s];
        shown.state.set(static_cast<std::uint64_t>(front_->account().current(s)));
        if (shown.edge != edge_) shown.instruction.set(0);
    }
    if (w.transactions) w.transactions->publish();
    lsu_.report().publish();
}

}  // namespace heddle
