// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/islip_allocator.h"

#include <algorithm>
#include <utility>

namespace heddle {

islip_allocator::islip_allocator(const allocator_shape& shape)
    : passes_(shape), row_pointers_(shape.rows), column_pointers_(shape.columns) {
    first_pass_.resize(std::min(shape.rows, shape.columns));
}

// Two functions, so that each makes its matching in place: it has room for 1024 rows.
matching islip_allocator::decide(const request_matrix& in) {
    return in.without_conflict() ? all_of(in) : best_of(in);
}

matching islip_allocator::best_of(const request_matrix& in) {
    match* to = first_pass_.data();
    const std::uint32_t* const of_rows = row_pointers_.data();
    const std::uint32_t* const of_columns = column_pointers_.data();
    matching grants = passes_.match(
        in,
        [of_columns](std::uint32_t column, auto... rows) {
            return port_bits::first_from(rows..., of_columns[column]);
        },
        [of_rows](std::uint32_t row, auto... columns) {
            return port_bits::first_from(columns..., of_rows[row]);
        },
        [&](std::uint32_t pass, std::uint32_t row, std::uint32_t column) {
            if (pass == 0) *to++ = {row, column};
        });
    first_matches_ = static_cast<std::size_t>(to - first_pass_.data());
    return grants;
}

matching islip_allocator::all_of(const request_matrix& in) {
    matching grants(in.row_words());
    match* to = first_pass_.data();
    const auto grant = [&](std::uint32_t row, std::uint32_t column) {
        grants.grant(row, column);
        *to++ = {row, column};
    };
    if (in.row_words() == 1 && in.column_words() == 1) {
        for (std::uint64_t rows = *in.active_rows(); rows != 0; rows &= rows - 1) {
            const std::uint32_t row = port_bits::lowest(rows);
            grant(row, port_bits::lowest(*in.row(row)));
        }
    } else {
        port_bits::for_each(in.active_rows(), in.row_words(), [&](std::uint32_t row) {
            grant(row, port_bits::first_from(in.row(row), in.column_words(), 0));
        });
    }
    first_matches_ = static_cast<std::size_t>(to - first_pass_.data());
    return grants;
}

void islip_allocator::clock_edge() {
    const std::size_t rows = row_pointers_.size();
    const std::size_t columns = column_pointers_.size();
    std::uint32_t* const of_rows = row_pointers_.data();
    std::uint32_t* const of_columns = column_pointers_.data();
    const match* const end = first_pass_.data() + std::exchange(first_matches_, 0);
    for (const match* each = first_pass_.data(); each != end; ++each) {
        const match m = *each;
        of_rows[m.row] = m.column + 1 == columns ? 0 : m.column + 1;
        of_columns[m.column] = m.row + 1 == rows ? 0 : m.row + 1;
    }
}

void islip_allocator::reset() {
    std::fill(row_pointers_.begin(), row_pointers_.end(), 0);
    std::fill(column_pointers_.begin(), column_pointers_.end(), 0);
    first_matches_ = 0;
}

}  // namespace heddle
