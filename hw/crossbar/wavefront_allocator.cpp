// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/wavefront_allocator.h"

#include <algorithm>

namespace heddle {

wavefront_allocator::wavefront_allocator(const allocator_shape& shape)
    : diagonals_(std::max(shape.rows, shape.columns)),
      row_words_(port_bits::words_for(shape.rows)),
      column_words_(port_bits::words_for(shape.columns)),
      requests_(diagonals_ * row_words_),
      used_(port_bits::words_for(diagonals_)),
      free_rows_(row_words_),
      taken_columns_(column_words_) {}

matching wavefront_allocator::decide(const request_matrix& in) {
    matching grants(in.row_words());
    port_bits::for_each(in.active_rows(), row_words_, [&](std::uint32_t row) {
        port_bits::insert(free_rows_.data(), row);
        port_bits::for_each(in.row(row), column_words_, [&](std::uint32_t column) {
            const std::uint32_t sum = row + column;
            const std::uint32_t diagonal = sum < diagonals_ ? sum : sum - diagonals_;
            port_bits::insert(&requests_[diagonal * row_words_], row);
            port_bits::insert(used_.data(), diagonal);
        });
    });
    while (port_bits::any(used_.data(), used_.size())) {
        const std::uint32_t diagonal = port_bits::first_from(used_.data(), used_.size(), first_);
        std::uint64_t* const rows = &requests_[diagonal * row_words_];
        for (std::size_t word = 0; word < row_words_; ++word) {
            rows[word] &= free_rows_[word];
        }
        port_bits::for_each(rows, row_words_, [&](std::uint32_t row) {
            const std::uint32_t column =
                diagonal >= row ? diagonal - row : diagonal + diagonals_ - row;
            if (!port_bits::test(taken_columns_.data(), column)) {
                port_bits::insert(taken_columns_.data(), column);
                port_bits::erase(free_rows_.data(), row);
                grants.grant(row, column);
            }
        });
        port_bits::clear(rows, row_words_);
        port_bits::erase(used_.data(), diagonal);
    }
    port_bits::clear(free_rows_.data(), row_words_);
    port_bits::clear(taken_columns_.data(), column_words_);
    return grants;
}

}  // namespace heddle
