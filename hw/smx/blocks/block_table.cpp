// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/blocks/block_table.h"

#include <algorithm>

#include "models/base/bits.h"
#include "models/device/program_table.h"
#include "models/program/address_map.h"
#include "models/simt/fault_text.h"

namespace heddle {
namespace {

/// A bit for each home warp slot of the group's threads. Written for speed: it is called for every
/// instruction, and a warp has a power of two threads.
std::uint64_t home_warps(const thread_group& group, unsigned warp_size) noexcept {
    if (group.threads == nullptr) return bits::one(group.home);
    const unsigned shift = bits::first(warp_size);
    std::uint64_t homes = 0;
    bits::for_each(group.lanes,
                   [&](unsigned lane) { homes |= bits::one(group.threads[lane] >> shift); });
    return homes;
}

/// An instruction of a block whose kernel may compute in double precision by software.
void count_double(const block_table::block_context& block, std::uint32_t pc) noexcept {
    if (block.kernel == nullptr || !block.kernel->soft_double) return;
    const program::kernel_code& code = block.kernel->code;
    const bool counts = (code.flags[code.index(pc)] & program::soft_double) != 0;
    block.counts->double_instructions += counts ? 1 : 0;
}

}  // namespace

block_table::block_table(const machine_configuration& machine, unsigned warps, sm_id sm,
                         std::uint32_t shared_stride, fault_reporter& faults)
    : lanes_(machine.warp_size),
      sm_(sm),
      shared_stride_(shared_stride),
      faults_(faults),
      blocks_(machine.smx.max_blocks),
      states_(machine.smx.max_blocks),
      warps_(warps),
      starts_(warps),
      all_(bits::below(warps)),
      free_(all_) {}

void block_table::fault(unsigned warp, unsigned lane, std::uint32_t pc, const std::string& what) {
    const home_warp& w = warps_[warp];
    const block_context& block = blocks_[w.block];
    faults_.kernel_fault(
        *block.image,
        simt::locate_lane(block.kernel->name, block.identity, w.index, lanes_, lane, pc), warp,
        what);
}

void block_table::count_kernels(std::size_t kernels) {
    kernels_.resize(kernels);
}

bool block_table::admit(const protocol::block_dispatch& dispatch) {
    const protocol::kernel_launch& launch = *dispatch.kernel;
    const unsigned slot = dispatch.slot.value();
    const std::uint64_t threads = launch.block.count();
    if (launch.program == nullptr || launch.kernel_number >= kernels_.size()) {
        faults_.model_error("kernel " + std::to_string(launch.kernel_number) + " is in no program");
    } else if (slot >= blocks_.size() || blocks_[slot].dispatch || threads == 0 ||
               bits::count(free_) < (threads + lanes_ - 1) / lanes_ ||
               launch.per_block.shared_bytes > shared_stride_) {
        faults_.model_error("there is no room for the block of " + std::to_string(threads) +
                            " threads that was dispatched to slot " + std::to_string(slot));
    } else {
        return true;
    }
    return false;
}

bool block_table::start(pool_ptr<protocol::block_dispatch> dispatch, std::uint64_t edge) {
    if (!admit(*dispatch)) return false;
    const protocol::kernel_launch& launch = *dispatch->kernel;
    const unsigned slot = dispatch->slot.value();
    const auto threads = static_cast<std::uint32_t>(launch.block.count());
    const unsigned count = (threads + lanes_ - 1) / lanes_;
    block_context& block = blocks_[slot];
    block = {};
    block.image = launch.program->image.get();
    block.kernel = launch.kernel;
    block.counts = &kernels_[launch.kernel_number];
    block.counts_more =
        !instructions_.empty() || (block.kernel != nullptr && block.kernel->soft_double);
    block.identity = {
        dispatch->position,
        launch.grid,
        launch.block,
        sm_.value(),
        dispatch->launch.gridid(),
        program::shared_window.base + launch.per_block.shared_bytes - launch.dynamic_shared_bytes,
        launch.dynamic_shared_bytes,
        launch.offset,
        launch.dimensions};
    block.shared_base = slot * shared_stride_;
    block.threads.start(threads);
    block.running_warps = count;
    block.dispatch = std::move(dispatch);
    states_.set(slot, block_state::running);
    live_warps_.set(edge, live_warps_.level() + count);
    held_slots_.set(edge, held_slots_.level() + count);
    for (unsigned index = 0; index < count; ++index) {
        const unsigned warp = bits::first(free_);
        free_ &= ~bits::one(warp);
        warps_[warp].block = static_cast<std::uint16_t>(slot);
        start_warp(block, warp, index, edge);
    }
    ++progress_;
    return true;
}

void block_table::start_warp(block_context& block, unsigned warp, unsigned index,
                             std::uint64_t edge) {
    home_warp& w = warps_[warp];
    w.live = bits::below(std::min(lanes_, block.threads.live() - index * lanes_));
    w.index = static_cast<std::uint16_t>(index);
    w.issued = {};
    w.last_issue = edge;
    starts_[warp] = edge;
    block.warps |= bits::one(warp);
    if (!instructions_.empty()) {
        std::fill_n(&instructions_[std::size_t{warp} * lanes_], lanes_, 0);
    }
}

void block_table::restore(unsigned slot, const std::vector<kept_warp>& warps, std::uint64_t edge) {
    block_context& block = blocks_[slot];
    std::uint32_t live = 0;
    std::uint32_t waiting = 0;
    unsigned index = 0;
    bits::for_each(block.warps, [&](unsigned warp) {
        const kept_warp& kept = warps[index++];
        warps_[warp].live = kept.live;
        warps_[warp].issued = kept.issued;
        warps_[warp].last_issue = edge;
        live += bits::count(kept.live);
        if (kept.live == 0) {
            --block.running_warps;
            live_warps_.set(edge, live_warps_.level() - 1);
        }
        if (kept.at_barrier) waiting += bits::count(kept.live);
    });
    block.threads.restore(live, waiting);
    ++progress_;
}

block_table::kept_call block_table::call_of(unsigned slot) const {
    const block_context& block = blocks_[slot];
    return {block.call, block.call_pc, block.start_register, block.dispatch->groups};
}

void block_table::restore(unsigned slot, const kept_call& kept) {
    block_context& block = blocks_[slot];
    block.call = kept.call;
    block.call_pc = kept.pc;
    block.start_register = kept.start_register;
    block.dispatch->groups = kept.groups;
}

pool_ptr<protocol::block_dispatch> block_table::leave(unsigned slot,
                                                      protocol::block_outcome outcome,
                                                      std::uint64_t edge) {
    block_context& block = blocks_[slot];
    live_warps_.set(edge, live_warps_.level() - block.running_warps);
    return vacate(slot, outcome, edge);
}

issue_number block_table::count_issue(const thread_group& group, std::uint64_t edge) noexcept {
    block_context& block = blocks_[group.block];
    ++block.instructions;
    ++block.counts->warp_instructions;
    block.counts->thread_instructions += bits::count(group.lanes);
    issue_number number;
    if (group.threads == nullptr) {
        number = ++warps_[group.home].issued;
        warps_[group.home].last_issue = edge;
    } else {
        const std::uint64_t homes = home_warps(group, lanes_);
        bits::for_each(homes,
                       [&](unsigned warp) { number = std::max(number, warps_[warp].issued); });
        ++number;
        bits::for_each(homes, [&](unsigned warp) {
            warps_[warp].issued = number;
            warps_[warp].last_issue = edge;
        });
    }
    if (!block.counts_more) return number;
    count_double(block, group.pc);
    if (instructions_.empty()) return number;
    const std::size_t first = std::size_t{group.home} * lanes_;
    bits::for_each(group.lanes, [&](unsigned lane) {
        ++instructions_[group.threads == nullptr ? first + lane : group.threads[lane]];
    });
    return number;
}

std::optional<std::string> block_table::arrive(const thread_group& group, isa::opcode call) {
    barriers_ |= bits::one(group.block);
    block_context& block = blocks_[group.block];
    if (block.threads.waiting() != 0 && block.call != call) {
        return simt::split_call_text(block.call, call);
    }
    block.call = call;
    block.call_pc = group.pc;
    execution_counts uncounted;
    execution_counts& counts = call == isa::opcode::barrier ? *block.counts : uncounted;
    if (!instructions_.empty()) {
        arrive_alone(group, counts);
        return std::nullopt;
    }
    const home_warp& w = warps_[group.home];
    if (!block.threads.arrive(group.lanes, w.live, counts)) {
        return simt::divergent_call_text(call, block.identity, w.index, lanes_, group.lanes,
                                         w.live);
    }
    return std::nullopt;
}

void block_table::arrive_alone(const thread_group& group, execution_counts& counts) {
    block_context& block = blocks_[group.block];
    if (block.threads.waiting() == 0) block.barrier_pc = group.pc;
    block.threads.arrive(group.lanes, counts);
    if (group.pc == block.barrier_pc) return;
    block.elsewhere_pc = group.pc;
    block.elsewhere = home_of(group, bits::first(group.lanes), lanes_);
}

void block_table::end_threads(const thread_group& group, std::uint64_t edge) {
    block_context& block = blocks_[group.block];
    barriers_ |= bits::one(group.block);
    for_each_home(group, group.lanes, lanes_, [&](unsigned warp, isa::lane_mask lanes) {
        block.threads.end(lanes, warps_[warp].live);
        if (warps_[warp].live != 0) return;
        live_warps_.set(edge, live_warps_.level() - 1);
        if (--block.running_warps == 0) states_.set(group.block, block_state::draining);
    });
}

std::uint64_t block_table::take_announced() noexcept {
    const std::uint64_t announced = to_announce_;
    to_announce_ = 0;
    return announced;
}

/// A barrier is complete when all threads of the block that have not ended have arrived.
protocol::warp_mask block_table::release_barriers() {
    protocol::warp_mask released = 0;
    bits::for_each(barriers_, [&](unsigned slot) {
        block_context& block = blocks_[slot];
        if (!block.threads.barrier_complete()) return;
        if (block.elsewhere_pc != 0) {
            return fault(block.elsewhere.warp, block.elsewhere.lane, block.elsewhere_pc,
                         simt::split_barrier_text(block.threads.waiting(), block.barrier_pc,
                                                  block.elsewhere_pc));
        }
        if (block.call != isa::opcode::barrier) {
            if (states_.of(slot) != block_state::running) return;
            calls_ |= bits::one(slot);
            states_.set(slot, block_state::at_call);
            return;
        }
        block.threads.release();
        ++progress_;
        released |= block.warps;
    });
    barriers_ = 0;
    return released;
}

protocol::warp_mask block_table::release_call(unsigned slot, std::uint32_t groups) {
    block_context& block = blocks_[slot];
    block.dispatch->groups = groups;
    block.threads.release();
    ++progress_;
    return block.warps;
}

void block_table::kill(unsigned slot, std::uint64_t edge) {
    block_context& block = blocks_[slot];
    block.dispatch->outcome = protocol::block_outcome::killed;
    bits::for_each(block.warps, [&](unsigned warp) {
        if (warps_[warp].live == 0) return;
        block.threads.end(warps_[warp].live, warps_[warp].live);
        live_warps_.set(edge, live_warps_.level() - 1);
    });
    block.running_warps = 0;
    states_.set(slot, block_state::draining);
}

pool_ptr<protocol::block_dispatch> block_table::end(unsigned slot, std::uint64_t edge) {
    ++blocks_[slot].counts->blocks;
    const bool killed = blocks_[slot].dispatch->outcome == protocol::block_outcome::killed;
    return vacate(
        slot, killed ? protocol::block_outcome::killed : protocol::block_outcome::completed, edge);
}

/// The block's slots are free from now on.
pool_ptr<protocol::block_dispatch> block_table::vacate(unsigned slot,
                                                       protocol::block_outcome outcome,
                                                       std::uint64_t edge) {
    block_context& block = blocks_[slot];
    free_ |= block.warps;
    held_slots_.set(edge, held_slots_.level() - bits::count(block.warps));
    ++progress_;
    pool_ptr<protocol::block_dispatch> dispatch = std::move(block.dispatch);
    dispatch->warp_instructions = block.instructions;
    dispatch->outcome = outcome;
    block = {};
    states_.set(slot, block_state::free);
    return dispatch;
}

}  // namespace heddle
