// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/input_first_allocator.h"

#include <utility>

namespace heddle {

input_first_allocator::input_first_allocator(const allocator_shape& shape, std::uint64_t run_seed,
                                             const std::string& path)
    : input_first_allocator(
          shape, random_arbiters(shape.rows, shape.columns, run_seed, path + ".input"),
          random_arbiters(shape.columns, shape.rows, run_seed, path + ".output")) {}

input_first_allocator::input_first_allocator(const allocator_shape& shape, random_arbiters rows,
                                             random_arbiters columns)
    : row_arbiters_(std::move(rows)),
      column_arbiters_(std::move(columns)),
      bids_(shape.columns * port_bits::words_for(shape.rows)),
      bid_columns_(port_bits::words_for(shape.columns)) {}

matching input_first_allocator::decide(const request_matrix& in) {
    return in.row_words() == 1 && in.column_words() == 1 ? decide_words(in) : decide_sets(in);
}

matching input_first_allocator::decide_words(const request_matrix& in) {
    matching grants(1);
    std::uint64_t* const bids = bids_.data();
    const std::uint64_t* const columns_of = in.row(0);
    // (1) each row picks a column
    row_arbiters_.begin(*in.active_rows());
    std::uint64_t columns = 0;
    for (std::uint64_t left = *in.active_rows(); left != 0; left &= left - 1) {
        const std::uint32_t row = port_bits::lowest(left);
        const std::uint32_t column = row_arbiters_.pick_once(row, columns_of[row]);
        bids[column] |= std::uint64_t{1} << row;
        columns |= std::uint64_t{1} << column;
    }
    // (2) each column picks among those rows
    column_arbiters_.begin(columns);
    for (std::uint64_t left = columns; left != 0; left &= left - 1) {
        const std::uint32_t column = port_bits::lowest(left);
        const std::uint64_t bidders = std::exchange(bids[column], 0);
        grants.grant(column_arbiters_.pick_once(column, bidders), column);
    }
    return grants;
}

matching input_first_allocator::decide_sets(const request_matrix& in) {
    matching grants(in.row_words());
    const std::size_t words = in.row_words();
    row_arbiters_.begin();
    column_arbiters_.begin();
    // (1) each row picks a column
    port_bits::for_each(in.active_rows(), words, [&](std::uint32_t row) {
        const std::uint32_t column = row_arbiters_.pick(row, in.row(row), in.column_words());
        port_bits::insert(&bids_[column * words], row);
        port_bits::insert(bid_columns_.data(), column);
    });
    // (2) each column picks among those rows
    port_bits::for_each(bid_columns_.data(), bid_columns_.size(), [&](std::uint32_t column) {
        std::uint64_t* const bids = &bids_[column * words];
        grants.grant(column_arbiters_.pick(column, bids, words), column);
        port_bits::clear(bids, words);
    });
    port_bits::clear(bid_columns_.data(), bid_columns_.size());
    return grants;
}

void input_first_allocator::clock_edge() {
    row_arbiters_.commit();
    column_arbiters_.commit();
}

void input_first_allocator::reset() {
    row_arbiters_.reset();
    column_arbiters_.reset();
}

}  // namespace heddle
