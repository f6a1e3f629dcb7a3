// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hw/base/slot_registry.h"
#include "hw/crossbar/crossbar_configuration.h"
#include "hw/crossbar/port_bits.h"

namespace heddle {

/// Who asks for what: rows are input buffers, columns outputs. Kept by rows and by columns.
class request_matrix {
public:
    request_matrix(std::uint32_t rows, std::uint32_t columns)
        : rows_(rows),
          columns_(columns),
          row_words_(port_bits::words_for(rows)),
          column_words_(port_bits::words_for(columns)),
          active_rows_(row_words_),
          active_columns_(column_words_),
          by_row_(rows * column_words_),
          by_column_(columns * row_words_) {}

    [[nodiscard]] std::uint32_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::uint32_t columns() const noexcept { return columns_; }
    /// Words of a set of rows, and of a set of columns.
    [[nodiscard]] std::size_t row_words() const noexcept { return row_words_; }
    [[nodiscard]] std::size_t column_words() const noexcept { return column_words_; }

    /// The rows that request anything, and the columns that are requested.
    [[nodiscard]] const std::uint64_t* active_rows() const noexcept { return active_rows_.data(); }
    [[nodiscard]] const std::uint64_t* active_columns() const noexcept {
        return active_columns_.data();
    }
    /// The columns that an active row requests; meaningless for another.
    [[nodiscard]] const std::uint64_t* row(std::uint32_t number) const noexcept {
        return &by_row_[number * column_words_];
    }
    /// The rows that request an active column; meaningless for another.
    [[nodiscard]] const std::uint64_t* column(std::uint32_t number) const noexcept {
        return &by_column_[number * row_words_];
    }

    /// Number of requests.
    [[nodiscard]] std::uint32_t requests() const noexcept { return requests_; }
    /// No row requests two columns and no column is requested by two rows.
    [[nodiscard]] bool without_conflict() const noexcept {
        return requests_ == port_bits::count(active_rows(), row_words_) &&
               requests_ == port_bits::count(active_columns(), column_words_);
    }

    void insert(std::uint32_t row, std::uint32_t column) noexcept {
        std::uint64_t* const columns = &by_row_[row * column_words_];
        requests_ += port_bits::test(columns, column) ? 0 : 1;
        port_bits::insert(columns, column);
        port_bits::insert(&by_column_[column * row_words_], row);
        port_bits::insert(active_rows_.data(), row);
        port_bits::insert(active_columns_.data(), column);
    }
    void erase(std::uint32_t row, std::uint32_t column) noexcept {
        std::uint64_t* const columns = &by_row_[row * column_words_];
        std::uint64_t* const rows = &by_column_[column * row_words_];
        requests_ -= port_bits::test(columns, column) ? 1 : 0;
        port_bits::erase(columns, column);
        port_bits::erase(rows, row);
        if (!port_bits::any(columns, column_words_)) port_bits::erase(active_rows_.data(), row);
        if (!port_bits::any(rows, row_words_)) port_bits::erase(active_columns_.data(), column);
    }

    /// Becomes those requests of `all` that are for an open column, or in `begun`.
    void select(const request_matrix& all, const std::uint64_t* open_columns,
                const request_matrix& begun);

private:
    void select_words(const request_matrix& all, std::uint64_t open_columns,
                      const request_matrix& begun);

    std::uint32_t rows_, columns_;
    std::size_t row_words_, column_words_;
    std::uint32_t requests_ = 0;
    std::vector<std::uint64_t> active_rows_, active_columns_;
    std::vector<std::uint64_t> by_row_, by_column_;
};

/// Who gets what: at most one column a row and one row a column.
class matching {
public:
    static constexpr std::uint32_t maximum_rows = 1024;

    matching() noexcept : matching(maximum_rows / 64) {}
    /// For so many words of rows.
    explicit matching(std::size_t row_words) noexcept : row_words_(row_words) {
        port_bits::clear(rows_.data(), row_words);
    }

    void grant(std::uint32_t row, std::uint32_t column) noexcept {
        port_bits::insert(rows_.data(), row);
        columns_[row] = static_cast<std::uint16_t>(column);
    }
    [[nodiscard]] bool granted(std::uint32_t row) const noexcept {
        return port_bits::test(rows_.data(), row);
    }
    /// Of a granted row.
    [[nodiscard]] std::uint32_t column(std::uint32_t row) const noexcept { return columns_[row]; }
    /// The granted rows; as many words as the request matrix has for rows.
    [[nodiscard]] const std::uint64_t* rows() const noexcept { return rows_.data(); }

    /// One past the highest granted row; 0 if there is none.
    [[nodiscard]] std::uint32_t end() const noexcept;

private:
    std::size_t row_words_;
    std::array<std::uint64_t, maximum_rows / 64> rows_;  // NOLINT: the first row_words_
    std::array<std::uint16_t, maximum_rows> columns_;    // NOLINT: defined for granted rows
};

/// What an allocator is made for.
struct allocator_shape {
    std::uint32_t rows = 1, columns = 1;
    std::uint32_t iterations = 1;  ///< pim and islip
};
struct allocator_setting {
    allocator_kind kind;
    allocator_shape shape;
};

/// The slot of a crossbar's allocator (hw/base/slot.h), key `slot.crossbar_allocator`.
///
/// decide() matches rows with columns they request; no row or column twice. clock_edge() loads
/// pointers and shift registers with what the last decide() has found. The crossbar lets its
/// allocators work in the cycles in which at least one flit could move, and in no others.
struct allocator_traits {
    static constexpr const char* name = "crossbar_allocator";
    using interface = slot<allocator_traits>;
    using setting = allocator_setting;
    using inputs = request_matrix;
    using outputs = matching;
    using field = slot_field<matching>;
    /// grant[R]: the column of row R.
    static constexpr field fields[] = {{"grant",
                                        [](const matching& m, std::uint32_t row) {
                                            return m.granted(row) ? std::uint64_t{m.column(row)}
                                                                  : field::none;
                                        },
                                        [](const matching& m) { return m.end(); }}};

    /// Throw configuration_error for 0 or more than matching::maximum_rows rows or columns. Random
    /// draws depend on run seed and path only.
    [[nodiscard]] static slot_registry<allocator_traits> implementations();
};
using allocator = slot<allocator_traits>;

std::ostream& operator<<(std::ostream& to, const request_matrix& requests);

}  // namespace heddle
