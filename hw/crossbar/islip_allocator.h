// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <vector>

#include "hw/crossbar/allocator.h"
#include "hw/crossbar/grant_accept.h"

namespace heddle {

/// `islip`: McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches", 1999.
///
/// Each pass: each free column grants to the free row that requests it and comes first at or after
/// its pointer, round robin; each row accepts the first grant at or after its own. Pointers move to
/// one past the partner, and only for what the first pass has matched, so that no request that
/// stays is passed over for more than R * C cycles. Maximal when a pass finds nothing.
class islip_allocator final : public allocator {
public:
    static constexpr const char* name = "islip";
    static constexpr const char* description =
        "outputs grant to buffers in turn, then buffers accept grants in turn";

    explicit islip_allocator(const allocator_shape& shape);

    matching decide(const request_matrix& in) override;
    void clock_edge() override;
    void reset() override;

    /// The row that a column prefers, and the column that a row prefers.
    [[nodiscard]] std::uint32_t column_pointer(std::uint32_t column) const {
        return column_pointers_[column];
    }
    [[nodiscard]] std::uint32_t row_pointer(std::uint32_t row) const { return row_pointers_[row]; }

private:
    struct match {
        std::uint32_t row, column;
    };

    /// Grants every request, as the first pass does if there is no conflict.
    matching all_of(const request_matrix& in);
    matching best_of(const request_matrix& in);

    grant_accept passes_;
    std::vector<std::uint32_t> row_pointers_, column_pointers_;
    std::vector<match> first_pass_;  ///< the first ones are matches that move pointers
    std::size_t first_matches_ = 0;
};

}  // namespace heddle
