// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hw/base/slot_registry.h"
#include "hw/protocol/bank_check.h"

namespace heddle {

/// A word of memory that gets its old value back.
struct restored_word {
    std::uint32_t row;
    std::uint32_t value;
};

/// What one bank of shared memory knows of transactions, for each block slot: who may conflict (a
/// conflict detector), who owns which word, and its old value (a shadow memory). The data are not
/// in it.
class bank_state {
public:
    bank_state() = default;
    bank_state(const bank_state&) = delete;
    bank_state& operator=(const bank_state&) = delete;
    virtual ~bank_state() = default;

    /// A load or store; sets `lost` and, if it is lost, `items` of the check. `word` is what memory
    /// holds in the row: the old value, if a store is the first of the word's owner.
    virtual void access(protocol::bank_check& check, const std::uint8_t* word) = 0;
    /// Every other command. Sets `owned`; `restored` gets the words that an undo gives back, those
    /// first that were owned first.
    virtual void tell(protocol::bank_check& check, std::vector<restored_word>& restored) = 0;
};

/// What the state of a bank is made for.
struct bank_setting {
    transaction_configuration configuration;
    unsigned block_slots;
    std::uint32_t rows;  ///< of a block slot
};

/// The `tlm` implementation of the tm.detection that the configuration asks for. A check costs
/// constant time; undo and forget cost time for the words that the block's items own.
[[nodiscard]] std::unique_ptr<bank_state> make_bank_state(const bank_setting& setting);

/// The slot of a bank's state (hw/base/slot.h), key `slot.tm_bank`.
struct bank_state_traits {
    static constexpr const char* name = "tm_bank";
    using interface = bank_state;
    using setting = bank_setting;
    [[nodiscard]] static slot_registry<bank_state_traits> implementations();
    /// Compares what each check answers.
    [[nodiscard]] static std::unique_ptr<bank_state> shadow(std::unique_ptr<bank_state> tlm,
                                                            std::unique_ptr<bank_state> rtl,
                                                            lock_step comparison);
};

}  // namespace heddle
