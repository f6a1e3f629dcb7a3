// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/crossbar/allocator.h"
#include "hw/crossbar/random_arbiters.h"

namespace heddle {

/// `input_first`: Fung, "Dynamic Warp Formation", 2008, section 5.1.2 (who calls it PIM).
///
/// One pass: (1) each row picks one of the columns it requests at random and neglects the others;
/// (2) each column picks one of the rows that have picked it at random. The matching is valid, and
/// not maximal: a row that loses in (2) stays without a column even if another one is free.
/// Saturated throughput with R rows that request all of C columns: 1 - (1 - 1/C)^R.
class input_first_allocator final : public allocator {
public:
    static constexpr const char* name = "input_first";
    static constexpr const char* description =
        "each buffer bids for a random output, then each output takes a random bidder";

    input_first_allocator(const allocator_shape& shape, std::uint64_t run_seed,
                          const std::string& path);
    input_first_allocator(const allocator_shape& shape, random_arbiters rows,
                          random_arbiters columns);

    matching decide(const request_matrix& in) override;
    void clock_edge() override;
    void reset() override;

private:
    /// Up to 64 rows and as many columns: what changes is in registers.
    matching decide_words(const request_matrix& in);
    matching decide_sets(const request_matrix& in);

    random_arbiters row_arbiters_, column_arbiters_;
    std::vector<std::uint64_t> bids_;         ///< of each column: the rows that have picked it
    std::vector<std::uint64_t> bid_columns_;  ///< columns with bids
};

}  // namespace heddle
