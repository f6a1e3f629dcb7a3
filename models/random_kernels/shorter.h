// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::iss {

template <class T>
[[nodiscard]] std::vector<T> without(const std::vector<T>& all, std::size_t first,
                                     std::size_t count) {
    std::vector<T> made(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
    made.insert(made.end(), all.begin() + static_cast<std::ptrdiff_t>(first + count), all.end());
    return made;
}

/// Without halves, quarters, ... single elements.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> shorter(const std::vector<T>& all) {
    std::vector<std::vector<T>> made;
    for (std::size_t count = all.size(); count > 0; count /= 2) {
        for (std::size_t first = 0; first + count <= all.size(); first += count) {
            made.push_back(without(all, first, count));
        }
    }
    return made;
}

}  // namespace heddle::iss
