// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execution_tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "hw/protocol/link_rules.h"
#include "hw/protocol/slice_recorder.h"
#include "hw/smx/smx_waves.h"
#include "models/base/bits.h"

namespace heddle {

void execution_tracer::show(const issued_instruction& issued) {
    if (slices_ != nullptr) follow_slice(issued);
    if (waves_ == nullptr) return;
    smx_waves::scheduler& shown = waves_->schedulers[scheduler_[issued.warp]];
    shown.edge = issued.edge;
    shown.instruction.set(static_cast<std::uint64_t>(issued.instruction->op));
    shown.warp.set(issued.warp);
    shown.block.set(block_[issued.warp]);
    shown.pc.set(issued.pc);
    shown.lanes.set(issued.lanes);
}

void execution_tracer::block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                                     std::uint64_t warp_slots) {
    std::uint64_t threads = dispatch.kernel->block.count();
    unsigned index = 0;
    bits::for_each(warp_slots, [&](unsigned slot) {
        const auto own = static_cast<unsigned>(std::min<std::uint64_t>(lanes_, threads));
        threads -= own;
        begin_slice(dispatch, slot, index++, bits::below(own));
    });
    next_->block_started(edge, dispatch, warp_slots);
}

void execution_tracer::block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                                     std::uint64_t warp_slots,
                                     const std::vector<isa::lane_mask>& live) {
    unsigned index = 0;
    bits::for_each(warp_slots, [&](unsigned slot) {
        begin_slice(dispatch, slot, index, live[index]);
        ++index;
    });
    next_->block_resumed(edge, dispatch, warp_slots, live);
}

void execution_tracer::begin_slice(const protocol::block_dispatch& dispatch, unsigned slot,
                                   unsigned index, isa::lane_mask live) {
    block_[slot] = dispatch.block;
    block_slot_[slot] = dispatch.slot.value();
    live_[slot] = live;
    if (slices_ == nullptr || live == 0) return;
    std::string arguments;
    protocol::attribute_list list(arguments, protocol::attribute_list::style::json);
    list.add("launch", dispatch.launch);
    list.add("block", dispatch.block);
    list.add("warp", index);
    list.add("threads", bits::count(live));
    slices_->begin(slot, fmt::format("block {} warp {}", dispatch.block, index),
                   std::move(arguments), protocol::block_flow(dispatch.launch, dispatch.block));
}

/// A warp ends with the last of its threads; at a barrier it waits until its next instruction.
void execution_tracer::follow_slice(const issued_instruction& issued) {
    slices_->end_inner(issued.warp);
    if (issued.instruction->op == isa::opcode::barrier) {
        slices_->begin_inner(issued.warp, "barrier");
    } else if (issued.instruction->cls == isa::instruction_class::cooperation &&
               issued.instruction->op != isa::opcode::get_num_groups) {
        slices_->begin_inner(issued.warp, isa::mnemonic(issued.instruction->op));
    }
    if (issued.instruction->op != isa::opcode::exit) return;
    live_[issued.warp] &= ~issued.lanes;
    if (live_[issued.warp] != 0) return;
    slices_->end(issued.warp, fmt::format(",\"instructions\":{}", issued.number.value()));
}

void execution_tracer::block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) {
    next_->block_ended(edge, dispatch);
}

void execution_tracer::block_suspended(std::uint64_t edge,
                                       const protocol::block_dispatch& dispatch) {
    end_slices(dispatch);
    next_->block_suspended(edge, dispatch);
}

/// Those of the block's warps that have not ended.
void execution_tracer::end_slices(const protocol::block_dispatch& dispatch) {
    for (unsigned slot = 0; slices_ != nullptr && slot < live_.size(); ++slot) {
        if (live_[slot] == 0 || block_slot_[slot] != dispatch.slot.value()) continue;
        slices_->end_inner(slot);
        slices_->end(slot, {});
        live_[slot] = 0;
    }
}

void execution_tracer::cooperated(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                                  std::uint32_t groups, bool ends) {
    if (ends) end_slices(dispatch);
    next_->cooperated(edge, dispatch, groups, ends);
}

void execution_tracer::executed(const issued_instruction& issued, const register_file& registers) {
    show(issued);
    next_->executed(issued, registers);
}

void execution_tracer::accessed(const issued_instruction& issued,
                                const memory_instruction& access) {
    show(issued);
    next_->accessed(issued, access);
}

void execution_tracer::loaded(std::uint64_t edge, unsigned warp, issue_number number,
                              isa::lane_mask lanes, const std::uint32_t* values) {
    next_->loaded(edge, warp, number, lanes, values);
}

void execution_tracer::completed(std::uint64_t edge, unsigned warp, issue_number number,
                                 const register_file& registers) {
    next_->completed(edge, warp, number, registers);
}

void execution_tracer::returned(std::uint64_t edge, unsigned warp, issue_number number,
                                isa::lane_mask lanes) {
    next_->returned(edge, warp, number, lanes);
}

void execution_tracer::writes_drained(std::uint64_t edge, unsigned warp) {
    next_->writes_drained(edge, warp);
}

void execution_tracer::fenced(std::uint64_t edge, unsigned warp) {
    next_->fenced(edge, warp);
}

void execution_tracer::transaction(std::uint64_t edge, unsigned warp, transaction_event what,
                                   isa::lane_mask lanes, const register_file& registers) {
    next_->transaction(edge, warp, what, lanes, registers);
}

}  // namespace heddle
