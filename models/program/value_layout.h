// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::program {

/// A number of a value, or an array of equal numbers.
struct layout_field {
    enum class kind : std::uint8_t {
        signed_integer,
        unsigned_integer,  ///< pointers, too: the device's addresses
        boolean,
        floating,
        bytes,  ///< what is none of these: a union, a bit field
    };
    std::string name;  ///< "position.x", "parts[1].mass"; empty: the value is the number itself
    kind what = kind::bytes;
    std::uint32_t offset = 0;  ///< bytes from the start of the value
    std::uint32_t size = 0;    ///< bytes of one number
    std::uint32_t count = 1;   ///< numbers, one behind the other
};

/// How a value lies in memory: a number, a vector of numbers or a struct with its fields.
struct value_layout {
    std::uint32_t size = 0;  ///< bytes; 0: nothing is known about the value
    std::vector<layout_field> fields;

    [[nodiscard]] bool is_record() const noexcept {
        return !fields.empty() && !fields.front().name.empty();
    }
};

}  // namespace heddle::program
