// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hw/base/slot.h"
#include "hw/crossbar/crossbar_configuration.h"
#include "hw/crossbar/port_bits.h"

namespace heddle {

/// Who asks for what: rows are input buffers, columns outputs.
class request_matrix {
public:
    request_matrix(std::uint32_t rows, std::uint32_t columns)
        : rows_(rows),
          columns_(columns),
          row_words_(port_bits::words_for(rows)),
          column_words_(port_bits::words_for(columns)),
          active_(row_words_),
          bits_(rows * column_words_) {}

    [[nodiscard]] std::uint32_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::uint32_t columns() const noexcept { return columns_; }
    /// Words of a set of rows, and of a set of columns.
    [[nodiscard]] std::size_t row_words() const noexcept { return row_words_; }
    [[nodiscard]] std::size_t column_words() const noexcept { return column_words_; }

    /// The rows that request anything.
    [[nodiscard]] const std::uint64_t* active() const noexcept { return active_.data(); }
    [[nodiscard]] std::uint64_t* active() noexcept { return active_.data(); }
    /// The columns that a row requests; meaningful for active rows only.
    [[nodiscard]] const std::uint64_t* row(std::uint32_t number) const noexcept {
        return &bits_[number * column_words_];
    }
    [[nodiscard]] std::uint64_t* row(std::uint32_t number) noexcept {
        return &bits_[number * column_words_];
    }

private:
    std::uint32_t rows_, columns_;
    std::size_t row_words_, column_words_;
    std::vector<std::uint64_t> active_;
    std::vector<std::uint64_t> bits_;
};

/// Who gets what: at most one column a row and one row a column.
class matching {
public:
    static constexpr std::uint32_t maximum_rows = 1024;

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

    friend bool operator==(const matching& a, const matching& b) noexcept;

private:
    std::array<std::uint64_t, maximum_rows / 64> rows_{};
    std::array<std::uint16_t, maximum_rows> columns_;  // NOLINT: defined for granted rows
};

/// The slot of a crossbar's allocator (hw/base/slot.h).
///
/// decide() matches rows with columns they request; no row or column twice. clock_edge() loads
/// pointers and shift registers with what the last decide() has found. The crossbar lets its
/// allocators work in the cycles in which at least one flit could move, and in no others.
struct allocator_traits {
    static constexpr const char* name = "allocator";
    using inputs = request_matrix;
    using outputs = matching;
};
using allocator = slot<allocator_traits>;

std::ostream& operator<<(std::ostream& to, const request_matrix& requests);
std::ostream& operator<<(std::ostream& to, const matching& grants);

/// What an allocator is made for.
struct allocator_shape {
    std::uint32_t rows = 1, columns = 1;
    std::uint32_t iterations = 1;  ///< pim and islip
};

/// An allocator of a kind. Its random draws depend on run seed and path only. Throws
/// configuration_error for 0 or more than matching::maximum_rows rows or columns.
[[nodiscard]] std::unique_ptr<allocator> make_allocator(allocator_kind kind,
                                                        const allocator_shape& shape,
                                                        const slot_context& context);

}  // namespace heddle
