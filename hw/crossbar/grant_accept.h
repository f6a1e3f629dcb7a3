// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hw/crossbar/allocator.h"

namespace heddle {

/// The passes that pim and islip share: each free column grants to one of the free rows that
/// request it, each row accepts one of its grants. Who is picked is the caller's policy.
class grant_accept {
public:
    explicit grant_accept(const allocator_shape& shape)
        : row_words_(port_bits::words_for(shape.rows)),
          column_words_(port_bits::words_for(shape.columns)),
          iterations_(shape.iterations),
          requesters_(shape.columns * row_words_),
          offers_(shape.rows * column_words_),
          free_columns_(column_words_),
          offered_rows_(row_words_) {}

    /// pick_row(column, rows) and pick_column(row, columns) pick a member of a set that is not
    /// empty; accepted(pass, row, column) hears of each match, passes counted from 0. Ends early
    /// when a pass finds nothing, for then the matching is maximal.
    template <class PickRow, class PickColumn, class Accepted>
    matching match(const request_matrix& in, const PickRow& pick_row, const PickColumn& pick_column,
                   const Accepted& accepted) {
        matching grants;
        take(in);
        for (std::uint32_t pass = 0; pass < iterations_; ++pass) {
            // (1) grant
            port_bits::for_each(free_columns_.data(), column_words_, [&](std::uint32_t column) {
                const std::uint64_t* const rows = &requesters_[column * row_words_];
                if (port_bits::any(rows, row_words_)) {
                    const std::uint32_t row = pick_row(column, rows);
                    port_bits::insert(&offers_[row * column_words_], column);
                    port_bits::insert(offered_rows_.data(), row);
                } else {
                    port_bits::erase(free_columns_.data(), column);
                }
            });
            if (!port_bits::any(offered_rows_.data(), row_words_)) {
                break;
            }
            // (2) accept
            port_bits::for_each(offered_rows_.data(), row_words_, [&](std::uint32_t row) {
                std::uint64_t* const columns = &offers_[row * column_words_];
                const std::uint32_t column = pick_column(row, columns);
                grants.grant(row, column);
                accepted(pass, row, column);
                port_bits::clear(columns, column_words_);
                port_bits::erase(free_columns_.data(), column);
            });
            remove_offered_rows();
        }
        return grants;
    }

private:
    /// Fills requesters_ and free_columns_.
    void take(const request_matrix& in) {
        std::copy_n(in.active_columns(), column_words_, free_columns_.data());
        port_bits::for_each(in.active_columns(), column_words_, [&](std::uint32_t column) {
            std::copy_n(in.column(column), row_words_, &requesters_[column * row_words_]);
        });
    }
    void remove_offered_rows() {
        port_bits::for_each(free_columns_.data(), column_words_, [&](std::uint32_t column) {
            std::uint64_t* const rows = &requesters_[column * row_words_];
            for (std::size_t word = 0; word < row_words_; ++word) {
                rows[word] &= ~offered_rows_[word];
            }
        });
        port_bits::clear(offered_rows_.data(), row_words_);
    }

    std::size_t row_words_, column_words_;
    std::uint32_t iterations_;
    std::vector<std::uint64_t> requesters_;    ///< of each column: free rows that request it
    std::vector<std::uint64_t> offers_;        ///< of each row: columns that grant to it
    std::vector<std::uint64_t> free_columns_;  ///< unmatched, and requested by a free row
    std::vector<std::uint64_t> offered_rows_;
};

}  // namespace heddle
