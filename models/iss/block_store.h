// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "models/base/flat_memory.h"
#include "models/base/machine_configuration.h"
#include "models/base/warp_slots.h"
#include "models/iss/warp.h"
#include "models/program/address_map.h"

namespace heddle::iss {

/// The blocks and warps of an engine, with the private memory of the warps. There are as many as
/// the SMXs hold, and more for blocks that wait without an SMX.
template <unsigned Lanes>
class block_store {
public:
    using block_type = block<Lanes>;
    using warp_type = warp<Lanes>;

    explicit block_store(const machine_configuration& machine)
        : private_bytes_(machine.smx.private_bytes),
          private_backing_(
              std::max<std::size_t>(warps_of(machine) * Lanes * machine.smx.private_bytes, 1)),
          warps_(warps_of(machine)),
          slots_(std::size_t{machine.smx_count} * machine.smx.max_blocks) {
        auto* words = reinterpret_cast<std::uint32_t*>(private_backing_.data());
        for (warp_type& w : warps_) {
            w.private_words = words;
            w.lowest_private_offset = private_bytes_;
            words += std::size_t{private_bytes_} / 4 * Lanes;
        }
    }

    /// Everything is free, the first blocks and warps come first.
    void reset() {
        free_warps_.clear();
        for (auto w = warps_.rbegin(); w != warps_.rend(); ++w) free_warps_.push_back(&*w);
        free_slots_.clear();
        left_slots_.clear();
        for (auto s = slots_.rbegin(); s != slots_.rend(); ++s) {
            s->of = nullptr;
            s->suspended = false;
            s->waits_for_all = false;
            s->warps.clear();
            free_slots_.push_back(&*s);
        }
    }
    /// A block begins.
    block_type& start(grid& of, std::uint32_t number) {
        block_type& b = free_slot();
        const std::uint32_t dynamic = of.launch.shape.dynamic_shared_bytes;
        b.of = &of;
        b.number = number;
        b.identity = {simt::unflatten(number, of.launch.shape.grid),
                      of.launch.shape.grid,
                      of.launch.shape.block,
                      0,  // make_resident() says where
                      of.launch.id.gridid(),
                      program::shared_window.base + of.launch.per_block.shared_bytes - dynamic,
                      dynamic,
                      of.launch.shape.offset,
                      of.launch.shape.work_dimensions()};
        b.shared.assign(of.launch.per_block.shared_bytes, std::byte{0});
        b.threads.start(b.identity.threads());
        const unsigned count = (b.identity.threads() + Lanes - 1) / Lanes;
        for (unsigned index = 0; index < count; ++index) start_warp(b, index);
        return b;
    }
    /// The block has ended. Its object is used again after reuse(): lists may still name it.
    void end(block_type& b) {
        for (auto w = b.warps.rbegin(); w != b.warps.rend(); ++w) free_warps_.push_back(*w);
        b.warps.clear();
        b.of = nullptr;
        b.waits_for_all = false;
        left_slots_.push_back(&b);
    }
    void reuse() {
        free_slots_.insert(free_slots_.end(), left_slots_.begin(), left_slots_.end());
        left_slots_.clear();
    }

private:
    [[nodiscard]] static std::size_t warps_of(const machine_configuration& machine) {
        return std::size_t{resident_warps(machine)};
    }
    block_type& free_slot() {
        if (free_slots_.empty()) return slots_.emplace_back();
        block_type& b = *free_slots_.back();
        free_slots_.pop_back();
        return b;
    }
    warp_type& free_warp() {
        if (free_warps_.empty()) {
            warp_type& w = warps_.emplace_back();
            w.private_words = reinterpret_cast<std::uint32_t*>(
                further_backing_.emplace_back(std::size_t{private_bytes_} * Lanes).data());
            w.lowest_private_offset = private_bytes_;
            return w;
        }
        warp_type& w = *free_warps_.back();
        free_warps_.pop_back();
        return w;
    }
    void start_warp(block_type& b, unsigned index) {
        warp_type& w = free_warp();
        b.warps.push_back(&w);
        w.start(*b.of, index, b.identity.threads(), private_bytes_);
        // The stack of an earlier block must not show through: runs are reproducible.
        std::memset(w.private_words + std::size_t{w.lowest_private_offset} / 4 * Lanes, 0,
                    std::size_t{private_bytes_ - w.lowest_private_offset} * Lanes);
        w.lowest_private_offset = private_bytes_;
    }

    std::uint32_t private_bytes_;
    flat_memory private_backing_;  ///< one region a warp
    std::deque<warp_type> warps_;
    std::vector<warp_type*> free_warps_;
    std::deque<block_type> slots_;
    std::vector<block_type*> free_slots_;
    std::vector<block_type*> left_slots_;      ///< since the last reuse()
    std::deque<flat_memory> further_backing_;  ///< of warps beyond those of the SMXs
};

}  // namespace heddle::iss
