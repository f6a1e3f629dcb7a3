// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
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
          offers_(shape.rows * column_words_),
          free_rows_(row_words_),
          free_columns_(column_words_),
          requesters_(row_words_),
          offered_rows_(row_words_) {}

    /// pick_row(column, rows) and pick_column(row, columns) pick a member of a set that is not
    /// empty: of a word where all ports are one word, else of words and their number, two
    /// arguments. accepted(pass, row, column) hears of each match, passes counted from 0. Ends
    /// early when a pass finds nothing, for then the matching is maximal.
    template <class PickRow, class PickColumn, class Accepted>
    matching match(const request_matrix& in, const PickRow& pick_row, const PickColumn& pick_column,
                   const Accepted& accepted) {
        return row_words_ == 1 && column_words_ == 1
                   ? match_words(in, pick_row, pick_column, accepted)
                   : match_sets(in, pick_row, pick_column, accepted);
    }

private:
    /// Up to 64 ports: what changes is in registers.
    template <class PickRow, class PickColumn, class Accepted>
    matching match_words(const request_matrix& in, const PickRow& pick_row,
                         const PickColumn& pick_column, const Accepted& accepted) {
        matching grants(1);
        std::uint64_t* const offers = offers_.data();
        const std::uint64_t* const rows_of = in.column(0);
        std::uint64_t free_rows = *in.active_rows();
        std::uint64_t free_columns = *in.active_columns();
        for (std::uint32_t pass = 0; pass < iterations_; ++pass) {
            // (1) grant
            std::uint64_t offered_rows = 0;
            for (std::uint64_t left = free_columns; left != 0; left &= left - 1) {
                const std::uint32_t column = port_bits::lowest(left);
                const std::uint64_t requesters = rows_of[column] & free_rows;
                if (requesters == 0) {
                    free_columns &= ~(std::uint64_t{1} << column);
                    continue;
                }
                const std::uint32_t row = pick_row(column, requesters);
                offers[row] |= std::uint64_t{1} << column;
                offered_rows |= std::uint64_t{1} << row;
            }
            if (offered_rows == 0) break;
            free_rows &= ~offered_rows;
            // (2) accept
            for (std::uint64_t left = offered_rows; left != 0; left &= left - 1) {
                const std::uint32_t row = port_bits::lowest(left);
                const std::uint32_t column = pick_column(row, std::exchange(offers[row], 0));
                grants.grant(row, column);
                accepted(pass, row, column);
                free_columns &= ~(std::uint64_t{1} << column);
            }
        }
        return grants;
    }

    // Apart: match_words() would lose its registers.
    template <class PickRow, class PickColumn, class Accepted>
    [[gnu::noinline]] matching match_sets(const request_matrix& in, const PickRow& pick_row,
                                          const PickColumn& pick_column, const Accepted& accepted) {
        matching grants(row_words_);
        std::copy_n(in.active_rows(), row_words_, free_rows_.data());
        std::copy_n(in.active_columns(), column_words_, free_columns_.data());
        for (std::uint32_t pass = 0; pass < iterations_; ++pass) {
            // (1) grant
            port_bits::for_each(free_columns_.data(), column_words_, [&](std::uint32_t column) {
                const std::uint64_t* const rows = in.column(column);
                for (std::size_t word = 0; word < row_words_; ++word) {
                    requesters_[word] = rows[word] & free_rows_[word];
                }
                if (port_bits::any(requesters_.data(), row_words_)) {
                    const std::uint64_t* const requesters = requesters_.data();
                    const std::uint32_t row = pick_row(column, requesters, row_words_);
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
                const std::uint64_t* const offers = columns;
                const std::uint32_t column = pick_column(row, offers, column_words_);
                grants.grant(row, column);
                accepted(pass, row, column);
                port_bits::clear(columns, column_words_);
                port_bits::erase(free_rows_.data(), row);
                port_bits::erase(free_columns_.data(), column);
            });
            port_bits::clear(offered_rows_.data(), row_words_);
        }
        return grants;
    }

    std::size_t row_words_, column_words_;
    std::uint32_t iterations_;
    std::vector<std::uint64_t> offers_;        ///< of each row: columns that grant to it
    std::vector<std::uint64_t> free_rows_;     ///< unmatched
    std::vector<std::uint64_t> free_columns_;  ///< unmatched, and requested by a free row
    std::vector<std::uint64_t> requesters_;    ///< of one column: free rows that request it
    std::vector<std::uint64_t> offered_rows_;
};

}  // namespace heddle
