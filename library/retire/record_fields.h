// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>

#include "include/heddle/retire.h"

namespace heddle::library {

/// A field of heddle_retired.
struct record_field {
    enum class shape { number, mask, lanes };

    const char* name;
    const char* meaning;
    std::size_t offset;  ///< in the struct, bytes
    std::size_t bytes;   ///< of a number
    shape form;

    [[nodiscard]] constexpr std::size_t count() const noexcept {
        return form == shape::lanes ? HEDDLE_LANES : 1;
    }
    /// In the packed form for warps of `lanes` lanes.
    [[nodiscard]] constexpr std::size_t packed_bits(std::size_t lanes) const noexcept {
        return form == shape::mask ? lanes : 8 * bytes * (form == shape::lanes ? lanes : 1);
    }
};

/// In the order of the definition.
inline constexpr std::array record_fields{
#define HEDDLE_ROW(type, name, meaning)                                        \
    record_field{#name, meaning, offsetof(heddle_retired, name), sizeof(type), \
                 record_field::shape::number},
#define HEDDLE_ROW_OF_BITS(name, meaning)                                          \
    record_field{#name, meaning, offsetof(heddle_retired, name), sizeof(uint64_t), \
                 record_field::shape::mask},
#define HEDDLE_ROW_OF_LANES(type, name, meaning)                               \
    record_field{#name, meaning, offsetof(heddle_retired, name), sizeof(type), \
                 record_field::shape::lanes},
    HEDDLE_RETIRED_FIELDS(HEDDLE_ROW, HEDDLE_ROW_OF_BITS, HEDDLE_ROW_OF_LANES)
#undef HEDDLE_ROW
#undef HEDDLE_ROW_OF_BITS
#undef HEDDLE_ROW_OF_LANES
};

/// Of a record for warps of `lanes` lanes.
[[nodiscard]] constexpr std::size_t packed_bits(std::size_t lanes) noexcept {
    std::size_t bits = 0;
    for (const record_field& field : record_fields) bits += field.packed_bits(lanes);
    return bits;
}

}  // namespace heddle::library
