// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/crossbar/allocator.h"

namespace heddle {

/// `wavefront`: Tamir, Chi, "Symmetric Crossbar Arbiters for VLSI Communication Switches", 1993.
///
/// With n the larger of rows and columns, cell (row, column) lies on diagonal (row + column) mod n.
/// The wave starts at the diagonal of highest priority and takes the others in ascending order,
/// modulo n: a cell that is requested, and whose row and column are free, is granted. Cells of one
/// diagonal can't conflict. The first diagonal moves on by one each cycle, so that a request that
/// stays is served within n cycles. Always maximal.
class wavefront_allocator final : public allocator {
public:
    static constexpr const char* name = "wavefront";
    static constexpr const char* description =
        "the diagonals of the request matrix, one after another";

    explicit wavefront_allocator(const allocator_shape& shape);

    matching decide(const request_matrix& in) override;
    void clock_edge() override { first_ = first_ + 1 == diagonals_ ? 0 : first_ + 1; }
    void reset() override { first_ = 0; }

private:
    std::uint32_t diagonals_;
    std::size_t row_words_, column_words_;
    std::uint32_t first_ = 0;              ///< diagonal of highest priority
    std::vector<std::uint64_t> requests_;  ///< of each diagonal: rows that request their cell there
    std::vector<std::uint64_t> used_;      ///< diagonals with requests
    std::vector<std::uint64_t> free_rows_, taken_columns_;
};

}  // namespace heddle
