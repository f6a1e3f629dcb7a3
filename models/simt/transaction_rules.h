// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/isa/instruction.h"
#include "models/program/address_map.h"

/// What a kernel may do between tx.begin and tx.commit; in_transaction_text() says it in words.
namespace heddle::simt {

/// Whether a transaction may execute the instruction, whatever its operands are. Legal are
/// arithmetic, votes and shuffles, jumps, loads, stores, fences and tx.commit.
[[nodiscard]] inline bool legal_in_transaction(const isa::instruction& instruction) noexcept {
    switch (instruction.cls) {
        case isa::instruction_class::atomic:
        case isa::instruction_class::launch:
        case isa::instruction_class::cooperation:
            return false;
        case isa::instruction_class::simt_control:
            return instruction.op == isa::opcode::warp_join;
        case isa::instruction_class::transaction:
            return instruction.op == isa::opcode::tx_commit;
        default:
            return true;
    }
}

/// Whether a transaction may store to the address: its stores must be undone.
[[nodiscard]] inline bool storable_in_transaction(std::uint32_t address) noexcept {
    return program::shared_window.contains(address) || program::private_window.contains(address);
}

/// Lanes reconverge with others, or return, before their tx.commit.
inline constexpr const char* left_transaction_text =
    "the branch, loop or function in which 'tx.begin' stands ends before its 'tx.commit'";

}  // namespace heddle::simt
