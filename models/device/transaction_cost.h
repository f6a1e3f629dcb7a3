// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

#include "models/base/transaction_configuration.h"

/// What transactions take of an SMX. Source: Villegas, Navarro, Asenjo, Plata, "Improvements in
/// Hardware Transactional Memory for GPU Architectures", Table 3.
namespace heddle::transaction_cost {

/// A word of shared memory has its old value (4 bytes) and its owner (1 byte) beside it.
inline constexpr std::uint32_t shadow_bytes_per_word = 5;

/// Bytes of shadow memory for a block with `shared_bytes` of shared memory.
[[nodiscard]] constexpr std::uint64_t shadow_bytes(std::uint64_t shared_bytes) noexcept {
    return (shared_bytes + 3) / 4 * shadow_bytes_per_word;
}
/// Words of shared memory that fit `available` bytes together with their shadow memory.
[[nodiscard]] constexpr std::uint64_t most_words(std::uint64_t available) noexcept {
    return available / (4 + shadow_bytes_per_word);
}

}  // namespace heddle::transaction_cost
