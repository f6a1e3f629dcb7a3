// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/block_life/block_image.h"

#include <cstring>

#include "models/base/bits.h"

namespace heddle {
namespace {

/// Words in front of what a warp leaves: live lanes, number of its last instruction, whether it
/// waits at the barrier, and how many words follow.
constexpr std::size_t header_words = 6;
constexpr unsigned registers = 31;  ///< x0 is no register

std::uint64_t wide(const std::uint32_t* from) {
    return from[0] | std::uint64_t{from[1]} << 32;
}

void append_wide(block_image::words& to, std::uint64_t value) {
    to.push_back(static_cast<std::uint32_t>(value));
    to.push_back(static_cast<std::uint32_t>(value >> 32));
}

std::size_t words_of(std::uint32_t bytes) {
    return (bytes + 3) / 4;
}

}  // namespace

block_image::words block_image::save(unsigned slot) const {
    const block_table::block_context& block = of_.execution.blocks.block(slot);
    words state;
    for (const life_mechanism* const mechanism : of_.mechanisms) mechanism->save(slot, state);
    bits::for_each(block.warps, [&](unsigned warp) { save_warp(warp, state); });
    const std::size_t shared = state.size();
    const std::uint32_t bytes = block.dispatch->kernel->per_block.shared_bytes;
    state.resize(shared + words_of(bytes));
    if (bytes != 0) std::memcpy(&state[shared], of_.shared.bytes(block.shared_base), bytes);
    return state;
}

void block_image::save_warp(unsigned warp, words& to) const {
    const execution_parts& parts = of_.execution;
    const block_table::home_warp& home = parts.blocks.warp(warp);
    append_wide(to, home.live);
    append_wide(to, home.issued.value());
    to.push_back(of_.warps.counts_as_waiting(warp) ? 1 : 0);
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
    of_.warps.save(warp, to);
    to[length] = static_cast<std::uint32_t>(to.size() - length - 1);
}

std::vector<isa::lane_mask> block_image::restore(unsigned slot, const words& saved,
                                                 std::uint64_t edge) const {
    const execution_parts& parts = of_.execution;
    const protocol::warp_mask warps = parts.blocks.block(slot).warps;
    std::vector<block_table::kept_warp> kept;
    std::vector<isa::lane_mask> live;
    std::vector<const std::uint32_t*> starts;
    const std::uint32_t* at = saved.data();
    for (life_mechanism* const mechanism : of_.mechanisms) at = mechanism->restore(slot, at);
    bits::for_each(warps, [&](unsigned) {
        kept.push_back({wide(at), issue_number(wide(at + 2)), at[4] != 0});
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
    of_.shared.restore(block.shared_base, at, block.dispatch->kernel->per_block.shared_bytes);
    return live;
}

void block_image::restore_warp(unsigned slot, unsigned warp, const std::uint32_t* from,
                               bool at_barrier) const {
    const execution_parts& parts = of_.execution;
    const isa::lane_mask all = bits::below(parts.warp_size);
    const auto home = static_cast<std::uint16_t>(warp);
    const thread_group group{all, 0, static_cast<std::uint16_t>(slot), home};
    for (unsigned r = 1; r <= registers; ++r, from += parts.warp_size) {
        parts.registers.write(group, r, from, all);
    }
    parts.registers.set_rounding_modes(warp, reinterpret_cast<const std::uint8_t*>(from));
    from += words_of(parts.warp_size);
    of_.warps.come_back(warp, from, at_barrier, parts.blocks.block(slot).kernel->code);
}

}  // namespace heddle
