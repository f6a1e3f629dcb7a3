// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/allocator.h"

#include <algorithm>
#include <type_traits>

#include "hw/crossbar/allocators.h"
#include "models/base/error.h"

namespace heddle {

std::uint32_t matching::end() const noexcept {
    for (std::size_t word = rows_.size(); word-- > 0;) {
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
