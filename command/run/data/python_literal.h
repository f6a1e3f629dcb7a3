// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {

/// A literal of Python, as far as the headers of .npy files have them.
struct python_literal {
    enum class kind { text, number, boolean, tuple, list, dictionary };

    kind what = kind::text;
    std::string text;          ///< of a text
    std::uint64_t number = 0;  ///< of a number; 1: True
    /// Of a tuple or list; key and value in turn of a dictionary.
    std::vector<python_literal> items;
    std::string_view source;  ///< the literal as written

    [[nodiscard]] bool is_sequence() const noexcept {
        return what == kind::tuple || what == kind::list;
    }
    /// The value of a dictionary's key; null if there is none.
    [[nodiscard]] const python_literal* find(std::string_view key) const;
};

/// Reads one literal; blanks may follow. None if the text is no such literal. `source` of the
/// literals refers to `text`.
std::optional<python_literal> read_python_literal(std::string_view text);

}  // namespace heddle::command
