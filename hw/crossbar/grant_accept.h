// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
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

    /// pick_row(column, rows, words) and pick_column(row, columns, words) pick a member of a set
    /// that is not empty; accepted(pass, row, column) hears of each match, passes counted from 0.
    /// Ends early when a pass finds nothing, for then the matching is maximal.
    template <class PickRow, class PickColumn, class Accepted>
    matching match(const request_matrix& in, const PickRow& pick_row, const PickColumn& pick_column,
                   const Accepted& accepted) {
        // Up to 64 ports are one word: where the compiler knows that, the loops over words go.
        constexpr std::integral_constant<std::size_t, 1> one;
        return row_words_ == 1 && column_words_ == 1
                   ? match(one, one, in, pick_row, pick_column, accepted)
                   : match(row_words_, column_words_, in, pick_row, pick_column, accepted);
    }

private:
    /// A set of ports: one word of its own, which may be in a register, or the words of `kept`.
    template <class Words>
    struct port_set {
        explicit port_set(std::vector<std::uint64_t>& kept) noexcept : words(kept.data()) {}
        [[nodiscard]] std::uint64_t* data() noexcept { return words; }
        std::uint64_t* words;
    };
    template <std::size_t one>
    struct port_set<std::integral_constant<std::size_t, one>> {
        explicit port_set(std::vector<std::uint64_t>&) noexcept {}
        [[nodiscard]] std::uint64_t* data() noexcept { return words.data(); }
        std::array<std::uint64_t, one> words{};
    };

    template <class RowWords, class ColumnWords, class PickRow, class PickColumn, class Accepted>
    matching match(RowWords row_words, ColumnWords column_words, const request_matrix& in,
                   const PickRow& pick_row, const PickColumn& pick_column,
                   const Accepted& accepted) {
        matching grants;
        port_set<RowWords> free_rows(free_rows_), requesters(requesters_),
            offered_rows(offered_rows_);
        port_set<ColumnWords> free_columns(free_columns_);
        std::copy_n(in.active_rows(), std::size_t{row_words}, free_rows.data());
        std::copy_n(in.active_columns(), std::size_t{column_words}, free_columns.data());
        for (std::uint32_t pass = 0; pass < iterations_; ++pass) {
            // (1) grant
            port_bits::for_each(free_columns.data(), column_words, [&](std::uint32_t column) {
                const std::uint64_t* const rows = in.column(column);
                for (std::size_t word = 0; word < row_words; ++word) {
                    requesters.data()[word] = rows[word] & free_rows.data()[word];
                }
                if (port_bits::any(requesters.data(), row_words)) {
                    const std::uint32_t row = pick_row(column, requesters.data(), row_words);
                    port_bits::insert(&offers_[row * column_words], column);
                    port_bits::insert(offered_rows.data(), row);
                } else {
                    port_bits::erase(free_columns.data(), column);
                }
            });
            if (!port_bits::any(offered_rows.data(), row_words)) {
                break;
            }
            // (2) accept
            port_bits::for_each(offered_rows.data(), row_words, [&](std::uint32_t row) {
                std::uint64_t* const columns = &offers_[row * column_words];
                const std::uint32_t column = pick_column(row, columns, column_words);
                grants.grant(row, column);
                accepted(pass, row, column);
                port_bits::clear(columns, column_words);
                port_bits::erase(free_rows.data(), row);
                port_bits::erase(free_columns.data(), column);
            });
            port_bits::clear(offered_rows.data(), row_words);
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
