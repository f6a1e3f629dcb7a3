// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "hw/smx/warp_scheduler/warp_scheduler_configuration.h"
#include "models/base/bits.h"
#include "models/isa/instruction.h"
#include "models/program/address_map.h"

namespace heddle {

/// Which memory instructions are memory instructions to the selection policy
/// (memory_classification).
class memory_heads {
public:
    explicit memory_heads(memory_classification rule) noexcept : rule_(rule) {}

    /// A new program has `count` instructions from position `first` on. What has been learnt of
    /// earlier ones there is gone.
    void use_program(std::size_t first, std::size_t count) {
        if (off_global_.size() < first + count) off_global_.resize(first + count);
        std::fill_n(off_global_.begin() + static_cast<std::ptrdiff_t>(first), count, 0);
    }

    /// Whether look() has to be called for a warp whose state has changed.
    [[nodiscard]] bool look_closer() const noexcept {
        return rule_ != memory_classification::opcode;
    }
    /// `head`, at this code_position(), is a memory instruction that could issue; null:
    /// the warp's next instruction is none.
    void look(unsigned warp, const isa::instruction* head, std::size_t position) noexcept {
        uncounted_ &= ~bits::one(warp);
        if (head == nullptr) return;
        const bool counts = rule_ == memory_classification::loads
                                ? head->cls == isa::instruction_class::load
                                : off_global_[position] == 0;
        if (!counts) uncounted_ |= bits::one(warp);
    }
    /// Warps whose head is a memory instruction that does not count.
    [[nodiscard]] protocol::warp_mask uncounted() const noexcept { return uncounted_; }
    /// A memory instruction issues; `address` is that of its lowest lane. True if what it counts
    /// as is news: look() at all warps whose next instruction is for memory.
    bool issued(std::size_t position, std::uint32_t address) noexcept {
        if (rule_ != memory_classification::last_window) return false;
        const bool before = off_global_[position] != 0;
        const bool now =
            program::shared_window.contains(address) || program::private_window.contains(address);
        off_global_[position] = now ? 1 : 0;
        return now != before;
    }
    /// Whether the completion of a memory instruction counts.
    [[nodiscard]] bool completion_counts(std::size_t position) const noexcept {
        return rule_ != memory_classification::last_window || off_global_[position] == 0;
    }

private:
    const memory_classification rule_;
    protocol::warp_mask uncounted_ = 0;
    /// By code_position(): the instruction's last access did not go to global memory.
    std::vector<std::uint8_t> off_global_;
};

}  // namespace heddle
