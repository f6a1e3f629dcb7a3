// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "hw/base/pool.h"
#include "hw/protocol/item_set.h"
#include "hw/protocol/link_rules.h"

/// tm_unit -> tm_bank, one bank of shared memory: one check of a transactional access, and what all
/// banks are told when items lose or commit.
namespace heddle::protocol {

enum class bank_command : std::uint8_t {
    load,     ///< of an item inside a transaction
    store,    ///< the same
    plain,    ///< is the word owned by an item?
    undo,     ///< `items` lose: their words get their old values back
    forget,   ///< `items` commit
    settled,  ///< no item of the block runs a transaction now
};

struct bank_check : pooled<bank_check> {
    block_slot block{};
    bank_command command = bank_command::load;
    bool answered = false;  ///< by the bank
    std::uint8_t bytes = 4;
    // load, store, plain:
    std::uint32_t row = 0;      ///< the word is row x banks + bank in the block's window
    std::uint32_t address = 0;  ///< byte offset in the SMX's shared memory
    std::uint32_t item = 0;     ///< in its block
    std::uint32_t data = 0;     ///< in: store; out: load
    /// swo_sig: items of warps whose signature of writes knows the word.
    item_set writers;
    /// undo, forget: who. Out, load and store: items that the access conflicts with.
    item_set items;
    bool lost = false;        ///< out: it conflicts, perhaps with items that nobody knows any more
    bool owned = false;       ///< out, plain: an item owns the word
    std::uint32_t words = 0;  ///< out, undo: words that have got their old values

    void recycle() {
        block = {};
        command = bank_command::load;
        answered = lost = owned = false;
        bytes = 4;
        row = 0;
        address = item = data = words = 0;
        writers = items = {};
    }
};

/// b_transport only, without time: the unit knows how long a pass takes. nb_transport is an error.
enum class tm_phase : std::uint8_t {};

struct tm_link {
    using tlm_payload_type = bank_check;
    using tlm_phase_type = tm_phase;
};

template <>
struct link_rules<tm_link> : usual_rules<bank_check> {
    static const rule_table& table();
    static std::string request_error(const bank_check& p);
    static std::string response_error(const bank_check& p);
    static fixed_attributes fixed(const bank_check& p);
    static void describe(const bank_check& p, attribute_list& out);

    static constexpr bool carries_accesses = true;
};

}  // namespace heddle::protocol
