// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/crossbar/pim_allocator.h"

#include <utility>

namespace heddle {

pim_allocator::pim_allocator(const allocator_shape& shape, std::uint64_t run_seed,
                             const std::string& path)
    : pim_allocator(shape, random_arbiters(shape.rows, shape.columns, run_seed, path + ".input"),
                    random_arbiters(shape.columns, shape.rows, run_seed, path + ".output")) {}

pim_allocator::pim_allocator(const allocator_shape& shape, random_arbiters rows,
                             random_arbiters columns)
    : passes_(shape), row_arbiters_(std::move(rows)), column_arbiters_(std::move(columns)) {}

matching pim_allocator::decide(const request_matrix& in) {
    row_arbiters_.begin();
    column_arbiters_.begin();
    return passes_.match(
        in,
        [&](std::uint32_t column, auto... rows) { return column_arbiters_.pick(column, rows...); },
        [&](std::uint32_t row, auto... columns) { return row_arbiters_.pick(row, columns...); },
        [](std::uint32_t, std::uint32_t, std::uint32_t) {});
}

void pim_allocator::clock_edge() {
    row_arbiters_.commit();
    column_arbiters_.commit();
}

void pim_allocator::reset() {
    row_arbiters_.reset();
    column_arbiters_.reset();
}

}  // namespace heddle
