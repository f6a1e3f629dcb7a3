// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "hw/protocol/bank_check.h"
#include "hw/smx/shared_memory/shared_banks.h"
#include "hw/smx/tm/bank_state.h"

namespace heddle {

/// One bank of shared memory under transactions: its state (bank_state.h), and the data, which stay
/// in the array of the shared memory. No SystemC.
class transactional_bank {
public:
    /// Which of the banks it is.
    struct place {
        unsigned number;
        unsigned banks;
        std::uint32_t window;  ///< bytes of a block slot
    };
    /// Rows of a block slot.
    [[nodiscard]] static std::uint32_t rows(std::uint32_t window, unsigned banks) noexcept {
        return (window / 4 + banks - 1) / banks;
    }

    /// `memory` outlives the bank.
    transactional_bank(std::unique_ptr<bank_state> state, const place& at, shared_banks& memory)
        : state_(std::move(state)), place_(at), memory_(memory) {}

    /// Carries out what the unit asks, and answers.
    void perform(protocol::bank_check& check);

private:
    /// What is no access. Out of line, so that an access saves fewer registers.
    [[gnu::noinline]] void tell(protocol::bank_check& check);
    /// Address of the word in a row of a block slot.
    [[nodiscard]] std::uint32_t address(unsigned slot, std::uint32_t row) const noexcept {
        return slot * place_.window + 4 * (row * place_.banks + place_.number);
    }

    const std::unique_ptr<bank_state> state_;
    const place place_;
    shared_banks& memory_;
    std::vector<restored_word> restored_;  ///< of one undo
};

}  // namespace heddle
