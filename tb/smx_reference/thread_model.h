// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/instruction.h"

namespace heddle::smx_reference {

/// Registers of a warp. The reference knows the instructions that a random program makes addresses
/// and conditions with; the results of others, and what loads bring, are 0 and decide nothing.
class thread_model {
public:
    /// What the registers for ids say.
    struct place {
        unsigned warp = 0;       ///< in the block
        unsigned warp_size = 0;  ///< lanes
        std::uint32_t block = 0;
    };

    void start(const place& where, std::uint32_t parameters, std::uint32_t stack) {
        where_ = where;
        x_ = {};
        x_[2].fill(stack);
        x_[10].fill(parameters);
    }
    /// Not for loads, stores, atomics, branches.
    void execute(const isa::instruction& i, std::uint32_t pc, isa::lane_mask lanes);
    [[nodiscard]] bool takes_branch(const isa::instruction& i, unsigned lane) const;
    /// rs1 + the immediate: address of an access, target of a jalr.
    [[nodiscard]] std::uint32_t address(const isa::instruction& i, unsigned lane) const {
        return x_[i.rs1][lane] + static_cast<std::uint32_t>(i.imm);
    }

private:
    [[nodiscard]] std::uint32_t result(const isa::instruction& i, std::uint32_t pc,
                                       unsigned lane) const;
    [[nodiscard]] std::uint32_t id(const isa::instruction& i, unsigned lane) const;

    place where_;
    std::array<std::array<std::uint32_t, 64>, 33> x_{};
};

}  // namespace heddle::smx_reference
