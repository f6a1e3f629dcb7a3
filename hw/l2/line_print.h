// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>

namespace heddle {

/// A byte of a line's number that depends on all its bits. Lines with different prints are
/// different; of lines with the same print, the numbers have to be compared.
[[nodiscard]] constexpr std::uint8_t line_print(std::uint64_t line) noexcept {
    return static_cast<std::uint8_t>((line * 0x9e37'79b9'7f4a'7c15U) >> 56);
}

}  // namespace heddle
