// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/protocol/bank_check.h"
#include "hw/smx/tm/shadow_memory.h"

namespace heddle {

/// How one bank finds conflicts between the items of a block: one class for each value of
/// tm.detection. Villegas et al., "Improvements in Hardware Transactional Memory for GPU
/// Architectures", sections 2 and 4. The item that finds the conflict is the one that loses.
///
/// A class has `name` and `description`, and hides those of the three facts below that differ.
class conflict_detector {
public:
    /// That a block takes, for what the detection remembers.
    static constexpr std::uint32_t vector_registers = 0;
    /// The owners in the shadow memory are asked; a pass takes longer.
    static constexpr bool directory = false;
    /// The unit keeps a signature of writes for each warp, in scalar registers: a check has
    /// `writers`.
    static constexpr bool write_signatures = false;

    conflict_detector() = default;
    conflict_detector(const conflict_detector&) = delete;
    conflict_detector& operator=(const conflict_detector&) = delete;
    virtual ~conflict_detector() = default;

    /// A load or store. With a conflict the check is lost, and its items are those that it
    /// conflicts with, as far as they are known. Without, the bank knows the access from now on,
    /// and a written word has its owner in the shadow memory.
    virtual void access(protocol::bank_check& check, shadow_memory& shadow) = 0;
    /// These items have lost or committed; they own nothing any more.
    virtual void clear(const protocol::item_set& /*items*/) noexcept {}
    /// No item of the block runs a transaction now.
    virtual void settle(shadow_memory& /*shadow*/) noexcept {}

protected:
    static void lose(protocol::bank_check& check, const protocol::item_set& to) noexcept {
        check.lost = true;
        check.items = to;
    }
};

}  // namespace heddle
