// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/execution_tracer.h"

#include "hw/smx/smx_waves.h"

namespace heddle {

void execution_tracer::show(const issued_instruction& issued) {
    smx_waves::scheduler& shown = waves_.schedulers[issued.warp % waves_.schedulers.size()];
    shown.edge = issued.edge;
    shown.instruction.set(static_cast<std::uint64_t>(issued.instruction->op));
    shown.warp.set(issued.warp);
    shown.block.set(block_[issued.warp]);
    shown.pc.set(issued.pc);
    shown.lanes.set(issued.lanes);
}

void execution_tracer::block_started(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                                     std::uint64_t warp_slots) {
    for (std::uint64_t left = warp_slots; left != 0; left &= left - 1) {
        block_[static_cast<unsigned>(__builtin_ctzll(left))] = dispatch.block;
    }
    if (next_ != nullptr) next_->block_started(edge, dispatch, warp_slots);
}

void execution_tracer::block_ended(std::uint64_t edge, const protocol::block_dispatch& dispatch) {
    if (next_ != nullptr) next_->block_ended(edge, dispatch);
}

void execution_tracer::executed(const issued_instruction& issued, const register_file& registers) {
    show(issued);
    if (next_ != nullptr) next_->executed(issued, registers);
}

void execution_tracer::accessed(const issued_instruction& issued,
                                const memory_instruction& access) {
    show(issued);
    if (next_ != nullptr) next_->accessed(issued, access);
}

void execution_tracer::loaded(std::uint64_t edge, unsigned warp, std::uint64_t number,
                              isa::lane_mask lanes, const std::uint32_t* values) {
    if (next_ != nullptr) next_->loaded(edge, warp, number, lanes, values);
}

void execution_tracer::completed(std::uint64_t edge, unsigned warp, std::uint64_t number,
                                 const register_file& registers) {
    if (next_ != nullptr) next_->completed(edge, warp, number, registers);
}

void execution_tracer::writes_drained(std::uint64_t edge, unsigned warp) {
    if (next_ != nullptr) next_->writes_drained(edge, warp);
}

void execution_tracer::fenced(std::uint64_t edge, unsigned warp) {
    if (next_ != nullptr) next_->fenced(edge, warp);
}

}  // namespace heddle
