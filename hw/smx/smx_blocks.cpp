// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Step (6) of the SMX's cycle: thread blocks.
#include "hw/smx/local_memory/local_memory.h"
#include "hw/smx/smx_core.h"
#include "models/program/address_map.h"

namespace heddle {
namespace {

dim3 to_dim3(const protocol::dimensions& d) {
    return {d.x, d.y, d.z};
}

constexpr const char* protocol_error = "heddle/smx/block_link";

}  // namespace

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
    if (to_announce_ != 0) announce_started();
    if (barriers_ != 0) release_barriers();
    if (ending_ != 0) end_blocks();
    if (dispatches_.ready() != nullptr) start_block(dispatches_.pop());
}

void smx_core::start_block(pool_ptr<protocol::block_dispatch> dispatch) {
    changed_ = true;
    const program::image* const image = programs_.get();
    const protocol::kernel_launch& launch = *dispatch->kernel;
    const unsigned slot = dispatch->slot.value();
    const auto threads = static_cast<std::uint32_t>(launch.block.volume());
    const unsigned count = (threads + lanes_ - 1) / lanes_;
    if (image == nullptr || launch.kernel_index >= image->kernels().size()) {
        return report("kernel " + std::to_string(launch.kernel_index) + " is not in the program");
    }
    if (slot >= blocks_.size() || blocks_[slot].dispatch || threads == 0 ||
        static_cast<unsigned>(__builtin_popcountll(free_)) < count ||
        launch.shared_bytes > shared_stride_) {
        return report("there is no room for the block of " + std::to_string(threads) +
                      " threads that was dispatched to slot " + std::to_string(slot));
    }
    if (dispatch->resumed) return report("suspended blocks do not come back in this build");
    if (image != image_) use_program(*image);
    if (dispatch->invalidate_l1) lsu_.invalidate_global();
    block_context& block = blocks_[slot];
    block = {};
    block.kernel = &image->kernels()[launch.kernel_index];
    block.counts = &totals_.kernels[launch.kernel_index];
    block.identity = {
        to_dim3(dispatch->position),
        to_dim3(launch.grid),
        to_dim3(launch.block),
        id_.value(),
        dispatch->launch.value() - 1,
        program::shared_window.base + launch.shared_bytes - launch.dynamic_shared_bytes,
        launch.dynamic_shared_bytes};
    block.shared_base = slot * shared_stride_;
    block.threads.start(threads);
    block.running_warps = count;
    block.dispatch = std::move(dispatch);
    links_.memory_banks.clear(block.shared_base, launch.shared_bytes);
    count_resident(static_cast<int>(count));
    for (unsigned index = 0; index < count; ++index) {
        const unsigned warp = first(free_);
        free_ &= ~bit(warp);
        warps_[warp].block = static_cast<std::uint16_t>(slot);
        start_warp(block, warp, index);
    }
    if (observer_ != nullptr) observer_->block_started(edge_, *block.dispatch, block.warps);
    ++progress_;
}

void smx_core::start_warp(block_context& block, unsigned warp, unsigned index) {
    const protocol::kernel_launch& launch = *block.dispatch->kernel;
    warp_context& w = warps_[warp];
    w.live = isa::lowest_lanes(std::min(lanes_, block.identity.threads() - index * lanes_));
    w.group = formation_->start(warp, launch.entry_pc, w.live);
    w.code = block.kernel->code.instructions.data();
    w.code_base = block.kernel->code.base;
    w.code_size = static_cast<std::uint32_t>(block.kernel->code.instructions.size());
    w.index = static_cast<std::uint16_t>(index);
    w.issued = 0;
    w.last_issue = edge_;
    block.warps |= bit(warp);
    registers_->start(warp, launch.parameter_address, private_bytes_);
    scoreboard_.reset(warp);
    buffers_.flush(warp);
    path_open_ &= ~bit(warp);
    started_ |= bit(warp);
    lsu_.forget_victims(warp_slot(warp));
    dirty_ |= bit(warp);
    update_fetchable(warp);
}

void smx_core::use_program(const program::image& image) {
    image_ = &image;
    icache_.invalidate();
    table_.build(image.kernels().front().code, configuration_);
    off_global_.assign(table_.size(), 0);
    totals_.kernels.resize(image.kernels().size());
}

void smx_core::announce_started() {
    changed_ = true;
    for (; to_announce_ != 0; to_announce_ &= to_announce_ - 1) {
        auto phase = protocol::block_phase::started;
        auto time = sc_core::SC_ZERO_TIME;
        (void)links_.block->nb_transport_bw(*blocks_[first(to_announce_)].dispatch, phase, time);
    }
}

/// A barrier is complete when all threads of the block that have not ended have arrived.
void smx_core::release_barriers() {
    for (; barriers_ != 0; barriers_ &= barriers_ - 1) {
        block_context& block = blocks_[first(barriers_)];
        if (!block.threads.barrier_complete()) continue;
        at_barrier_ &= ~block.at_barrier;
        dirty_ |= block.at_barrier;
        block.at_barrier = 0;
        block.threads.release();
        ++progress_;
    }
}

/// Nothing that belongs to the block is under way any more.
bool smx_core::drained(const block_context& block) const {
    for (protocol::warp_mask left = block.warps; left != 0; left &= left - 1) {
        const warp_slot warp(first(left));
        if (lsu_.outstanding_instructions(warp) != 0 || lsu_.outstanding_writes(warp) != 0) {
            return false;
        }
    }
    return true;
}

void smx_core::end_blocks() {
    for (std::uint64_t left = ending_; left != 0; left &= left - 1) {
        const unsigned slot = first(left);
        block_context& block = blocks_[slot];
        if (!drained(block)) continue;
        changed_ = true;
        if (observer_ != nullptr) observer_->block_ended(edge_, *block.dispatch);
        ending_ &= ~(std::uint64_t{1} << slot);
        lsu_.discard_private(block.dispatch->context.value(),
                             static_cast<unsigned>(__builtin_popcountll(block.warps)));
        free_ |= block.warps;
        ++block.counts->blocks;
        ++progress_;
        const pool_ptr<protocol::block_dispatch> dispatch = std::move(block.dispatch);
        for (protocol::warp_mask warps = block.warps; warps != 0; warps &= warps - 1) {
            dispatch->warp_instructions += warps_[first(warps)].issued;
        }
        block = {};
        dispatch->outcome = protocol::block_outcome::completed;
        auto phase = protocol::block_phase::done;
        auto time = sc_core::SC_ZERO_TIME;
        (void)links_.block->nb_transport_bw(*dispatch, phase, time);
    }
}

void smx_core::count_resident(int change) {
    totals_.resident_warp_cycles += resident_ * (edge_ - resident_since_);
    totals_.active_cycles += resident_ != 0 ? edge_ - resident_since_ : 0;
    resident_since_ = edge_;
    resident_ = static_cast<unsigned>(static_cast<int>(resident_) + change);
}

}  // namespace heddle
