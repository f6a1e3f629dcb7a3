// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>

#include "hw/cosim/port_table.h"

namespace heddle::cosim {

/// What a bank does at a clock edge.
enum class bank_operation : std::uint8_t {
    none,
    load,    ///< of `item`
    store,   ///< the same
    undo,    ///< `items` lose: their words get their old values back
    forget,  ///< `items` commit
};

/// Ports of slot.tm_bank: one bank of shared memory under transactions, tm.detection = prw_sig
/// (hw/smx/tm/bank_state.h, prw_sig.h and signature.h have the rules). `two_hashes` and `slot`
/// hold for all operations. `lost`, `conflicts` and `owned` answer before the clock edge: the
/// access conflicts, with these items, and an item owns the word in `row`. `word` is what memory
/// holds in `row`. Load and store take one clock. Undo and forget take one, and another one with
/// the same inputs as long as `busy` is high: one for each word that the block's items own. After
/// each, `restore` says that a word gets its old value back, and which.
struct tm_bank_call {
    static constexpr unsigned most_slots = 16;
    static constexpr unsigned most_rows = 1024;

    bool two_hashes = false;  ///< tm.hashes = 2
    bank_operation operation = bank_operation::none;
    std::uint8_t slot = 0;  ///< of the block
    std::uint16_t row = 0;
    std::uint8_t item = 0;
    std::array<std::uint64_t, 4> items{};
    std::uint32_t word = 0;

    bool busy = false;
    bool lost = false;
    std::array<std::uint64_t, 4> conflicts{};
    bool owned = false;
    bool restore = false;
    std::uint16_t restored_row = 0;
    std::uint32_t restored_word = 0;
};

inline constexpr port_field<tm_bank_call> tm_bank_ports[] = {
    port_of<&tm_bank_call::two_hashes>(port_direction::input, "two_hashes", 1),
    port_of<&tm_bank_call::operation>(port_direction::input, "op", 3),
    port_of<&tm_bank_call::slot>(port_direction::input, "slot", 4),
    port_of<&tm_bank_call::row>(port_direction::input, "row", 10),
    port_of<&tm_bank_call::item>(port_direction::input, "item", 8),
    port_of<&tm_bank_call::items>(port_direction::input, "items", 64),
    port_of<&tm_bank_call::word>(port_direction::input, "word", 32),
    port_of<&tm_bank_call::busy>(port_direction::output, "busy", 1),
    port_of<&tm_bank_call::lost>(port_direction::output, "lost", 1),
    port_of<&tm_bank_call::conflicts>(port_direction::output, "conflicts", 64),
    port_of<&tm_bank_call::owned>(port_direction::output, "owned", 1),
    port_of<&tm_bank_call::restore>(port_direction::output, "restore", 1),
    port_of<&tm_bank_call::restored_row>(port_direction::output, "restored_row", 10),
    port_of<&tm_bank_call::restored_word>(port_direction::output, "restored_word", 32),
};

}  // namespace heddle::cosim
