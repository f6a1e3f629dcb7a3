// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/islip_allocator.h"

#include <algorithm>

namespace heddle {

islip_allocator::islip_allocator(const allocator_shape& shape)
    : passes_(shape), row_pointers_(shape.rows), column_pointers_(shape.columns) {
    first_pass_.resize(std::min(shape.rows, shape.columns));
}

matching islip_allocator::decide(const request_matrix& in) {
    first_matches_ = 0;
    if (in.without_conflict()) return all_of(in);
    return passes_.match(
        in,
        [&](std::uint32_t column, const std::uint64_t* rows, auto words) {
            return port_bits::first_from(rows, words, column_pointers_[column]);
        },
        [&](std::uint32_t row, const std::uint64_t* columns, auto words) {
            return port_bits::first_from(columns, words, row_pointers_[row]);
        },
        [&](std::uint32_t pass, std::uint32_t row, std::uint32_t column) {
            if (pass == 0) first_pass_[first_matches_++] = {row, column};
        });
}

matching islip_allocator::all_of(const request_matrix& in) {
    matching grants;
    port_bits::for_each(in.active_rows(), in.row_words(), [&](std::uint32_t row) {
        const std::uint32_t column = port_bits::first_from(in.row(row), in.column_words(), 0);
        grants.grant(row, column);
        first_pass_[first_matches_++] = {row, column};
    });
    return grants;
}

void islip_allocator::clock_edge() {
    for (std::size_t i = 0; i < first_matches_; ++i) {
        const match& m = first_pass_[i];
        row_pointers_[m.row] = m.column + 1 == column_pointers_.size() ? 0 : m.column + 1;
        column_pointers_[m.column] = m.row + 1 == row_pointers_.size() ? 0 : m.row + 1;
    }
    first_matches_ = 0;
}

void islip_allocator::reset() {
    std::fill(row_pointers_.begin(), row_pointers_.end(), 0);
    std::fill(column_pointers_.begin(), column_pointers_.end(), 0);
    first_matches_ = 0;
}

}  // namespace heddle
