// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/launch/block_keeper.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/base/bits.h"

namespace heddle {
namespace {

/// Words in front of what a warp leaves: live lanes, number of its last instruction, whether it
/// waits at the barrier, and how many words follow.
constexpr std::size_t header_words = 6;
constexpr unsigned registers = 31;  ///< x0 is no register
/// In front of all warps of a cooperative block: its call.
constexpr std::size_t call_words = 5;

std::uint64_t wide(const std::uint32_t* from) {
    return from[0] | std::uint64_t{from[1]} << 32;
}

void append_wide(std::vector<std::uint32_t>& to, std::uint64_t value) {
    to.push_back(static_cast<std::uint32_t>(value));
    to.push_back(static_cast<std::uint32_t>(value >> 32));
}

void append_call(std::vector<std::uint32_t>& to, const block_table::kept_call& call) {
    to.insert(to.end(), {static_cast<std::uint32_t>(call.call), call.pc, call.called ? 1U : 0U,
                         call.start_register, call.groups});
}

block_table::kept_call call_from(const std::uint32_t* words) {
    return {static_cast<isa::opcode>(words[0]), words[1], words[2] != 0,
            static_cast<std::uint8_t>(words[3]), words[4]};
}

std::size_t words_of(std::uint32_t bytes) {
    return (bytes + 3) / 4;
}

}  // namespace

block_keeper::block_keeper(const keeper_environment& environment)
    : environment_(environment), preemptions_(environment.owner, 2) {}

tlm::tlm_sync_enum block_keeper::preempt(protocol::kde_update& update) {
    if (update.event != protocol::kde_event::preempt ||
        !preemptions_.push(pool_ptr<protocol::kde_update>(&update))) {
        SC_REPORT_ERROR("heddle/smx/preempt_socket",
                        (environment_.owner.part_name() +
                         ": update of the SMX scheduler; legal: preempt, once a cycle")
                            .c_str());
    }
    return tlm::TLM_COMPLETED;
}

bool block_keeper::stop_warps() {
    const block_table& blocks = environment_.parts.blocks;
    while (preemptions_.ready() != nullptr) {
        const launch_id launch = preemptions_.pop()->launch;
        for (unsigned slot = 0; slot < blocks.block_slots(); ++slot) {
            const block_table::block_context& block = blocks.block(slot);
            if (block.dispatch && block.dispatch->launch == launch) told_ |= bits::one(slot);
        }
    }
    warp_keeper& warps = environment_.warps;
    const protocol::warp_mask before = warps.held();
    bits::for_each(told_ & ~slots_, [&](unsigned slot) {
        bits::for_each(blocks.block(slot).warps & ~before, [&](unsigned warp) {
            if (blocks.warp(warp).live != 0) warps.hold(warp);
        });
    });
    return warps.held() != before;
}

void block_keeper::let_go(unsigned slot) {
    forget(slot);
    bits::for_each(environment_.parts.blocks.block(slot).warps,
                   [&](unsigned warp) { environment_.warps.go_on(warp); });
}

bool block_keeper::may_leave(unsigned slot, protocol::warp_mask waiting) const {
    const block_table& blocks = environment_.parts.blocks;
    const block_table::block_context& block = blocks.block(slot);
    for (protocol::warp_mask left = block.warps; left != 0; left &= left - 1) {
        const unsigned warp = bits::first(left);
        const bool waits = bits::test(waiting | block.at_barrier, warp);
        if (blocks.warp(warp).live != 0 && !waits) return false;
        if (!environment_.warps.rests(warp)) return false;
    }
    return true;
}

bool block_keeper::leave(unsigned slot) {
    job leaving;
    leaving.slot = slot;
    leaving.leaves = true;
    leaving.state = state_of(slot);
    leaving.saved.bytes = static_cast<std::uint32_t>(4 * leaving.state.size());
    leaving.saved.address = environment_.runtime.allocate_save_area(leaving.saved.bytes);
    if (leaving.saved.address == 0) return false;
    slots_ |= bits::one(slot);
    jobs_.push_back(std::move(leaving));
    return true;
}

void block_keeper::come_back(unsigned slot) {
    job coming;
    coming.slot = slot;
    coming.saved = environment_.parts.blocks.block(slot).dispatch->saved;
    coming.state.resize(coming.saved.bytes / 4);
    slots_ |= bits::one(slot);
    jobs_.push_back(std::move(coming));
}

block_keeper::words block_keeper::state_of(unsigned slot) const {
    const block_table::block_context& block = environment_.parts.blocks.block(slot);
    words state;
    if (block.dispatch->kernel->cooperative) {
        append_call(state, environment_.parts.blocks.call_of(slot));
    }
    bits::for_each(block.warps, [&](unsigned warp) { save_warp(slot, warp, state); });
    const std::size_t shared = state.size();
    const std::uint32_t bytes = block.dispatch->kernel->per_block.shared_bytes;
    state.resize(shared + words_of(bytes));
    if (bytes != 0) {
        std::memcpy(&state[shared], environment_.shared.bytes(block.shared_base), bytes);
    }
    return state;
}

void block_keeper::save_warp(unsigned slot, unsigned warp, words& to) const {
    const execution_parts& parts = environment_.parts;
    const block_table::home_warp& home = parts.blocks.warp(warp);
    append_wide(to, home.live);
    append_wide(to, home.issued);
    to.push_back(bits::test(parts.blocks.block(slot).at_barrier, warp) ? 1 : 0);
    const std::size_t length = to.size();
    to.push_back(0);
    if (home.live == 0) return;
    for (unsigned r = 1; r <= registers; ++r) {
        const std::uint32_t* const row = parts.registers.row(warp, r);
        to.insert(to.end(), row, row + parts.warp_size);
    }
    const std::size_t modes = to.size();
    to.resize(modes + words_of(parts.warp_size));
    std::memcpy(&to[modes], parts.registers.rounding_modes(warp), parts.warp_size);
    environment_.warps.save(warp, to);
    to[length] = static_cast<std::uint32_t>(to.size() - length - 1);
}

std::vector<isa::lane_mask> block_keeper::restore(unsigned slot, std::uint64_t edge) {
    const execution_parts& parts = environment_.parts;
    const protocol::warp_mask warps = parts.blocks.block(slot).warps;
    std::vector<block_table::kept_warp> kept;
    std::vector<isa::lane_mask> live;
    std::vector<const std::uint32_t*> starts;
    const std::uint32_t* at = done_.state.data();
    if (parts.blocks.block(slot).dispatch->kernel->cooperative) {
        parts.blocks.restore(slot, call_from(at));
        at += call_words;
    }
    bits::for_each(warps, [&](unsigned) {
        kept.push_back({wide(at), wide(at + 2), at[4] != 0});
        live.push_back(kept.back().live);
        starts.push_back(at + header_words);
        at += header_words + at[5];
    });
    parts.blocks.restore(slot, kept, edge);
    unsigned index = 0;
    bits::for_each(warps, [&](unsigned warp) {
        if (kept[index].live != 0) {
            restore_warp(slot, warp, starts[index], kept[index].at_barrier);
        }
        ++index;
    });
    const block_table::block_context& block = parts.blocks.block(slot);
    environment_.shared.restore(block.shared_base, at,
                                block.dispatch->kernel->per_block.shared_bytes);
    environment_.runtime.release_save_area(done_.saved.address, done_.saved.bytes);
    return live;
}

void block_keeper::restore_warp(unsigned slot, unsigned warp, const std::uint32_t* from,
                                bool at_barrier) {
    const execution_parts& parts = environment_.parts;
    const isa::lane_mask all = bits::below(parts.warp_size);
    const auto home = static_cast<std::uint16_t>(warp);
    const thread_group group{all, 0, static_cast<std::uint16_t>(slot), home, nullptr, home, home};
    for (unsigned r = 1; r <= registers; ++r, from += parts.warp_size) {
        parts.registers.write(group, r, from, all);
    }
    parts.registers.set_rounding_modes(warp, reinterpret_cast<const std::uint8_t*>(from));
    from += words_of(parts.warp_size);
    environment_.warps.come_back(warp, from, at_barrier, parts.blocks.block(slot).kernel->code);
}

bool block_keeper::cycle() {
    if (jobs_.empty()) return false;
    job& j = jobs_.front();
    const bool wrote = j.leaves && !j.written_back && write_back(j);
    const bool moved = send(j) || wrote;
    if (!over(j)) return moved;
    (j.leaves ? left_ : back_) = j.slot;
    slots_ &= ~bits::one(j.slot);
    done_ = std::move(j);
    jobs_.pop_front();
    return true;
}

bool block_keeper::write_back(job& j) {
    const execution_parts& parts = environment_.parts;
    const block_table::block_context& block = parts.blocks.block(j.slot);
    const std::size_t before = j.place;
    j.written_back = parts.lsu.write_private_back(
        {block.dispatch->launch, block_slot(j.slot), block.dispatch->block},
        block.dispatch->context.value(), bits::count(block.warps), j.place);
    return j.written_back || j.place != before;
}

/// Asks memory for the next pieces of the state, or sends them.
bool block_keeper::send(job& j) {
    const std::size_t bytes = 4 * j.state.size();
    const std::size_t before = j.sent;
    while (j.sent != bytes && environment_.port.can_send(memory_port::queue::data)) {
        const auto length =
            static_cast<unsigned>(std::min<std::size_t>(bytes - j.sent, environment_.line_bytes));
        memory_request& request = environment_.port.make();
        request.prepare(j.leaves ? protocol::memory_kind::store : protocol::memory_kind::load,
                        j.saved.address + j.sent, length);
        if (j.leaves) {
            std::memcpy(request.data(), reinterpret_cast<std::uint8_t*>(j.state.data()) + j.sent,
                        length);
        }
        request.back.requester = this;
        request.back.tag = static_cast<std::uint32_t>(j.sent);
        const block_table::block_context& block = environment_.parts.blocks.block(j.slot);
        protocol::memory_access& access = request.access();
        access.launch = block.dispatch->launch;
        access.warp = warp_slot(bits::first(block.warps));
        access.slot = block_slot(j.slot);
        access.block = block.dispatch->block;
        access.bypass_l1 = true;
        environment_.port.send(memory_port::queue::data, request);
        j.sent += length;
    }
    return j.sent != before;
}

void block_keeper::responded(memory_request& answer) {
    job& j = jobs_.front();
    const unsigned length = answer.get_data_length();
    if (!j.leaves) {
        std::memcpy(reinterpret_cast<std::uint8_t*>(j.state.data()) + answer.back.tag,
                    answer.data(), length);
    }
    j.answered += length;
}

/// Memory has all of it.
bool block_keeper::over(const job& j) const {
    if (j.answered != 4 * j.state.size()) return false;
    if (!j.leaves) return true;
    if (!j.written_back) return false;
    const execution_parts& parts = environment_.parts;
    for (protocol::warp_mask left = parts.blocks.block(j.slot).warps; left != 0; left &= left - 1) {
        if (parts.lsu.outstanding_writes(access_owner(bits::first(left))) != 0) return false;
    }
    return true;
}

std::optional<unsigned> block_keeper::take_left() {
    return std::exchange(left_, std::nullopt);
}

std::optional<unsigned> block_keeper::take_back() {
    return std::exchange(back_, std::nullopt);
}

std::string block_keeper::waiting_for() const {
    if (jobs_.empty()) return {};
    return std::to_string(jobs_.size()) + " blocks to be moved to memory or back";
}

}  // namespace heddle
