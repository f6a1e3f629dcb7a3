// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <vector>

#include "hw/protocol/bank_check.h"
#include "hw/smx/local_memory/shared_banks.h"
#include "hw/smx/tm/conflict_detector.h"

namespace heddle {

/// One bank of local memory under transactions: a conflict detector and a shadow memory for each
/// block slot. The data stay in the array of the local memory. No SystemC.
///
/// A check costs constant time; undo and forget cost time for the words that the block's items own.
class transactional_bank {
public:
    /// `number` of `banks`. A block slot has `window` bytes of `memory`.
    transactional_bank(const transaction_configuration& configuration, unsigned number,
                       unsigned banks, std::uint32_t window, unsigned block_slots,
                       shared_banks& memory);

    /// Carries out what the unit asks, and answers.
    void perform(protocol::bank_check& check);

private:
    struct block {
        std::unique_ptr<conflict_detector> detector;  ///< null: no transaction has come
        shadow_memory shadow;
    };
    /// What is no access. Out of line, so that an access saves fewer registers.
    [[gnu::noinline]] void tell(block& of, protocol::bank_check& check);
    void undo(block& of, protocol::bank_check& check);
    /// Address of the word in a row of a block slot.
    [[nodiscard]] std::uint32_t address(unsigned slot, std::uint32_t row) const noexcept {
        return slot * window_ + 4 * (row * banks_ + number_);
    }

    const transaction_configuration configuration_;
    const unsigned number_;
    const unsigned banks_;
    const std::uint32_t window_;
    shared_banks& memory_;
    std::vector<block> blocks_;  ///< by slot
};

}  // namespace heddle
