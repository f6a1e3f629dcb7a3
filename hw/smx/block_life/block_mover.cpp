// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/block_life/block_mover.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/base/bits.h"

namespace heddle {

bool block_mover::leave(unsigned slot, protocol::block_outcome why, std::uint64_t edge) {
    job leaving;
    leaving.block = {slot, true, why, {}, of_.image.save(slot)};
    protocol::saved_block& saved = leaving.block.saved;
    saved.bytes = static_cast<std::uint32_t>(4 * leaving.block.state.size());
    const sm_id own = of_.execution.blocks.block(slot).dispatch->sm;
    saved.address = of_.runtime.saved_states().allocate(own, saved.bytes, edge);
    if (saved.address == 0) return false;
    jobs_.push_back(std::move(leaving));
    return true;
}

void block_mover::come_back(unsigned slot) {
    job coming;
    coming.block.slot = slot;
    coming.block.saved = of_.execution.blocks.block(slot).dispatch->saved;
    coming.block.state.resize(coming.block.saved.bytes / 4);
    jobs_.push_back(std::move(coming));
}

std::vector<isa::lane_mask> block_mover::restore(const moved_block& back, std::uint64_t edge) {
    std::vector<isa::lane_mask> live = of_.image.restore(back.slot, back.state, edge);
    of_.runtime.saved_states().release(back.saved.address, back.saved.bytes, edge);
    return live;
}

bool block_mover::cycle() {
    if (jobs_.empty()) return false;
    job& j = jobs_.front();
    const bool wrote = j.block.left && !j.written_back && write_back(j);
    const bool sent = send(j) || wrote;
    if (!over(j)) return sent;
    moved_ = std::move(j.block);
    jobs_.pop_front();
    return true;
}

bool block_mover::write_back(job& j) {
    const execution_parts& parts = of_.execution;
    const block_table::block_context& block = parts.blocks.block(j.block.slot);
    const std::size_t before = j.place;
    j.written_back = parts.lsu.maintenance().write_private_back(
        {block.dispatch->launch, block_slot(j.block.slot), block.dispatch->block},
        block.dispatch->context.value(), bits::count(block.warps), j.place);
    return j.written_back || j.place != before;
}

/// Asks memory for the next pieces of the state, or sends them.
bool block_mover::send(job& j) {
    auto* const state = reinterpret_cast<std::uint8_t*>(j.block.state.data());
    const std::size_t bytes = 4 * j.block.state.size();
    const std::size_t before = j.sent;
    while (j.sent != bytes && of_.port.can_send(memory_port::queue::data)) {
        const auto length =
            static_cast<unsigned>(std::min<std::size_t>(bytes - j.sent, of_.line_bytes));
        memory_request& request = of_.port.make();
        request.prepare(j.block.left ? protocol::memory_kind::store : protocol::memory_kind::load,
                        j.block.saved.address + j.sent, length);
        if (j.block.left) std::memcpy(request.data(), state + j.sent, length);
        expect_answer(request, state_offset(j.sent));
        const block_table::block_context& block = of_.execution.blocks.block(j.block.slot);
        protocol::memory_access& access = request.access();
        access.launch = block.dispatch->launch;
        access.warp = warp_slot(bits::first(block.warps));
        access.slot = block_slot(j.block.slot);
        access.block = block.dispatch->block;
        access.bypass_l1 = true;
        of_.port.send(memory_port::queue::data, request);
        j.sent += length;
    }
    return j.sent != before;
}

void block_mover::responded(memory_request& answer) {
    job& j = jobs_.front();
    const unsigned length = answer.get_data_length();
    if (!j.block.left) {
        std::memcpy(reinterpret_cast<std::uint8_t*>(j.block.state.data()) + name_of(answer).value(),
                    answer.data(), length);
    }
    j.answered += length;
}

/// Memory has all of it.
bool block_mover::over(const job& j) const {
    if (j.answered != 4 * j.block.state.size()) return false;
    if (!j.block.left) return true;
    if (!j.written_back) return false;
    const execution_parts& parts = of_.execution;
    for (protocol::warp_mask left = parts.blocks.block(j.block.slot).warps; left != 0;
         left &= left - 1) {
        if (parts.lsu.outstanding_writes(access_owner(bits::first(left))) != 0) return false;
    }
    return true;
}

std::optional<block_mover::moved_block> block_mover::take_moved() {
    return std::exchange(moved_, std::nullopt);
}

std::string block_mover::waiting_for() const {
    if (jobs_.empty()) return {};
    return std::to_string(jobs_.size()) + " blocks to be moved to memory or back";
}

}  // namespace heddle
