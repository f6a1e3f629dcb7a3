// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (optimal
/// string alignment distance). O(|a| |b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that the user most likely meant, or an empty string if none is near: the one that
/// ends in "." + word (a forgotten prefix), else the one with the least edit distance, if that is
/// at most a third of the longer length; capital letters count as small ones. The first in the list
/// wins a tie.
[[nodiscard]] std::string nearest(std::string_view word,
                                  const std::vector<std::string>& candidates);

/// "; did you mean 'X'?" for an error message, or "" if nothing is near.
[[nodiscard]] std::string hint(std::string_view word, const std::vector<std::string>& candidates);

/// A text of the user's for an error message: as it is, or beginning and end of a long one.
[[nodiscard]] std::string shortened(std::string_view text);

/// "a, b, c" for an error message.
[[nodiscard]] std::string joined(const std::vector<std::string>& items);

}  // namespace heddle
