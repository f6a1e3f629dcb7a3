// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/allocator.h"

#include <algorithm>
#include <type_traits>

#include "hw/crossbar/allocators.h"
#include "models/base/error.h"

namespace heddle {

/// Up to 64 rows and as many columns: what changes is in registers.
void request_matrix::select_words(const request_matrix& all, std::uint64_t open_columns,
                                  const request_matrix& begun) {
    std::uint64_t rows = 0, columns = 0;
    std::uint32_t requests = 0;
    for (std::uint64_t left = *all.active_rows(); left != 0; left &= left - 1) {
        const std::uint32_t row = port_bits::lowest(left);
        const std::uint64_t kept = all.by_row_[row] & (open_columns | begun.by_row_[row]);
        by_row_[row] = kept;
        columns |= kept;
        rows |= std::uint64_t{kept != 0} << row;
        requests += static_cast<std::uint32_t>(__builtin_popcountll(kept));
    }
    for (std::uint64_t left = columns; left != 0; left &= left - 1) {
        const std::uint32_t column = port_bits::lowest(left);
        const std::uint64_t open = ~((open_columns >> column & 1U) - 1);
        by_column_[column] = all.by_column_[column] & (open | begun.by_column_[column]);
    }
    active_rows_.front() = rows;
    active_columns_.front() = columns;
    requests_ = requests;
}

void request_matrix::select(const request_matrix& all, const std::uint64_t* open_columns,
                            const request_matrix& begun) {
    if (row_words_ == 1 && column_words_ == 1) {
        select_words(all, *open_columns, begun);
        return;
    }
    port_bits::clear(active_rows_.data(), row_words_);
    port_bits::clear(active_columns_.data(), column_words_);
    requests_ = 0;
    port_bits::for_each(all.active_rows(), row_words_, [&](std::uint32_t row) {
        std::uint64_t any = 0;
        for (std::size_t word = 0; word < column_words_; ++word) {
            const std::uint64_t kept =
                all.row(row)[word] & (open_columns[word] | begun.row(row)[word]);
            by_row_[row * column_words_ + word] = kept;
            any |= kept;
            requests_ += static_cast<std::uint32_t>(__builtin_popcountll(kept));
        }
        if (any != 0) port_bits::insert(active_rows_.data(), row);
    });
    port_bits::for_each(all.active_columns(), column_words_, [&](std::uint32_t column) {
        const std::uint64_t open =
            port_bits::test(open_columns, column) ? ~std::uint64_t{0} : std::uint64_t{0};
        std::uint64_t any = 0;
        for (std::size_t word = 0; word < row_words_; ++word) {
            const std::uint64_t kept =
                all.column(column)[word] & (open | begun.column(column)[word]);
            by_column_[column * row_words_ + word] = kept;
            any |= kept;
        }
        if (any != 0) port_bits::insert(active_columns_.data(), column);
    });
}

std::uint32_t matching::end() const noexcept {
    for (std::size_t word = row_words_; word-- > 0;) {
        if (rows_[word] != 0) {
            return static_cast<std::uint32_t>(64 * word) + 64U -
                   static_cast<std::uint32_t>(__builtin_clzll(rows_[word]));
        }
    }
    return 0;
}

std::ostream& operator<<(std::ostream& to, const request_matrix& requests) {
    to << '{';
    const char* between = "";
    port_bits::for_each(requests.active_rows(), requests.row_words(), [&](std::uint32_t row) {
        to << between << row << ':';
        between = ", ";
        port_bits::for_each(requests.row(row), requests.column_words(),
                            [&](std::uint32_t column) { to << ' ' << column; });
    });
    return to << '}';
}

namespace {

std::unique_ptr<allocator> make_allocator(const allocator_setting& setting,
                                          const slot_context& context) {
    const allocator_shape& shape = setting.shape;
    if (std::min(shape.rows, shape.columns) == 0 ||
        std::max(shape.rows, shape.columns) > matching::maximum_rows) {
        throw configuration_error("allocator '" + context.path() +
                                  "': " + std::to_string(shape.rows) + " rows and " +
                                  std::to_string(shape.columns) + " columns; legal: 1 to " +
                                  std::to_string(matching::maximum_rows));
    }
    return allocators::visit(setting.kind, [&](auto part) -> std::unique_ptr<allocator> {
        using chosen = typename decltype(part)::type;
        if constexpr (std::is_constructible_v<chosen, const allocator_shape&>) {
            return std::make_unique<chosen>(shape);
        } else {
            return std::make_unique<chosen>(shape, context.run_seed(), context.path());
        }
    });
}

}  // namespace

slot_registry<allocator_traits> allocator_traits::implementations() {
    return slot_registry<allocator_traits>(make_allocator);
}

}  // namespace heddle
