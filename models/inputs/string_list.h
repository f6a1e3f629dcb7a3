// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::inputs {

/// Strings of bytes one behind the other, as the payloads of packets or the lines of a text.
struct string_list {
    std::string origin;                     ///< the file, or the generator with all its arguments
    std::vector<std::uint32_t> offsets{0};  ///< strings + 1: string i starts at offsets[i]
    std::vector<std::uint8_t> bytes;

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(offsets.size() - 1);
    }
    [[nodiscard]] std::uint32_t length(std::uint32_t i) const noexcept {
        return offsets[i + 1] - offsets[i];
    }
    [[nodiscard]] std::string text(std::uint32_t i) const {
        return {bytes.begin() + offsets[i], bytes.begin() + offsets[i + 1]};
    }
    /// Appends a string. Throws configuration_error beyond 2^32 - 1 bytes in all.
    void add(const std::uint8_t* first, std::size_t count);
    void add(const std::string& text) {
        add(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    }
};

/// Lines for the terminal: origin, number, lengths, and a histogram of them.
[[nodiscard]] std::string describe(const string_list& described);

}  // namespace heddle::inputs
