// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/smx/blocks/life_mechanism.h"
#include "hw/smx/blocks/movable_warps.h"
#include "hw/smx/execute/execution_parts.h"
#include "hw/smx/shared_memory/shared_memory.h"

namespace heddle {

/// The state of a block as words of memory: what each mechanism knows of the block; for each warp
/// that has not ended 31 registers, rounding modes, PC and formation; the block's shared memory.
class block_image {
public:
    using words = std::vector<std::uint32_t>;

    /// All of it outlives the object.
    struct parts {
        const execution_parts& execution;
        shared_memory& shared;
        movable_warps& warps;
        const std::vector<life_mechanism*>& mechanisms;  ///< each adds its part
    };
    explicit block_image(const parts& of) : of_(of) {}

    /// Of a block whose warps all rest.
    [[nodiscard]] words save(unsigned slot) const;
    /// The block's warps are in their slots as they were. Returns the lanes that live, by warp of
    /// the block.
    std::vector<isa::lane_mask> restore(unsigned slot, const words& saved,
                                        std::uint64_t edge) const;

private:
    void save_warp(unsigned warp, words& to) const;
    void restore_warp(unsigned slot, unsigned warp, const std::uint32_t* from,
                      bool at_barrier) const;

    const parts of_;
};

}  // namespace heddle
