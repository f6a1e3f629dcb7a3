// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hw/crossbar/allocator.h"

namespace heddle {

/// A request matrix as a paper prints it: a string of 0 and 1 for each row.
inline request_matrix requests_of(const std::vector<std::string>& rows) {
    request_matrix m(static_cast<std::uint32_t>(rows.size()),
                     static_cast<std::uint32_t>(rows[0].size()));
    for (std::uint32_t row = 0; row < m.rows(); ++row) {
        for (std::uint32_t column = 0; column < m.columns(); ++column) {
            if (rows[row][column] == '1') {
                m.insert(row, column);
            }
        }
    }
    return m;
}

using pairs = std::map<std::uint32_t, std::uint32_t>;

/// Row -> column.
inline pairs pairs_of(const request_matrix& m, const matching& grants) {
    pairs result;
    port_bits::for_each(grants.rows(), m.row_words(),
                        [&](std::uint32_t row) { result[row] = grants.column(row); });
    return result;
}

/// What one cycle grants.
inline pairs cycle(allocator& chooser, const request_matrix& m) {
    pairs result = pairs_of(m, chooser.decide(m));
    chooser.clock_edge();
    return result;
}

}  // namespace heddle
