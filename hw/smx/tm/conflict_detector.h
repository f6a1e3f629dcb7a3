// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>

#include "hw/protocol/item_set.h"
#include "hw/smx/tm/shadow_memory.h"

namespace heddle {

/// One item's access to one word of a bank, inside a transaction.
struct item_access {
    std::uint32_t row;
    std::uint32_t item;
    bool write;
    /// swo_sig: items of warps whose signature of writes knows the word.
    const protocol::item_set& writers;
};

/// What a detector finds.
struct conflict {
    bool found = false;
    protocol::item_set with;  ///< may be empty: with items that nobody knows any more

    static conflict with_items(const protocol::item_set& items) { return {true, items}; }
};

/// How one bank finds conflicts between the items of a block: one class for each value of
/// tm.detection. Villegas et al., "Improvements in Hardware Transactional Memory for GPU
/// Architectures", sections 2 and 4. The item that finds the conflict is the one that loses.
class conflict_detector {
public:
    conflict_detector() = default;
    conflict_detector(const conflict_detector&) = delete;
    conflict_detector& operator=(const conflict_detector&) = delete;
    virtual ~conflict_detector() = default;

    /// An access. Without a conflict the bank knows it from now on, and a written word has its
    /// owner in the shadow memory.
    [[nodiscard]] virtual conflict access(const item_access& access, shadow_memory& shadow) = 0;
    /// These items have lost or committed; they own nothing any more.
    virtual void clear(const protocol::item_set& /*items*/) noexcept {}
    /// No item of the block runs a transaction now.
    virtual void settle(shadow_memory& /*shadow*/) noexcept {}
};

[[nodiscard]] std::unique_ptr<conflict_detector> make_conflict_detector(
    const transaction_configuration& configuration);

}  // namespace heddle
