// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/protocol/link.h"
#include "models/base/bits.h"

namespace heddle {

/// Which warps are about to load constants. Hardware knows that from the opcode. Here an
/// instruction that loaded only constants when it last issued is taken to do so again.
class constant_heads {
public:
    void use_program(std::size_t instructions) { constant_.assign(instructions, 0); }

    /// The state of the warp has changed. `memory`: its next instruction, at `position` of its
    /// code, is a memory instruction that could issue.
    void look(unsigned warp, bool memory, std::size_t position) noexcept {
        if (memory && expects(position)) {
            warps_ |= bits::one(warp);
        } else {
            warps_ &= ~bits::one(warp);
        }
    }
    /// Whether the memory instruction at `position` is taken to load constants.
    [[nodiscard]] bool expects(std::size_t position) const noexcept {
        return constant_[position] != 0;
    }
    /// A memory instruction issues; `constants`: it loads nothing but constants. True if that is
    /// news: look() at all warps whose next instruction is for memory.
    [[nodiscard]] bool issued(std::size_t position, bool constants) noexcept {
        const bool news = expects(position) != constants;
        constant_[position] = constants ? 1 : 0;
        return news;
    }
    /// Warps whose next instruction is a load of constants.
    [[nodiscard]] protocol::warp_mask warps() const noexcept { return warps_; }

private:
    protocol::warp_mask warps_ = 0;
    std::vector<std::uint8_t> constant_;  ///< by position in the code
};

}  // namespace heddle
